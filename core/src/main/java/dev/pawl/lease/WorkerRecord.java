package dev.pawl.lease;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker as the store knows it.
 *
 * @param id its number, drawn at random when it enlisted
 * @param name for people: host and process
 * @param beat raised every third of the term, more often while it runs something
 * @param beaten when it last beat, by the store's clock; for people, nobody decides by it
 * @param term how long the lease is good for
 * @param taking what it takes
 * @param end what is known of its end; null while nobody has declared it dead. One that was stays listed, and can neither beat nor claim, until the last of its
 *     jobs was given back
 */
public record WorkerRecord(
        long id,
        String name,
        long beat,
        Instant beaten,
        Duration term,
        Taking taking,
        @Nullable WorkerEnd end) {

    /** A worker that nobody has declared dead. */
    public WorkerRecord(long id, String name, long beat, Instant beaten, Duration term, Taking taking) {
        this(id, name, beat, beaten, term, taking, null);
    }

    /** Whether it has its lease, as far as the store knows. */
    public boolean enlisted() {
        return end == null;
    }

    /** The same after another beat. */
    public WorkerRecord beaten(long again, Instant now) {
        return new WorkerRecord(id, name, again, now, term, taking, end);
    }

    /** The same, declared dead. */
    public WorkerRecord declaredDead(WorkerEnd how) {
        return new WorkerRecord(id, name, beat, beaten, term, taking, how);
    }

    /** The term of a worker that was told none. */
    public static final Duration USUAL_TERM = Duration.ofSeconds(30);
}
