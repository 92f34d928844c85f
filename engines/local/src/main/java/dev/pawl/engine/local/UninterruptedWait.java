package dev.pawl.engine.local;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;

/** Waits that an interrupt does not end: the interrupt is kept for whoever it was meant for. */
final class UninterruptedWait {

    private UninterruptedWait() {}

    /** Waits for {@code signal}, whatever interrupts come. */
    static void await(Signal signal, Time time, long seen, Duration atMost) {
        var interrupted = false;
        while (true) {
            try {
                signal.await(time, seen, atMost);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static void pause(Time time, Duration howLong) {
        var start = time.nanos();
        var interrupted = false;
        while (true) {
            var left = howLong.minusNanos(time.nanos() - start);
            if (!left.isPositive()) {
                break;
            }
            try {
                time.await(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
