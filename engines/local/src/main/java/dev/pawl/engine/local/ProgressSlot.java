package dev.pawl.engine.local;

import dev.pawl.journal.Entry;
import dev.pawl.journal.Progress;
import dev.pawl.key.Place;
import dev.pawl.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How far a run's job has come, as its code said last, until it is recorded: with the next commit, or by the keeper when none comes soon. However often it is said, only the
 * newest waits. Thread-safe.
 */
final class ProgressSlot {
    private static final Duration BETWEEN_RECORDS = Duration.ofSeconds(3);

    private final Time time;
    private Entry.@Nullable Progressed waiting;
    private int said;
    private boolean recordedBefore;
    private long recordedNanos;

    ProgressSlot(Time time) {
        this.time = time;
    }

    /** A scope has said how far the job has come, for the {@code number}th time there. */
    synchronized void put(Place where, int number, Progress soFar) {
        said++;
        waiting = new Entry.Progressed(where, number, said, soFar);
    }

    /** What waits, to be recorded with something else; null when nothing does. */
    synchronized Entry.@Nullable Progressed take() {
        var taken = waiting;
        if (taken != null) {
            waiting = null;
            recordedBefore = true;
            recordedNanos = time.nanos();
        }
        return taken;
    }

    /** What waits, to be recorded by itself; null when nothing does, or something was recorded a moment ago. */
    synchronized Entry.@Nullable Progressed takeIfDue() {
        return recordedBefore && time.nanos() - recordedNanos < BETWEEN_RECORDS.toNanos() ? null : take();
    }
}
