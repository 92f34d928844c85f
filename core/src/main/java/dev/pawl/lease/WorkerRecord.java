package dev.pawl.lease;

import java.time.Duration;
import java.time.Instant;

/**
 * A worker as the store knows it.
 *
 * @param id its number, drawn at random when it enlisted
 * @param name for people: host and process
 * @param beat raised every third of the term
 * @param beaten when it last beat, by the store's clock; for people, nobody decides by it
 * @param term how long the lease is good for
 * @param taking what it takes
 */
public record WorkerRecord(long id, String name, long beat, Instant beaten, Duration term, Taking taking) {

    /** The term of a worker that was told none. */
    public static final Duration USUAL_TERM = Duration.ofSeconds(30);
}
