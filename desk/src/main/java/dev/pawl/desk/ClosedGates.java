package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.look.JobSummary;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Closed gates, and opening them. */
public final class ClosedGates {
    private ClosedGates() {}

    /** Whether it stays closed until a person opens it. */
    public static boolean needsAPerson(Gate gate) {
        var closing = gate.closing();
        return closing != null && closing.until() == null;
    }

    /**
     * Opens the gate of this name.
     *
     * @return who goes on now, and what to type where nobody does; empty when nobody waits there
     * @throws IllegalArgumentException when no such gate is closed
     */
    public static String open(Pawl pawl, String name, Audit audit, GoingOn goingOn) throws IOException {
        var gate = pawl.closedGates().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no gate " + name + " is closed; \"pawl gates\" lists those that are"));
        var waiting = waitingAt(pawl, name);
        pawl.openGate(gate, audit);
        var next = new StringJoiner("; ");
        for (var one : waiting.values()) {
            next.add(goingOn.with(one));
        }
        return next.toString();
    }

    /** One job of each workflow of which some wait at the gate. */
    private static Map<String, JobSummary> waitingAt(Pawl pawl, String gate) {
        var waiting = new TreeMap<String, JobSummary>();
        JobLookup.each(pawl, EnumSet.of(JobState.WAITING), null, job -> {
            if (gate.equals(job.outcome().gate())) {
                waiting.putIfAbsent(job.identity().workflow(), job);
            }
        });
        return waiting;
    }
}
