package dev.pawl.checks.simulation;

import java.util.TreeSet;

/** Runs a range of seeds, stops at the first that breaks a promise, and says what was covered. */
public final class Seeds {

    private Seeds() {}

    /** Runs {@code arguments[1]} seeds from {@code arguments[0]} on; a single one prints its whole trace. */
    public static void main(String[] arguments) {
        var first = Long.parseLong(arguments[0]);
        var count = Long.parseLong(arguments[1]);
        var jobs = 0L;
        var done = 0L;
        var disturbed = 0L;
        var faults = new TreeSet<String>();
        for (var seed = first; seed < first + count; seed++) {
            var report = Simulation.run(seed);
            if (!report.violations().isEmpty() || count == 1) {
                System.out.println(report.tail());
            }
            if (!report.violations().isEmpty()) {
                System.out.println("seed " + seed + ": " + report.violations());
                System.exit(1);
            }
            jobs += report.jobs().all();
            done += report.jobs().done();
            disturbed += report.seen().faults().isEmpty() ? 0 : 1;
            faults.addAll(report.seen().faults());
        }
        System.out.printf("seeds=%d jobs=%d done=%d disturbed=%d faults=%s%n", count, jobs, done, disturbed, faults);
    }
}
