package dev.pawl.engine.local;

import java.time.Duration;

/**
 * How a worker works.
 *
 * @param name for people: which process this is
 * @param slots how many jobs run at once
 * @param term how long its lease is good for
 * @param poll how often it looks for jobs that nobody told it about
 * @param grace how long running acts may take to finish when it stops
 */
public record EngineOptions(String name, int slots, Duration term, Duration poll, Duration grace) {

    /** Sixteen jobs at once, a lease of 30 seconds, a look every half second, 30 seconds to finish. */
    public static EngineOptions usual(String name) {
        return new EngineOptions(name, 16, Duration.ofSeconds(30), Duration.ofMillis(500), Duration.ofSeconds(30));
    }

    public EngineOptions {
        if (slots < 1 || slots > 10_000) {
            throw new IllegalArgumentException("a worker runs 1 to 10,000 jobs at once, not " + slots);
        }
        if (term.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException("a lease of " + term + " is too short to keep up");
        }
    }

    /** The same with another number of jobs at once. */
    public EngineOptions slots(int atOnce) {
        return new EngineOptions(name, atOnce, term, poll, grace);
    }

    /** The same with another lease term. */
    public EngineOptions term(Duration longest) {
        return new EngineOptions(name, slots, longest, poll, grace);
    }

    /** The same with another time between looks. */
    public EngineOptions poll(Duration often) {
        return new EngineOptions(name, slots, term, often, grace);
    }

    /** The same with another time to finish when it stops. */
    public EngineOptions grace(Duration longest) {
        return new EngineOptions(name, slots, term, poll, longest);
    }

    /** How often the beat is raised. */
    Duration beatEvery() {
        return term.dividedBy(3);
    }
}
