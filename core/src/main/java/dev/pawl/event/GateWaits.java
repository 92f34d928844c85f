package dev.pawl.event;

import dev.pawl.key.Identity;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** How long jobs have waited at gates, as far as one process sees both ends of a wait. Thread-safe. */
public final class GateWaits {
    /** Whoever waits longest beside so many others is forgotten. */
    private static final int MOST = 10_000;

    private final Time time;
    private final Map<Identity, Long> since = new LinkedHashMap<>();

    /** Nobody waits yet. */
    public GateWaits(Time time) {
        this.time = time;
    }

    /** A run of {@code job} has ended so. */
    public synchronized void ended(Identity job, EventKind how) {
        if (how != EventKind.WAITS_AT_GATE) {
            return;
        }
        since.put(job, time.nanos());
        if (since.size() > MOST) {
            since.remove(since.keySet().iterator().next());
        }
    }

    /** A run of {@code job} begins. Returns how long it has waited at a gate, if that is why it was left and that was here. */
    public synchronized Optional<Duration> begins(Identity job) {
        var began = since.remove(job);
        return began == null ? Optional.empty() : Optional.of(Duration.ofNanos(time.nanos() - began));
    }
}
