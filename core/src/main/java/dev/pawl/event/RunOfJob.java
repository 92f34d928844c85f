package dev.pawl.event;

import dev.pawl.job.Handling;
import dev.pawl.key.Identity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job, from its claim until it leaves its worker.
 *
 * @param job which
 * @param resubmission 0, and one more each time a person asked for the finished job again
 * @param fence under which it is held; it tells one run from the next
 * @param handling queue, on whose behalf, and what it is part of, as tracing writes it
 * @param worker who works here, as people know it
 * @param submitted when it was submitted
 * @param before what the run before it is called in traces, as tracing writes it; null when there was none, or nobody said so
 */
public record RunOfJob(
        Identity job,
        int resubmission,
        long fence,
        Handling handling,
        String worker,
        Instant submitted,
        @Nullable String before) {}
