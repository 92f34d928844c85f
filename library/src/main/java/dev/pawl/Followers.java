package dev.pawl;

import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks on behalf of all who follow what happens in a store: one look for all that have come equally far, however many they are. Whoever is still busy with what
 * it was told is waited for by nobody. Thread-safe.
 */
final class Followers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Followers.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    static final int AT_ONCE = 1_000;

    private final Store store;
    private final Signal news = new Signal();
    private final Set<Watch> waiting = new LinkedHashSet<>();
    private final Set<Watch> all = ConcurrentHashMap.newKeySet();
    private boolean looking;
    private boolean closed;

    Followers(Store store) {
        this.store = store;
    }

    /** {@code watch} will want to hear of things until it leaves. */
    void add(Watch watch) {
        all.add(watch);
    }

    /** {@code watch} wants to hear what comes behind its cursor. */
    void await(Watch watch) {
        synchronized (waiting) {
            if (closed) {
                return;
            }
            waiting.add(watch);
            if (!looking) {
                looking = true;
                Thread.ofVirtual().name("pawl-followers").start(this::look);
            }
        }
        news.raise();
    }

    /** {@code watch} wants nothing more. */
    void leave(Watch watch) {
        all.remove(watch);
        synchronized (waiting) {
            waiting.remove(watch);
        }
        news.raise();
    }

    private void look() {
        try {
            while (true) {
                var seen = news.count();
                var byCursor = whoWaits();
                if (byCursor.isEmpty()) {
                    if (isOver()) {
                        return;
                    }
                    news.await(Time.system(), seen, Duration.ofDays(1));
                    continue;
                }
                var any = false;
                for (var alike : byCursor.entrySet()) {
                    any |= tell(alike.getKey(), alike.getValue());
                }
                if (!any) {
                    news.await(Time.system(), seen, BETWEEN_LOOKS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isOver() {
        synchronized (waiting) {
            return closed;
        }
    }

    private Map<Cursor, Set<Watch>> whoWaits() {
        var byCursor = new HashMap<Cursor, Set<Watch>>();
        synchronized (waiting) {
            for (var watch : waiting) {
                byCursor.computeIfAbsent(watch.cursor(), unused -> new LinkedHashSet<>())
                        .add(watch);
            }
        }
        return byCursor;
    }

    /** Tells what has happened since; false when nothing has, or the store does not answer at the moment. */
    private boolean tell(Cursor cursor, Set<Watch> alike) {
        List<Occurrence> happened;
        try {
            happened = store.happened(cursor, AT_ONCE);
        } catch (StoreFailure failure) {
            return false;
        } catch (RuntimeException unreadable) {
            // One who cannot be told, because of what it asks or of what lies there, holds up nobody else.
            LOG.warn("what happened after {} cannot be told: {}", cursor, unreadable.toString());
            return false;
        }
        if (happened.isEmpty()) {
            return false;
        }
        synchronized (waiting) {
            alike.retainAll(waiting);
            waiting.removeAll(alike);
        }
        alike.forEach(watch -> watch.hear(happened));
        return true;
    }

    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
            waiting.clear();
        }
        all.forEach(Watch::close);
        news.raise();
    }
}
