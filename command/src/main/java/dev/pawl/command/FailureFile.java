package dev.pawl.command;

import dev.pawl.failure.FailureClass;
import dev.pawl.http.HttpStatus;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.text.EnumWords;
import dev.pawl.time.Durations;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a command that failed says beyond its exit code, as one JSON object.
 *
 * @param meaning what it means; of an effect, that nothing happened, unless it is in doubt
 * @param status as HTTP has it; null when there was none
 * @param provider who refused; null when it does not say
 * @param retryAfter how long to leave the other side alone; null when it does not say
 * @param why for people; empty when it does not say
 */
record FailureFile(
        Meaning meaning,
        @Nullable Integer status,
        @Nullable String provider,
        @Nullable Duration retryAfter,
        String why) {
    private static final int MOST_BYTES = 64 * 1024;
    private static final int MOST_NAME = 100;
    private static final int MOST_WHY = 1_000;
    private static final Duration MOST_WAIT = Duration.ofDays(7);

    /** What is in {@code file}; null when there is nothing. */
    static @Nullable FailureFile in(Path file, Secrets secrets) throws IOException, Wrong {
        if (!Files.isRegularFile(file)) {
            return null;
        }
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        var text = new String(bytes, StandardCharsets.UTF_8);
        if (text.isBlank()) {
            return null;
        }
        if (bytes.length > MOST_BYTES) {
            throw new Wrong("it has more than " + MOST_BYTES + " bytes");
        }
        try {
            return of(Json.tree(text), secrets);
        } catch (JsonMismatch e) {
            throw new Wrong(secrets.masked(String.valueOf(e.getMessage())));
        }
    }

    private static FailureFile of(JsonNode said, Secrets secrets) throws Wrong {
        if (!said.isObject()) {
            throw new Wrong("it is no JSON object");
        }
        var status = status(said.get("status"));
        var named = text(said.get("class"), "class", MOST_NAME);
        var provider = text(said.get("provider"), "provider", MOST_NAME);
        var why = text(said.get("why"), "why", Integer.MAX_VALUE);
        var shown = why == null ? "" : secrets.masked(why).replaceAll("\\p{Cc}", " ");
        return new FailureFile(
                meaning(named, status),
                status,
                provider == null ? null : secrets.masked(provider).replaceAll("\\p{Cc}", " "),
                wait(said.get("retryAfter")),
                shown.length() > MOST_WHY ? shown.substring(0, MOST_WHY) + "…" : shown);
    }

    private static Meaning meaning(@Nullable String named, @Nullable Integer status) throws Wrong {
        if (named == null) {
            if (status == null) {
                throw new Wrong("it has neither a class nor a status");
            }
            return Meaning.of(HttpStatus.failureClass(status));
        }
        var word = named.toLowerCase(Locale.ROOT);
        // Of exit codes that is the word.
        if (word.equals(Meaning.IN_DOUBT.word())) {
            return Meaning.IN_DOUBT;
        }
        return FailureClass.WORDS
                .find(word)
                .map(Meaning::of)
                .orElseThrow(() -> new Wrong("its class is not " + EnumWords.oneOf(FailureClass.WORDS.all())));
    }

    private static @Nullable Integer status(@Nullable JsonNode status) throws Wrong {
        if (status == null || status.isNull()) {
            return null;
        }
        var text = status.isIntegralNumber() || status.isString() ? status.asString() : "";
        if (!text.matches("[1-5]\\d\\d")) {
            throw new Wrong("its status is no number from 100 to 599");
        }
        return Integer.parseInt(text);
    }

    private static @Nullable String text(@Nullable JsonNode text, String name, int most) throws Wrong {
        if (text == null || text.isNull()) {
            return null;
        }
        if (!text.isString() || text.asString().length() > most) {
            throw new Wrong(
                    "its " + name + " is no text" + (most < MOST_BYTES ? " of at most " + most + " characters" : ""));
        }
        return text.asString();
    }

    /** A time like 2m, or seconds, as {@code Retry-After} has them. */
    private static @Nullable Duration wait(@Nullable JsonNode said) throws Wrong {
        if (said == null || said.isNull()) {
            return null;
        }
        var text = said.isNumber() ? said.asString() : Objects.requireNonNull(text(said, "retryAfter", MOST_NAME));
        try {
            var wait = text.matches("\\d{1,9}(\\.\\d{1,9})?s?")
                    ? Duration.ofNanos(new BigDecimal(text.replace("s", ""))
                            .movePointRight(9)
                            .longValue())
                    : Durations.parse(text);
            if (wait.isNegative() || wait.compareTo(MOST_WAIT) > 0) {
                throw new Wrong("its retryAfter is longer than a week");
            }
            return wait;
        } catch (IllegalArgumentException e) {
            throw new Wrong("its retryAfter is no time like 120s or 2m, and no number of seconds");
        }
    }

    /** It is there, and is not what it should be. */
    static final class Wrong extends Exception {
        Wrong(String message) {
            super(message);
        }
    }
}
