package dev.pawl.checks.simulation;

import java.util.Set;
import java.util.TreeSet;

/** What goes wrong at this moment: the seed's faults while the storm lasts, nothing after. */
final class Weather {

    private final Scheduler scheduler;
    private final Faults faults;
    private final Set<String> took = new TreeSet<>();

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

    /** A fault took effect. */
    void took(String fault) {
        took.add(fault);
    }

    Set<String> taken() {
        return took;
    }
}
