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
public record Replayed(How how, @Nullable Place place, String says) {
    /** How a replay ends. */
    public enum How {
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
        var how = switch (rehearsal.kind()) {
            case FINISHED -> How.FINISHED;
            case WOULD_DO -> How.WOULD_DO;
            case WOULD_WAIT -> How.WOULD_WAIT;
            case WOULD_ASK -> How.WOULD_ASK;
            case FAILS -> How.FAILS;
        };
        return new Replayed(how, rehearsal.place(), rehearsal.says());
    }
}
