package dev.pawl.cost;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One call of a model: {@code Use.of("some-model").input(1200).cached(800).output(300)}.
 *
 * @param model as the prices call it
 * @param tokens how many, of which kind
 * @param toolCalls how many tools the model called
 * @param batch whether it was made through a provider's batch interface
 * @param nanoUsd what it cost, in billionths of a dollar; null when nobody has stated it and the model has no price
 */
public record Use(
        String model,
        Tokens tokens,
        int toolCalls,
        boolean batch,
        @Nullable Long nanoUsd) {
    /** What stands for the model of a use that nobody can read; no model is called so. */
    public static final String UNREADABLE = "(unreadable)";

    private static final int MOST_CHARS = 200;
    private static final long MOST_TOKENS = 1L << 40;

    /**
     * Tokens of one call, or of many.
     *
     * @param input all that went in, those from the cache and those that were written to it included
     * @param output all that came out
     * @param cached how many of the input came from the cache
     * @param cacheWritten how many of the input were written to the cache, for which some providers ask more
     */
    public record Tokens(long input, long output, long cached, long cacheWritten) {
        /** None. */
        public static final Tokens NONE = new Tokens(0, 0, 0, 0);

        public Tokens {
            if (input < 0
                    || output < 0
                    || cached < 0
                    || cacheWritten < 0
                    || cached > input
                    || cacheWritten > input - cached
                    || input > MOST_TOKENS
                    || output > MOST_TOKENS) {
                throw new IllegalArgumentException(
                        "tokens are not negative, and what came from the cache or went there is part of the input: "
                                + input + " in, " + output + " out, " + cached + " cached, " + cacheWritten
                                + " written to the cache");
            }
        }

        /** Tokens of which none was written to a cache. */
        public Tokens(long input, long output, long cached) {
            this(input, output, cached, 0);
        }

        /** As they are stored; earlier states of Pawl knew nothing of writing to a cache. */
        @JsonCreator
        static Tokens stored(
                @JsonProperty("input") long input,
                @JsonProperty("output") long output,
                @JsonProperty("cached") long cached,
                @JsonProperty("cacheWritten") @Nullable Long cacheWritten) {
            return new Tokens(input, output, cached, cacheWritten == null ? 0 : cacheWritten);
        }

        /** These and others. */
        public Tokens plus(Tokens moreTokens) {
            return new Tokens(
                    input + moreTokens.input,
                    output + moreTokens.output,
                    cached + moreTokens.cached,
                    cacheWritten + moreTokens.cacheWritten);
        }

        /** What has come to them since they were {@code fewer}. */
        Tokens since(Tokens fewer) {
            return new Tokens(
                    input - fewer.input,
                    output - fewer.output,
                    cached - fewer.cached,
                    cacheWritten - fewer.cacheWritten);
        }

        /** All of them: what went in and what came out. */
        public long all() {
            return input + output;
        }
    }

    public Use {
        if (model.isBlank() || model.length() > MOST_CHARS) {
            throw new IllegalArgumentException("a model has a name of 1 to " + MOST_CHARS + " characters");
        }
        if (toolCalls < 0) {
            throw new IllegalArgumentException("tool calls are not negative: " + toolCalls);
        }
    }

    /** A use of {@code model} without tokens yet. */
    public static Use of(String model) {
        return new Use(model, Tokens.NONE, 0, false, null);
    }

    /** A use of which something was said that nobody can read: it has neither a price nor a number of tokens, and counts as neither nothing. */
    public static Use unreadable() {
        return Use.of(UNREADABLE);
    }

    /** Whether nobody can tell how many tokens it used. */
    public boolean isUnreadable() {
        return model.equals(UNREADABLE);
    }

    /** The same with so many tokens in, those from the cache included. */
    public Use input(long many) {
        return new Use(
                model,
                new Tokens(many, tokens.output(), tokens.cached(), tokens.cacheWritten()),
                toolCalls,
                batch,
                nanoUsd);
    }

    /** The same with so many tokens out. */
    public Use output(long many) {
        return new Use(
                model,
                new Tokens(tokens.input(), many, tokens.cached(), tokens.cacheWritten()),
                toolCalls,
                batch,
                nanoUsd);
    }

    /** The same with so many of the input tokens from the cache; say {@link #input} first. */
    public Use cached(long many) {
        return new Use(
                model,
                new Tokens(tokens.input(), tokens.output(), many, tokens.cacheWritten()),
                toolCalls,
                batch,
                nanoUsd);
    }

    /** The same with so many of the input tokens written to the cache; say {@link #input} first. */
    public Use cacheWritten(long many) {
        return new Use(
                model, new Tokens(tokens.input(), tokens.output(), tokens.cached(), many), toolCalls, batch, nanoUsd);
    }

    /** The same with so many tool calls. */
    public Use tools(int many) {
        return new Use(model, tokens, many, batch, nanoUsd);
    }

    /** The same, made through a provider's batch interface. */
    public Use inBatch() {
        return new Use(model, tokens, toolCalls, true, nanoUsd);
    }

    /** The same at this price. */
    public Use costing(@Nullable Long billionthsOfADollar) {
        return new Use(model, tokens, toolCalls, batch, billionthsOfADollar);
    }
}
