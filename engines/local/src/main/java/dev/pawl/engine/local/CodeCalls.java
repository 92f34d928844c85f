package dev.pawl.engine.local;

import dev.pawl.cost.Use;
import dev.pawl.failure.LeaseLost;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.Rejected;
import dev.pawl.failure.ResultNotKept;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Logs;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.Values;
import dev.pawl.key.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Calls the code of steps and effects for one thread of a run: watched, so that it ends when it takes too long, and heard, so that what it uses and writes
 * meanwhile is kept. Called by that thread alone, but for {@link #use} and {@link #log}, which threads of the code may call too.
 */
final class CodeCalls {
    private final RunContext context;
    private final Watchdog.WatchedThread watched;
    private final List<Use> uses = new ArrayList<>();
    private final StringBuilder written = new StringBuilder();
    private List<Use> usedLast = List.of();
    private boolean saidByResult;
    private Duration took = Duration.ZERO;
    private volatile boolean inside;

    /** Calls of the calling thread. */
    CodeCalls(RunContext context) {
        this.context = context;
        this.watched = context.watchdog().register(context.slot());
    }

    /** Nobody watches this thread any more. */
    void close() {
        watched.close();
    }

    /** Whether a step or an effect runs now. */
    boolean inside() {
        return inside;
    }

    /** How long the attempt that has just ended took. */
    Duration took() {
        return took;
    }

    /** Another attempt is heard of: nothing was used in it yet, and no time has passed. */
    void beginsAnother() {
        synchronized (uses) {
            usedLast = List.of();
        }
        took = Duration.ZERO;
    }

    /** What the attempt that has just ended told that it used. */
    List<Use> usedLast() {
        synchronized (uses) {
            return usedLast;
        }
    }

    /** Calls the code of an attempt at {@code place}, or of a look, watched, with the job out of its reach. */
    <T> UserCode.CodeOutcome<T> call(Place place, int number, Duration longest, Callable<T> code) {
        var time = context.ports().time();
        var start = time.nanos();
        inside = true;
        watched.begin(
                longest, (since, stack) -> context.log().overdue(context.job(), place, number, longest, since, stack));
        UserCode.CodeOutcome<T> outcome;
        try {
            outcome = UserCode.call(code);
        } finally {
            synchronized (uses) {
                inside = false;
                usedLast = List.copyOf(uses);
            }
            took = Duration.ofNanos(time.nanos() - start);
        }
        var late = watched.end();
        if (outcome instanceof UserCode.CodeOutcome.Threw<T>(LeaseLost gone)
                && context.journal().lost() != null) {
            // Nobody has failed: the job is somebody else's.
            throw gone;
        }
        if (late && outcome instanceof UserCode.CodeOutcome.Threw<T> threw && !saysWhatBecameOfIt(threw.thrown())) {
            return new UserCode.CodeOutcome.Threw<>(new TimedOut(longest, threw.thrown()));
        }
        if (outcome instanceof UserCode.CodeOutcome.Returned<T> returned) {
            keepOnce(returned.value());
        }
        return outcome;
    }

    /** The effect's own word stands, however late it comes. */
    private static boolean saysWhatBecameOfIt(Throwable thrown) {
        return thrown instanceof NotSent || thrown instanceof Rejected || thrown instanceof ResultNotKept;
    }

    /** What an attempt wrote is not kept beside a result that says the same. */
    private void keepOnce(@Nullable Object result) {
        synchronized (uses) {
            try {
                saidByResult = !written.isEmpty() && Logs.isSaidBy(written.toString(), Values.write(result));
            } catch (JsonMismatch e) {
                // A result that cannot be kept says nothing.
            }
        }
    }

    /** What the attempt that has just ended wrote, told once; null when it wrote nothing. */
    Entry.@Nullable Logged logged(Place place, int number) {
        synchronized (uses) {
            if (written.isEmpty()) {
                return null;
            }
            var logged = new Entry.Logged(place, number, saidByResult ? "" : written.toString());
            written.setLength(0);
            saidByResult = false;
            return logged;
        }
    }

    /** What the attempt that has just ended used, told once; null when it used nothing. */
    Entry.@Nullable Used used(Place place, int number) {
        synchronized (uses) {
            if (uses.isEmpty()) {
                return null;
            }
            var used = new Entry.Used(place, number, uses, took);
            uses.clear();
            return used;
        }
    }

    /** The code tells what it used; it is priced by the table of now. */
    void use(Use use) {
        synchronized (uses) {
            if (!inside) {
                throw new IllegalStateException("job " + context.identity()
                        + " told what it used outside a step or an effect; tell it inside the one that used it");
            }
            uses.add(context.prices().price(use));
        }
    }

    /** The code writes something for people. */
    void log(String text) {
        synchronized (uses) {
            if (!inside) {
                throw new IllegalStateException("job " + context.identity()
                        + " logs outside a step or an effect; do it inside the one that wrote it");
            }
            written.append(text);
            written.delete(0, Math.max(0, written.length() - Entry.Logged.MOST_CHARS));
        }
    }
}
