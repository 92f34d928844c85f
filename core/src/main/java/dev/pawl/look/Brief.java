package dev.pawl.look;

import dev.pawl.job.JobState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * As much of a job as tells whether anything is left to do: for looking at very many.
 *
 * @param state its state
 * @param inputHash of what it was submitted with, as {@link Tombstone#hash} makes it
 * @param due when it may be claimed; null when it may not
 * @param gate the gate that it waits at; null when it waits at none
 */
public record Brief(
        JobState state,
        String inputHash,
        @Nullable Instant due,
        @Nullable String gate) {

    /** Whether it was submitted with this input, as canonical JSON. */
    public boolean wasGiven(String other) {
        return Tombstone.same(inputHash, other);
    }
}
