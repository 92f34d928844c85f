package dev.pawl.checks.simulation;

import dev.pawl.checks.simulation.Simulation.Report;

/** Takes away from a failing plan whatever is not needed for it to fail. */
final class Shrinker {
    private static final int MOST_RUNS = 500;

    /** A smaller plan has another course of events: it gets a few chances to fail. */
    private static final int CHANCES = 4;

    private Plan smallest;
    private Report report;
    private int runs;

    private Shrinker(Plan failing, Report report) {
        this.smallest = failing;
        this.report = report;
    }

    /** The smallest plan that was found to fail as this seed does; the seed's own report when it does not fail at all. */
    static Report shrink(long seed, Clock clock) {
        var plan = Plan.drawn(seed, clock);
        var shrinker = new Shrinker(plan, Simulation.run(seed, plan));
        if (!shrinker.report.violations().isEmpty()) {
            while (shrinker.runs < MOST_RUNS && shrinker.step(seed)) {
                // as long as something can be taken away
            }
        }
        return shrinker.report;
    }

    private boolean step(long seed) {
        for (var smaller : smallest.smaller()) {
            for (var chance = 0; chance < CHANCES && runs < MOST_RUNS; chance++) {
                runs++;
                var plan = smaller.withSeed(smallest.seed() + chance);
                var now = Simulation.run(seed, plan);
                if (!now.violations().isEmpty()) {
                    smallest = plan;
                    report = now;
                    return true;
                }
            }
        }
        return false;
    }
}
