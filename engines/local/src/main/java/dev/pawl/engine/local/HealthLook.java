package dev.pawl.engine.local;

import dev.pawl.look.Health;
import dev.pawl.store.Store;
import dev.pawl.time.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Looks how this process stands. The store is asked on a thread of its own, one at a time: whoever asks is not held up by a store that does not answer. Thread-safe. */
final class HealthLook {
    private final Store store;
    private final EnginePorts ports;
    private final AtomicReference<@Nullable StoreCheck> asking = new AtomicReference<>();

    HealthLook(Store store, EnginePorts ports) {
        this.store = store;
        this.ports = ports;
    }

    /** One look into the store, and what came of it. */
    private static final class StoreCheck {
        private final Signal answered = new Signal();
        private volatile UserCode.@Nullable CodeOutcome<Optional<Instant>> storeAnswer;
    }

    /** What the store says about the job that is due before all others. */
    private UserCode.@Nullable CodeOutcome<Optional<Instant>> ask(Duration atMost) throws InterruptedException {
        var check = new StoreCheck();
        var before = asking.compareAndExchange(null, check);
        if (before == null) {
            var started = false;
            try {
                ports.threads().start(Threads.Purpose.JOB, "pawl-health", () -> {
                    check.storeAnswer = UserCode.call(store::earliestDue);
                    asking.set(null);
                    check.answered.raise();
                });
                started = true;
            } finally {
                // There may be no memory for a thread; the next look tries again.
                if (!started) {
                    asking.set(null);
                }
            }
        }
        var ours = before == null ? check : before;
        var start = ports.time().nanos();
        var left = atMost;
        while (ours.storeAnswer == null && left.isPositive()) {
            var seen = ours.answered.count();
            if (ours.storeAnswer == null) {
                ours.answered.await(ports.time(), seen, left);
            }
            left = atMost.minusNanos(ports.time().nanos() - start);
        }
        return ours.storeAnswer;
    }

    Health look(Duration atMost, Instant storeNow, boolean works, @Nullable Lease lease, int running, int overdue)
            throws InterruptedException {
        var answer = ask(atMost);
        Duration dueFor = null;
        String trouble = null;
        switch (answer) {
            case null -> trouble = "it has not answered within " + atMost.toMillis() + " ms";
            case UserCode.CodeOutcome.Threw<Optional<Instant>> threw ->
                trouble = String.valueOf(threw.thrown().getMessage());
            case UserCode.CodeOutcome.Returned<Optional<Instant>> returned -> {
                var due = returned.value() == null ? null : returned.value().orElse(null);
                dueFor = due == null || due.isAfter(storeNow) ? null : Duration.between(due, storeNow);
            }
        }
        var beats = lease != null && lease.isTrusted();
        return new Health(works, beats, lease == null ? null : lease.sinceBeat(), trouble, dueFor, running, overdue);
    }
}
