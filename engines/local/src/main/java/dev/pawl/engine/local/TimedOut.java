package dev.pawl.engine.local;

import dev.pawl.time.Durations;
import java.time.Duration;

/** A step or an effect took longer than it may. */
final class TimedOut extends RuntimeException {

    TimedOut(Duration longest, Throwable cause) {
        super("it took longer than " + Durations.text(longest), cause);
    }
}
