package dev.pawl.engine.local;

import dev.pawl.look.StoredJob;
import dev.pawl.time.Signal;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Who waits for which job. A run of this process tells its ending; of others' the store is asked. Thread-safe. */
final class Waiters {

    private final ConcurrentHashMap<Long, Waiter> waiting = new ConcurrentHashMap<>();

    /** Somebody waits for a job. */
    static final class Waiter {
        private final Signal signal = new Signal();
        private volatile @Nullable StoredJob ended;
        private int users;

        Signal told() {
            return signal;
        }

        @Nullable
        StoredJob ended() {
            return ended;
        }
    }

    Waiter waitFor(long job) {
        return Objects.requireNonNull(waiting.compute(job, (unused, there) -> {
            var waiter = there == null || there.ended != null ? new Waiter() : there;
            waiter.users++;
            return waiter;
        }));
    }

    /** One who waits less; the last one takes the entry along. */
    void noLonger(long job, Waiter waiter) {
        waiting.computeIfPresent(job, (unused, there) -> there.equals(waiter) && --there.users == 0 ? null : there);
    }

    /** A run of this process has ended; {@code ended} is the job as it stands when it finished or paused, else null. */
    void tell(long job, @Nullable StoredJob ended) {
        var waiter = waiting.get(job);
        if (waiter != null && ended != null) {
            waiter.ended = ended;
            waiter.signal.raise();
        }
    }
}
