package dev.pawl.lease;

import java.time.Duration;

/**
 * A worker as the store knows it.
 *
 * @param id its number, drawn at random when it enlisted
 * @param name for people: host and process
 * @param beat raised every third of the term
 * @param term how long the lease is good for
 * @param taking what it takes
 */
public record WorkerRecord(long id, String name, long beat, Duration term, Taking taking) {}
