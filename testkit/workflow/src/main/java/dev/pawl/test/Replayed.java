package dev.pawl.test;

import dev.pawl.engine.local.Rehearsal;
import dev.pawl.key.Place;
import org.jspecify.annotations.Nullable;

/**
 * How far today's code came over yesterday's journal.
 *
 * @param how how it ended
 * @param place what the code came to last; null when it came to nothing
 * @param says the result as JSON, the question, or why
 */
public record Replayed(ReplayEnd how, @Nullable Place place, String says) {
    /** How a replay ends. */
    public enum ReplayEnd {
        /** The code returned, with everything recorded. */
        FINISHED,
        /** The code would do what is not recorded yet. */
        WOULD_DO,
        /** The job would wait. */
        WOULD_WAIT,
        /** The job would ask a person: the code and the journal do not fit together. */
        WOULD_ASK,
        /** The code fails. */
        FAILS
    }

    static Replayed of(Rehearsal rehearsal) {
        var how = switch (rehearsal.endedAs()) {
            case FINISHED -> ReplayEnd.FINISHED;
            case WOULD_DO -> ReplayEnd.WOULD_DO;
            case WOULD_WAIT -> ReplayEnd.WOULD_WAIT;
            case WOULD_ASK -> ReplayEnd.WOULD_ASK;
            case FAILS -> ReplayEnd.FAILS;
        };
        return new Replayed(how, rehearsal.place(), rehearsal.says());
    }
}
