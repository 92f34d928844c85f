package dev.pawl.journal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.pawl.key.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a conversation: {@code Turn.of("user", text)}, {@code Turn.of("assistant", text).calling(id, "search", "{\"q\":\"pawl\"}")},
 * {@code Turn.of("tool", found).answering(id)}.
 *
 * @param role who said it: {@code user}, {@code assistant}, {@code system}, {@code tool}, or whatever the model knows
 * @param content what was said; of a turn that refers to a record, what is recorded there
 * @param toolCalls what a model wants done, in its order
 * @param answers the id of the tool call that this is the answer to; null when it is none
 * @param record the place whose result is what was said, so that it is kept once; null when the turn says it itself
 */
public record Turn(
        String role,
        String content,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ToolCall> toolCalls,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String answers,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Place record) {
    private static final int MOST_ROLE_CHARS = 100;
    private static final int MOST_CALLS = 1_000;

    /**
     * What a model wants done.
     *
     * @param id what the model calls this call; another one each time that it is asked again, so it names no effect
     * @param tool which tool
     * @param arguments JSON
     */
    public record ToolCall(String id, String tool, String arguments) {
        public ToolCall {
            if (tool.isBlank()) {
                throw new IllegalArgumentException("a tool call names its tool");
            }
        }
    }

    public Turn {
        if (role.isBlank() || role.length() > MOST_ROLE_CHARS) {
            throw new IllegalArgumentException("a role has 1 to " + MOST_ROLE_CHARS + " characters");
        }
        if (toolCalls.size() > MOST_CALLS) {
            throw new IllegalArgumentException(
                    "a turn has at most " + MOST_CALLS + " tool calls, not " + toolCalls.size());
        }
        toolCalls = List.copyOf(toolCalls);
    }

    /** As it is written down: a turn of words alone has nothing else, as it had before there was anything else. */
    @JsonCreator
    static Turn written(
            @JsonProperty("role") String role,
            @JsonProperty("content") String content,
            @JsonProperty("toolCalls") @Nullable List<ToolCall> toolCalls,
            @JsonProperty("answers") @Nullable String answers,
            @JsonProperty("record") @Nullable Place record) {
        return new Turn(role, content, toolCalls == null ? List.of() : toolCalls, answers, record);
    }

    /** A turn of words alone. */
    public Turn(String role, String content) {
        this(role, content, List.of(), null, null);
    }

    /** A turn of words alone. */
    public static Turn of(String role, String content) {
        return new Turn(role, content);
    }

    /** The same, with one more tool call. */
    public Turn calling(String id, String tool, String arguments) {
        var more = new ArrayList<>(toolCalls);
        more.add(new ToolCall(id, tool, arguments));
        return new Turn(role, content, more, answers, record);
    }

    /** The same, as the answer to a tool call. */
    public Turn answering(String call) {
        return new Turn(role, content, toolCalls, call, record);
    }

    /** The same, saying what is recorded at {@code place}: the result of a step or an effect, which is kept once. */
    public Turn referringTo(Place place) {
        return new Turn(role, "", toolCalls, answers, place);
    }

    /** The same, with what is recorded where it refers to. */
    public Turn saying(String recorded) {
        return new Turn(role, recorded, toolCalls, answers, record);
    }
}
