package dev.pawl.job;

import dev.pawl.failure.StepFailed;
import dev.pawl.journal.Turn;
import java.util.List;

/**
 * What was said between an agent and its model, kept turn by turn: each turn is a record of its own, so a conversation grows by what is added
 * and is never written again. A turn is found by its key, never by its position.
 */
public interface Conversation {
    /**
     * Adds what somebody said; on a resume the turn that was recorded under {@code key} is returned instead. It is committed together with
     * what comes next.
     *
     * @param key what tells this turn from all others of the conversation: {@code "question-3"}
     * @param role {@code user}, {@code assistant}, {@code system}, {@code tool}
     */
    Turn say(String key, String role, String content);

    /**
     * Adds a turn of which there is more to say than words: the answer to a tool call, say, which may refer to what is recorded where the tool was called
     * ({@link Turn#referringTo}), so that it is kept once.
     *
     * @param key what tells this turn from all others of the conversation
     * @throws IllegalArgumentException when it refers to a place where no result is recorded
     */
    Turn say(String key, Turn turn);

    /**
     * Adds the turn that {@code step} returns, tool calls and all: they are recorded before any tool runs, and are the same on every resume.
     *
     * @param named what tells this turn from all others, with what differs from the usual: how long it may take, how often it is tried, which gate it passes, what it is
     *     asked for
     * @throws StepFailed when it failed for good
     */
    Turn reply(Named named, Job.Step<Turn> step);

    /**
     * Adds what {@code work} returns: a step, whose result is the turn. Once it has returned, it never runs again for this job.
     *
     * @throws StepFailed when it failed for good
     */
    Turn reply(String key, String role, Job.Step<String> step);

    /** What was said so far, in the order in which it was. */
    List<Turn> turns();
}
