package dev.pawl.event;

import dev.pawl.cost.Use;
import dev.pawl.failure.Failure;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt has ended.
 *
 * @param outcome what became of it, as far as is known here
 * @param why what failed, or why nobody knows; null when it is done, or was only left
 * @param took how long
 * @param uses what it told that it used, with what that cost
 */
public record EndedAttempt(AttemptOutcome outcome, @Nullable Failure why, Duration took, List<Use> uses) {
    /** What became of an attempt. */
    public enum AttemptOutcome {
        /** It has happened, and that is recorded. */
        DONE,
        /** It has failed, and certainly nothing happened. */
        FAILED,
        /** It may have happened, and nobody knows. */
        IN_DOUBT,
        /** It was left: its worker stops, or the job is somebody else's now. */
        LEFT
    }

    public EndedAttempt {
        uses = List.copyOf(uses);
    }
}
