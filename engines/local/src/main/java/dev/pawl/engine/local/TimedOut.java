package dev.pawl.engine.local;

import java.time.Duration;

/** A step or an effect took longer than it may. */
final class TimedOut extends RuntimeException {

    TimedOut(Duration longest, Throwable cause) {
        super("it took longer than " + longest, cause);
    }
}
