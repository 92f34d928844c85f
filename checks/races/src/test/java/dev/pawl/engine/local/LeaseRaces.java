package dev.pawl.engine.local;

import dev.pawl.lease.Trust;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/** A lease is renewed by its worker loop and by whoever is about to act: no beat goes out twice, and the lifeline is not cut while a run holds it. */
public class LeaseRaces {
    private final Here.Hasty time = new Here.Hasty();
    private final PlainStore store = new PlainStore(time);
    private final Committers committers = Here.committers(store, time);
    private final AtomicInteger running = new AtomicInteger();
    private volatile boolean cutWhileHeld;
    private final Lease lease = new Lease(
            1,
            Duration.ofSeconds(30),
            time,
            () -> cutWhileHeld |= running.get() > 0,
            new Trust(Duration.ofSeconds(30), Instant.EPOCH, Long.MIN_VALUE));

    /** The worker loop beats. */
    @Operation
    public boolean renew() {
        return lease.renew(committers);
    }

    /** A job runs. */
    @Operation
    public void run() {
        lease.hold();
        running.incrementAndGet();
        running.decrementAndGet();
        lease.letGo();
    }

    /** Another worker declared this one dead. */
    @Operation
    public void lose() {
        lease.lose();
    }

    /** No beat was sent twice, and nobody was cut off. */
    @Validate
    public void validate() {
        if (store.beatTwice()) {
            throw new IllegalStateException("a beat went out twice");
        }
        if (cutWhileHeld) {
            throw new IllegalStateException("the lifeline was cut while a run held it");
        }
    }
}
