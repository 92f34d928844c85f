package dev.pawl.checks.bench.postgres;

/**
 * What one round of one contender gave.
 *
 * @param perSecond steps or jobs
 * @param cpuMicros of the processor for each, here and in the server together
 */
record Figure(double perSecond, double cpuMicros) {}
