package dev.pawl.lease;

import java.time.Duration;

/**
 * A worker of which the one who watches has heard nothing: it works and has not beaten yet, or it is dead.
 *
 * @param worker who it is
 * @param left how long it may stay silent until it is taken for dead, and others go on with its jobs
 */
public record Silence(WorkerRecord worker, Duration left) {}
