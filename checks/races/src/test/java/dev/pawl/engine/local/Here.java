package dev.pawl.engine.local;

import dev.pawl.event.Events;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Ports with which a wait is over at once, so that only the order of threads matters. */
final class Here {
    private Here() {}

    /** A clock of which each look takes a second. */
    static final class Hasty implements Time {
        private final AtomicLong seconds = new AtomicLong();

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanos() {
            return seconds.incrementAndGet() * 1_000_000_000;
        }

        @Override
        public void await(Duration atMost) {
            Thread.onSpinWait();
        }
    }

    static EnginePorts with(Time time) {
        return new EnginePorts(
                time,
                (purpose, name, work) -> {
                    throw new IllegalStateException("no threads of its own");
                },
                new Random(1),
                Events.NOWHERE);
    }

    /** A committer whose thread has ended: whoever comes takes the queue along. */
    static Committer committer(PlainStore store, Time time) {
        var desk = new ClaimDesk(1, new Nobody());
        var committer = new Committer(store, with(time), desk, true, Duration.ofSeconds(1), new StoreClock(time));
        committer.stop();
        return committer;
    }

    /** The same, as an engine has it. */
    static Committers committers(PlainStore store, Time time) {
        var committers = new Committers(store, with(time), new ClaimDesk(1, new Nobody()), 1, Duration.ofSeconds(1));
        committers.stop();
        return committers;
    }

    private static final class Nobody implements ClaimDesk.Crew {
        @Override
        public void start(Lease lease, dev.pawl.store.Claimed claimed) {
            throw new IllegalStateException("nothing was claimed");
        }

        @Override
        public void storeFailed(dev.pawl.store.StoreFailure storeFailure) {
            throw new IllegalStateException(storeFailure);
        }
    }
}
