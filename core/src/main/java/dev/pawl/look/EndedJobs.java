package dev.pawl.look;

import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs of a group ended alike, and have not been taken up again since.
 *
 * @param group whose they are
 * @param state how they ended
 * @param because how they failed; null unless they did
 * @param pruned whether only their tombstones are left
 * @param many how many
 */
public record EndedJobs(
        ClaimGroup group, JobState state, @Nullable FailureClass because, boolean pruned, long many) {}
