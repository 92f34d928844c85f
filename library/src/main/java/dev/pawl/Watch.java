package dev.pawl;

import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Follows what happens to jobs, on a thread of its own, from a cursor on: nothing is missed and nothing told twice. Closing it ends it. */
public final class Watch implements AutoCloseable {
    private final Followers followers;
    private final Predicate<Occurrence> wanted;
    private final Consumer<Occurrence> told;
    private final Signal news = new Signal();
    private volatile List<Occurrence> heard = List.of();
    private volatile Cursor cursor;
    private volatile boolean closed;

    Watch(Followers followers, Cursor from, Predicate<Occurrence> wanted, Consumer<Occurrence> told) {
        this.followers = followers;
        this.cursor = from;
        this.wanted = wanted;
        this.told = told;
        followers.add(this);
        Thread.ofVirtual().name("pawl-watch").start(this::follow);
    }

    /** How far it has told: to go on from later, also in another process. */
    public Cursor cursor() {
        return cursor;
    }

    private void follow() {
        try {
            while (true) {
                var seen = news.count();
                // Closed after this, it is told so; closed before, it is seen here.
                if (closed) {
                    return;
                }
                followers.await(this);
                news.await(Time.system(), seen, Duration.ofDays(1));
                tell();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            followers.leave(this);
        }
    }

    private void tell() {
        for (var one : heard) {
            if (closed) {
                return;
            }
            if (wanted.test(one)) {
                told.accept(one);
            }
            cursor = one.cursor();
        }
        heard = List.of();
    }

    /** What has happened behind its cursor; it is asked for nothing more until it has told this. */
    void hear(List<Occurrence> happened) {
        heard = happened;
        news.raise();
    }

    @Override
    public void close() {
        closed = true;
        followers.leave(this);
        news.raise();
    }
}
