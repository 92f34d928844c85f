package dev.pawl;

import dev.pawl.job.JobState;
import dev.pawl.look.JobQuery;
import dev.pawl.look.UnfinishedJobs;
import dev.pawl.store.StoreFailure;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs ask a person, and since when: for gauges that are read often. The store is looked at every quarter of a minute at most; while it does not answer, what was seen last stands.
 * Thread-safe.
 */
public final class OpenQuestions {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(15);

    private final Pawl pawl;
    private final Time time;
    private @Nullable Seen lastSeen;

    private record Seen(long many, @Nullable Instant oldest, long atNanos) {}

    /** Those of the store that {@code pawl} works over. */
    public OpenQuestions(Pawl pawl) {
        this(pawl, Time.system());
    }

    OpenQuestions(Pawl pawl, Time time) {
        this.pawl = pawl;
        this.time = time;
    }

    /** How many jobs ask. */
    public long many() {
        return now().many();
    }

    /** For how long the one asks that has asked for longest; zero when none does. */
    public Duration oldestAge() {
        var oldest = now().oldest();
        return oldest == null ? Duration.ZERO : Duration.between(oldest, time.now());
    }

    private synchronized Seen now() {
        var before = lastSeen;
        if (before != null && time.nanos() - before.atNanos() < BETWEEN_LOOKS.toNanos()) {
            return before;
        }
        var fresh = look(before);
        lastSeen = fresh;
        return fresh;
    }

    private Seen look(@Nullable Seen before) {
        try {
            var many = pawl.operator().unfinished(Instant.EPOCH).stream()
                    .filter(jobs -> jobs.state() == JobState.PAUSED)
                    .map(UnfinishedJobs::many)
                    .mapToLong(UnfinishedJobs.HowMany::all)
                    .sum();
            var oldest = pawl.jobs(JobQuery.in(JobState.PAUSED).oldestFirst().most(1)).jobs().stream()
                    .map(job -> job.standing().times().changed())
                    .findFirst()
                    .orElse(null);
            return new Seen(many, oldest, time.nanos());
        } catch (StoreFailure away) {
            return before == null
                    ? new Seen(0, null, time.nanos())
                    : new Seen(before.many(), before.oldest(), time.nanos());
        }
    }
}
