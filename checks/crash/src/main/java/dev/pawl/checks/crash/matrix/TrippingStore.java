package dev.pawl.checks.crash.matrix;

import dev.pawl.checks.crash.matrix.Trip.How;
import dev.pawl.checks.crash.matrix.Trip.When;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.SqlStore;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/** A store on the way to which a process is tripped up, the first time that it makes a kind of change. */
final class TrippingStore extends DelegatingStore {
    static final String TRANSACTION = "Transaction";

    private final List<Trip> trips;
    private final AtomicInteger left;
    private final Stumble stumble;
    private final Set<String> made = new ConcurrentSkipListSet<>();

    /** What it means to be tripped up. */
    interface Stumble {
        /** Returns when the process may go on. */
        void here(Trip trip);
    }

    /** Trips {@code times} in all at the first of {@code trips} that is met. */
    TrippingStore(Store store, List<Trip> trips, int times, Stumble stumble) {
        super(store);
        this.trips = trips;
        this.left = new AtomicInteger(times);
        this.stumble = stumble;
    }

    /** Waits for a trip at a beat, which takes longer than a short job. */
    void linger() throws InterruptedException {
        var beat = trips.stream().anyMatch(trip -> trip.change().equals("Beat"));
        for (var i = 0; beat && left.get() > 0 && i < 300; i++) {
            new Signal().await(Time.system(), 0, Duration.ofMillis(10));
        }
    }

    /** Which kinds of change the process has made. */
    Set<String> made() {
        return made;
    }

    @Override
    public Exchanged exchange(List<Change> changes, Wanted wanted) {
        changes.forEach(change -> made.add(kind(change)));
        trip(changes, When.BEFORE);
        var exchanged = super.exchange(changes, wanted);
        trip(changes, When.AFTER);
        return exchanged;
    }

    static String kind(Change change) {
        return change.getClass().getSimpleName();
    }

    private void trip(List<Change> changes, When when) {
        for (var change : changes) {
            tripAt(kind(change), when);
        }
    }

    private void tripAt(String kind, When when) {
        for (var trip : trips) {
            if (trip.when() == when && trip.change().equals(kind) && left.getAndDecrement() > 0) {
                if (trip.how() == How.ERROR) {
                    throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "tripped: " + trip.words(), null);
                }
                stumble.here(trip);
            }
        }
    }

    @Override
    public Optional<SqlStore> sql() {
        return super.sql().map(inner -> new SqlStore() {
            @Override
            public Applied transact(Change.Hold hold, long id, Work work, Duration longest) throws Exception {
                made.add(TRANSACTION);
                tripAt(TRANSACTION, When.BEFORE);
                var applied = inner.transact(hold, id, work, longest);
                tripAt(TRANSACTION, When.AFTER);
                return applied;
            }

            @Override
            public Applied submitWithin(Connection connection, Change.SubmitJob submission) {
                return inner.submitWithin(connection, submission);
            }
        });
    }
}
