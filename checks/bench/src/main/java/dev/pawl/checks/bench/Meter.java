package dev.pawl.checks.bench;

import dev.pawl.time.Time;
import java.time.Duration;

/** Measures one window. */
final class Meter {

    private final long start = Time.system().nanos();
    private final long window;

    Meter(Duration window) {
        this.window = window.toNanos();
    }

    boolean over() {
        return Time.system().nanos() - start >= window;
    }

    double perSecond(long count) {
        return count * 1e9 / (Time.system().nanos() - start);
    }
}
