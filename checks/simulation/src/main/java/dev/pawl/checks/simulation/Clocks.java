package dev.pawl.checks.simulation;

import dev.pawl.checks.simulation.Simulation.Report;
import dev.pawl.time.Time;
import java.io.IOException;

/** Runs seeds once for each thing that can be wrong with a clock: nobody is taken over early, and no timer ends early or twice. */
public final class Clocks {
    private Clocks() {}

    /** Arguments: how many seeds for each clock; or a clock and a seed, of which the trace is printed. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 1) {
            Seeds.show(Long.parseLong(arguments[1]), Clock.valueOf(arguments[0]));
        }
        var many = Long.parseLong(arguments[0]);
        var start = Time.system().nanos();
        var all = new Coverage();
        Report failed = null;
        var idle = 0;
        for (var clock : Clock.values()) {
            var outcome = Seeds.run(1, many, clock);
            var coverage = outcome.coverage();
            System.err.println(
                    clock + ": " + coverage.takeOvers() + " take-overs, " + coverage.timers() + " timers; " + coverage);
            all.add(coverage.line());
            idle += coverage.takeOvers() == 0 || coverage.timers() == 0 ? 1 : 0;
            if (outcome.failed() != null) {
                failed = outcome.failed();
                Seeds.tell(failed);
                System.err.println("the whole night: ./verify clock " + clock + " " + failed.seed());
            }
        }
        var seconds = (Time.system().nanos() - start) / 1_000_000_000;
        System.out.println(Seeds.json("clock", new Seeds.Outcome(all, failed), many * Clock.values().length, seconds));
        System.exit(failed == null && idle == 0 ? 0 : 1);
    }
}
