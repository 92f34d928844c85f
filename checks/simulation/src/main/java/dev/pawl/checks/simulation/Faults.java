package dev.pawl.checks.simulation;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What goes wrong in one seed, and how often. Derived from the seed, so that different seeds are different kinds of bad night.
 *
 * @param lostBefore share of exchanges that fail and do nothing
 * @param lostAfter share of exchanges that are done and answer with an error
 * @param lostReply share of requests whose reply never comes
 * @param refused share of requests that are refused before they are sent
 * @param crashes most crashes and freezes
 * @param kernelTells whether a crashed process is known to be dead at once
 */
record Faults(double lostBefore, double lostAfter, double lostReply, double refused, int crashes, boolean kernelTells) {

    static final Faults NONE = new Faults(0, 0, 0, 0, 0, true);

    /** How long things go wrong. */
    static final Duration STORM = Duration.ofMinutes(10);

    static Faults drawn(RandomGenerator random) {
        return new Faults(
                random.nextInt(3) == 0 ? 0.1 : 0.01,
                random.nextInt(3) == 0 ? 0.1 : 0.01,
                random.nextInt(3) * 0.15,
                random.nextInt(3) * 0.15,
                random.nextInt(6),
                random.nextBoolean());
    }
}
