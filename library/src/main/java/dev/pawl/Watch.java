package dev.pawl;

import dev.pawl.store.Occurrence;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.function.Consumer;

/** Follows what happens to jobs, on a thread of its own, from a cursor on: nothing is missed and nothing told twice. Closing it ends it. */
public final class Watch implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final int AT_ONCE = 1_000;

    private final Store store;
    private final Consumer<Occurrence> told;
    private final Signal closing = new Signal();
    private volatile Occurrence.Cursor cursor;
    private volatile boolean closed;

    Watch(Store store, Occurrence.Cursor from, Consumer<Occurrence> told) {
        this.store = store;
        this.cursor = from;
        this.told = told;
        Thread.ofVirtual().name("pawl-watch").start(this::follow);
    }

    /** How far it has told: to go on from later, also in another process. */
    public Occurrence.Cursor cursor() {
        return cursor;
    }

    private void follow() {
        while (!closed) {
            var seen = closing.count();
            if (!tellMore()) {
                try {
                    closing.await(Time.system(), seen, BETWEEN_LOOKS);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    /** Tells what has happened since; false when nothing has, or the store does not answer at the moment. */
    private boolean tellMore() {
        try {
            var happened = store.happened(cursor, AT_ONCE);
            for (var one : happened) {
                if (closed) {
                    return false;
                }
                told.accept(one);
                cursor = one.cursor();
            }
            return !happened.isEmpty();
        } catch (StoreFailure failure) {
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        closing.raise();
    }
}
