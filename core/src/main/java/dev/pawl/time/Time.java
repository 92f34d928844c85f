package dev.pawl.time;

import java.time.Duration;
import java.time.Instant;

/** The only clock: wall time, monotonic time and a way to wait. */
public interface Time {

    /** Wall time: for people, timers and deadlines. It may jump. */
    Instant now();

    /** Monotonic nanoseconds since an arbitrary origin. On a sleeping machine it may stand still. */
    long nanos();

    /**
     * Parks the calling thread until it is unparked, or {@code atMost} has passed. It may return early for no reason, so callers loop on
     * what they wait for; {@link Signal} does that for them.
     *
     * @throws InterruptedException when the thread was interrupted; the flag is cleared
     */
    void await(Duration atMost) throws InterruptedException;

    /** The machine's own clocks. */
    static Time system() {
        return SystemTime.INSTANCE;
    }
}
