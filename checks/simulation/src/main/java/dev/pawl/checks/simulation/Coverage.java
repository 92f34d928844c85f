package dev.pawl.checks.simulation;

import dev.pawl.checks.simulation.Simulation.Report;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What many seeds covered, and what came of them. Thread-safe; travels between processes as one line of text. */
public final class Coverage {
    private final Set<String> pairs = new TreeSet<>();
    private long seeds;
    private long disturbed;
    private long jobs;
    private long done;
    private long asked;
    private long takeOvers;
    private long timers;

    /** Counts one more seed. */
    public synchronized void add(Report report) {
        seeds++;
        disturbed += report.seen().faults().isEmpty() ? 0 : 1;
        jobs += report.jobs().all();
        done += report.jobs().done();
        asked += report.jobs().asked();
        takeOvers += report.seen().told().takeOvers();
        timers += report.seen().told().timers();
        pairs.addAll(report.seen().pairs());
    }

    /** Counts what another process has counted. */
    public synchronized void add(String line) {
        var fields = line.split("\t", -1);
        seeds += Long.parseLong(fields[0]);
        disturbed += Long.parseLong(fields[1]);
        jobs += Long.parseLong(fields[2]);
        done += Long.parseLong(fields[3]);
        asked += Long.parseLong(fields[4]);
        takeOvers += Long.parseLong(fields[5]);
        timers += Long.parseLong(fields[6]);
        pairs.addAll(List.of(fields[7].split(",")));
    }

    /** All of it, for another process. */
    public synchronized String line() {
        return seeds + "\t" + disturbed + "\t" + jobs + "\t" + done + "\t" + asked + "\t" + takeOvers + "\t" + timers
                + "\t" + String.join(",", pairs);
    }

    /** The pairs of a kind of step and a fault that no seed had. */
    public synchronized Set<String> missing() {
        var missing = Simulation.allPairs();
        missing.removeAll(pairs);
        return missing;
    }

    /** How many seeds were run. */
    public synchronized long seeds() {
        return seeds;
    }

    /** How many questions were asked. */
    public synchronized long asked() {
        return asked;
    }

    /** How many workers were taken over because their beat stood still. */
    public synchronized long takeOvers() {
        return takeOvers;
    }

    /** How many timers ended. */
    public synchronized long timers() {
        return timers;
    }

    /** How many jobs ended as done. */
    public synchronized long done() {
        return done;
    }

    /** The share of seeds in which something went wrong, in percent. */
    public synchronized double disturbed() {
        return 100.0 * disturbed / Math.max(1, seeds);
    }

    /** The share of jobs that ended as done, in percent. */
    public synchronized double succeeded() {
        return 100.0 * done / Math.max(1, jobs);
    }

    /** Whether every pair was seen, something went wrong in nearly every seed, and most jobs were done all the same. */
    public synchronized boolean isEnough() {
        return missing().isEmpty() && disturbed() >= 90 && succeeded() >= 60;
    }

    /** One line for people. */
    @Override
    public synchronized String toString() {
        return String.format(
                "coverage: %d seeds, %d jobs, %d of %d pairs of feature and fault, faults in %.1f %% of seeds, %.1f %% of jobs done, %d questions",
                seeds, jobs, pairs.size(), Simulation.pairs(), disturbed(), succeeded(), asked);
    }
}
