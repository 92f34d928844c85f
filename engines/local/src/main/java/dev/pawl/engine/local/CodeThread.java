package dev.pawl.engine.local;

import dev.pawl.failure.Thrown;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.store.Debts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a job's code: how it calls the code of steps and effects, what rides with its next commit, and whether it has to leave. Scopes that stand inside each other
 * on one thread share it: what is drawn in one may be shown in the other, and a thread that leaves leaves all of them.
 */
final class CodeThread {
    private final Thread thread = Thread.currentThread();
    private final CodeCalls calls;

    private final List<Entry> riding = new ArrayList<>();
    private Ending.@Nullable Parked parked;
    private @Nullable LastThrown lastThrown;

    /** What the last attempt that failed here has thrown, and whether that is to be recorded still. */
    private record LastThrown(Entry.Threw entry, Throwable thrown, boolean recorded) {}

    /** The calling thread. */
    CodeThread(RunContext context) {
        this(new CodeCalls(context));
    }

    private CodeThread(CodeCalls calls) {
        this.calls = calls;
    }

    /** The calling thread once more: what rides and whether it leaves is another matter, and code is called as ever. */
    CodeThread beside() {
        return new CodeThread(calls);
    }

    boolean isCalling() {
        return Thread.currentThread().equals(thread);
    }

    CodeCalls calls() {
        return calls;
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Lets an entry ride with the next commit. */
    void ride(Entry entry) {
        synchronized (riding) {
            riding.add(entry);
        }
    }

    boolean anythingRides() {
        synchronized (riding) {
            return !riding.isEmpty();
        }
    }

    /** Whether what rides says that more is owed, or less. */
    boolean debtsRide() {
        synchronized (riding) {
            return riding.stream().anyMatch(Debts::isIn);
        }
    }

    /** What rides, to be committed now. */
    List<Entry> taken() {
        synchronized (riding) {
            var entries = new ArrayList<>(riding);
            riding.clear();
            return entries;
        }
    }

    /** What still rides on a thread that has ended rides on here. */
    void takeOn(CodeThread endedThread) {
        var entries = endedThread.taken();
        synchronized (riding) {
            riding.addAll(entries);
        }
    }

    /** An attempt has failed. What the first one of a place throws is recorded in any case. */
    void threw(Place place, int number, Throwable thrown) {
        if (!Thrown.isOfUserCode(thrown)) {
            lastThrown = null;
            return;
        }
        var entry = new Entry.Threw(place, number, Thrown.of(thrown));
        lastThrown = new LastThrown(entry, thrown, number == 1);
        if (number == 1) {
            ride(entry);
        }
    }

    /** What the last attempt has thrown, if that was made at {@code place}; null when it threw nothing on this thread. */
    @Nullable
    Throwable thrownAt(Place place) {
        var last = lastThrown;
        return last == null || !last.entry().place().equals(place) ? null : last.thrown();
    }

    /** No other attempt follows at {@code place} for now: what the last one has thrown is recorded, once. */
    void isLastAt(Place place) {
        var last = lastThrown;
        if (last != null && !last.recorded() && last.entry().place().equals(place)) {
            ride(last.entry());
            lastThrown = new LastThrown(last.entry(), last.thrown(), true);
        }
    }

    void park(Ending.Parked ending) {
        parked = ending;
    }

    /** How it has left; null while it has not, or has lost the job. */
    Ending.@Nullable Parked parked() {
        return parked;
    }
}
