package dev.pawl.checks.simulation;

import dev.pawl.checks.simulation.Programs.Op;
import dev.pawl.key.Identity;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What goes wrong at this moment: the seed's faults while the storm lasts, nothing after. Keeps what took effect, and in the midst of what. */
final class Weather {
    /** Where a job is: at which line of its program, and in which process; in none while it waits. */
    private record At(Op op, @Nullable SimProcess process) {}

    private final Scheduler scheduler;
    private final Faults faults;
    private final Set<Fault> took = EnumSet.noneOf(Fault.class);
    private final Set<String> pairs = new TreeSet<>();
    private final Map<Identity, At> at = new HashMap<>();

    Weather(Scheduler scheduler, Faults faults) {
        this.scheduler = scheduler;
        this.faults = faults;
    }

    boolean stormy() {
        return scheduler.nanos() < Faults.STORM.toNanos();
    }

    Faults now() {
        return stormy() ? faults : Faults.NONE;
    }

    boolean kernelTells() {
        return faults.kernelTells();
    }

    /** A job has come to a line of its program. */
    void begins(Identity job, Op op, SimProcess process) {
        at.put(job, new At(op, process));
    }

    /** A job has left its process, in the midst of a line. */
    void leaves(Identity job) {
        at.computeIfPresent(job, (unused, was) -> new At(was.op(), null));
    }

    /** A job has ended. */
    void ends(Identity job) {
        at.remove(job);
    }

    /** A fault took effect in {@code process}, in the midst of what it does, of what waits, and of what a dead process has left. */
    void took(Fault fault, SimProcess process) {
        took.add(fault);
        for (var one : at.values()) {
            if (one.process() == null
                    || one.process() == process
                    || one.process().crashed()) {
                pairs.add(one.op() + " × " + fault);
            }
        }
    }

    /** Something befell one job. */
    void took(Fault fault, Identity job) {
        took.add(fault);
        var where = at.get(job);
        if (where != null) {
            pairs.add(where.op() + " × " + fault);
        }
    }

    Set<Fault> taken() {
        return took;
    }

    Set<String> pairs() {
        return pairs;
    }
}
