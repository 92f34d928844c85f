package dev.pawl.engine.local;

import dev.pawl.journal.Entry;
import dev.pawl.journal.Progress;
import dev.pawl.key.Place;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a run's job has come, as its code said last, until it is recorded: with the next commit, or by the keeper when none comes soon. However often it is said, of each
 * scope only the newest waits. Thread-safe.
 */
final class ProgressSlot {
    /** By itself it is recorded so often at first, and more seldom the longer it goes on, because every word stays in the journal. */
    private static final Duration SHORTEST = Duration.ofSeconds(3);

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int PART = 20;

    /** What more scopes have said is told, and perhaps told again on a resume. */
    private static final int MOST_SCOPES = 100;

    private final Time time;
    private final SequencedMap<Place, Entry.Progressed> waiting = new LinkedHashMap<>();
    private int said;
    private @Nullable Long firstNanos;
    private long recordedNanos;

    ProgressSlot(Time time) {
        this.time = time;
    }

    /** A scope has said how far the job has come, for the {@code number}th time there. */
    synchronized void put(Place where, int number, Progress soFar) {
        said++;
        var before = waiting.remove(where);
        waiting.put(
                where,
                new Entry.Progressed(where, before == null ? number : Math.max(number, before.number()), said, soFar));
        if (waiting.size() > MOST_SCOPES) {
            waiting.pollFirstEntry();
        }
    }

    /** What waits, to be recorded with something else. */
    synchronized List<Entry.Progressed> take() {
        var all = List.copyOf(waiting.values());
        if (!all.isEmpty()) {
            waiting.clear();
            recordedNanos = time.nanos();
            firstNanos = firstNanos == null ? recordedNanos : firstNanos;
        }
        return all;
    }

    /** What waits, to be recorded by itself; nothing when something was recorded a moment ago. */
    synchronized List<Entry.Progressed> takeIfDue() {
        return firstNanos != null && time.nanos() - recordedNanos < pause(time.nanos() - firstNanos)
                ? List.of()
                : take();
    }

    private static long pause(long goneOnNanos) {
        return Math.max(SHORTEST.toNanos(), Math.min(LONGEST.toNanos(), goneOnNanos / PART));
    }
}
