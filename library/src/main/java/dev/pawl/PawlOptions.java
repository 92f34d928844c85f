package dev.pawl;

import dev.pawl.cost.Prices;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.event.AttemptListener;
import dev.pawl.event.Events;
import dev.pawl.gate.Rate;
import dev.pawl.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a process works.
 *
 * @param engineOptions how many jobs at once, for how long a lease is good
 * @param hearing who hears of what happens here
 * @param givesUp hears why, when it can work no more: it cannot keep its lease, or its store is gone. Whoever waits for a job is told after that
 * @param named how commands that are printed to be typed name the store, with a space before it; null as the store itself says
 */
public record PawlOptions(
        EngineOptions engineOptions,
        Hearing hearing,
        Consumer<StoreFailure> givesUp,
        @Nullable String named) {
    private static final String MARK = UUID.randomUUID().toString().substring(0, 6);

    /**
     * Who hears of what happens here.
     *
     * @param log where every event goes
     * @param listeners who hears of every event besides
     * @param attempts who hears of attempts and runs
     */
    public record Hearing(Events log, List<Events> listeners, List<AttemptListener> attempts) {
        public Hearing {
            listeners = List.copyOf(listeners);
            attempts = List.copyOf(attempts);
        }

        /** The log and all listeners. */
        Events all() {
            var everybody = log;
            for (var listener : listeners) {
                everybody = everybody.and(listener);
            }
            return everybody;
        }

        /** The MDC goes with the logger. */
        private Hearing log(Events elsewhere) {
            var others = attempts.stream()
                    .filter(listener -> !(listener instanceof JobInLogs))
                    .toList();
            return new Hearing(elsewhere, listeners, others);
        }

        private Hearing listening(Events listener) {
            return new Hearing(log, more(listeners, listener), attempts);
        }

        private Hearing around(AttemptListener ofAttempts) {
            return new Hearing(log, listeners, more(attempts, ofAttempts));
        }

        private static <T> List<T> more(List<T> some, T another) {
            var all = new ArrayList<>(some);
            all.add(another);
            return all;
        }
    }

    /** Options of one who does nothing about it when it can work no more. */
    public PawlOptions(EngineOptions engineOptions, Events log) {
        this(engineOptions, new Hearing(log, List.of(), List.of()), why -> {}, null);
    }

    /** Sixteen jobs at once, a lease of 30 seconds, events to the logger {@code dev.pawl.events}; the MDC says in a job's code which job it is ({@code pawl.job}, {@code pawl.step}, …). */
    public static PawlOptions usual() {
        return new PawlOptions(EngineOptions.usual(name()), new LoggedEvents()).around(new JobInLogs());
    }

    /** Process and machine; and six digits, because containers of one image share both, each with its only process 1 or 7. */
    private static String name() {
        return "pawl-" + ProcessHandle.current().pid() + host() + "-" + MARK;
    }

    private static String host() {
        var host = ThisProcess.host();
        return host.isEmpty() ? "" : "@" + host;
    }

    private PawlOptions with(EngineOptions others) {
        return new PawlOptions(others, hearing, givesUp, named);
    }

    /** The same with this many jobs at once. */
    public PawlOptions slots(int atOnce) {
        return with(engineOptions.slots(atOnce));
    }

    /** The same with this long a lease. */
    public PawlOptions term(Duration longest) {
        return with(engineOptions.term(longest));
    }

    /** The same with this long to finish when it is closed. */
    public PawlOptions grace(Duration longest) {
        return with(engineOptions.grace(longest));
    }

    /** The same, taking jobs from these queues only. */
    public PawlOptions queues(String... only) {
        return with(engineOptions.queues(List.of(only)));
    }

    /** The same, taking jobs on behalf of these principals only. */
    public PawlOptions principals(String... only) {
        return with(engineOptions.principals(List.of(only)));
    }

    /** The same with these prices, and not those that the store keeps for everybody; what has none has an unknown cost. */
    public PawlOptions prices(Prices table) {
        return with(engineOptions.prices(table));
    }

    /** The same with a rate more: how often something may be begun, in all processes together. */
    public PawlOptions rate(Rate one) {
        return with(engineOptions.rate(one));
    }

    /** The same, and {@code listener} hears of every event too: it is added to the log and to whoever listens already. */
    public PawlOptions listening(Events listener) {
        return new PawlOptions(engineOptions, hearing.listening(listener), givesUp, named);
    }

    /** The same, and {@code ofAttempts} hears of every attempt that is made here: for traces and metrics. */
    public PawlOptions around(AttemptListener ofAttempts) {
        return new PawlOptions(engineOptions, hearing.around(ofAttempts), givesUp, named);
    }

    /** The same with a log of one's own in the place of the logger {@code dev.pawl.events}, and nothing in the MDC: for a program that logs in another way. */
    public PawlOptions log(Events elsewhere) {
        return new PawlOptions(engineOptions, hearing.log(elsewhere), givesUp, named);
    }

    /** The same, and {@code heard} hears why when it can work no more; a process that is there for nothing else had better end then. At most once, on any thread. */
    public PawlOptions whenItGivesUp(Consumer<StoreFailure> heard) {
        return new PawlOptions(engineOptions, hearing, heard, named);
    }

    /** The same, and commands that are printed to be typed name the store so, with a space before it: empty where {@code pawl} finds it by itself. */
    public PawlOptions named(String option) {
        return new PawlOptions(engineOptions, hearing, givesUp, option);
    }
}
