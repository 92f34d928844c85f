package dev.pawl.checks.simulation;

import dev.pawl.checks.simulation.Simulation.Report;
import dev.pawl.time.Time;
import java.io.IOException;

/** Runs seeds once for each thing that can be wrong with a clock: nobody is taken over early, and no timer ends early or twice. */
public final class Clocks {
    private Clocks() {}

    /** Argument: how many seeds for each clock. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var many = Long.parseLong(arguments[0]);
        var start = Time.system().nanos();
        var all = new Coverage();
        Report failed = null;
        for (var clock : Clock.values()) {
            var outcome = Seeds.run(1, many, clock);
            var coverage = outcome.coverage();
            System.err.println(
                    clock + ": " + coverage.takeOvers() + " take-overs, " + coverage.timers() + " timers; " + coverage);
            all.add(coverage.line());
            if (outcome.failed() != null) {
                failed = outcome.failed();
                Seeds.tell(failed);
            }
        }
        var seconds = (Time.system().nanos() - start) / 1_000_000_000;
        System.out.println(Seeds.json("clock", new Seeds.Outcome(all, failed), many * Clock.values().length, seconds));
        System.exit(failed == null && all.takeOvers() > 0 && all.timers() > 0 ? 0 : 1);
    }
}
