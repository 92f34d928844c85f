package dev.pawl;

import dev.pawl.cost.Prices;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.event.Events;
import dev.pawl.gate.Rate;
import dev.pawl.store.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a process works.
 *
 * @param engineOptions how many jobs at once, for how long a lease is good
 * @param events where events go
 * @param givesUp hears why, when it can work no more: it cannot keep its lease, or its store is gone. Whoever waits for a job is told after that
 * @param named how commands that are printed to be typed name the store, with a space before it; null as the store itself says
 */
public record PawlOptions(
        EngineOptions engineOptions,
        Events events,
        Consumer<StoreFailure> givesUp,
        @Nullable String named) {
    private static final String MARK = UUID.randomUUID().toString().substring(0, 6);

    /** Options of one who does nothing about it when it can work no more. */
    public PawlOptions(EngineOptions engineOptions, Events events) {
        this(engineOptions, events, why -> {}, null);
    }

    /** Sixteen jobs at once, a lease of 30 seconds, events to the logger {@code dev.pawl.events}. */
    public static PawlOptions usual() {
        return new PawlOptions(EngineOptions.usual(name()), new LoggedEvents());
    }

    /** Process and machine; and six digits, because containers of one image share both, each with its only process 1 or 7. */
    private static String name() {
        return "pawl-" + ProcessHandle.current().pid() + host() + "-" + MARK;
    }

    private static String host() {
        var host = ThisProcess.host();
        return host.isEmpty() ? "" : "@" + host;
    }

    /** The same with this many jobs at once. */
    public PawlOptions slots(int atOnce) {
        return new PawlOptions(engineOptions.slots(atOnce), events, givesUp, named);
    }

    /** The same with this long a lease. */
    public PawlOptions term(Duration longest) {
        return new PawlOptions(engineOptions.term(longest), events, givesUp, named);
    }

    /** The same with this long to finish when it is closed. */
    public PawlOptions grace(Duration longest) {
        return new PawlOptions(engineOptions.grace(longest), events, givesUp, named);
    }

    /** The same, taking jobs from these queues only. */
    public PawlOptions queues(String... only) {
        return new PawlOptions(engineOptions.queues(List.of(only)), events, givesUp, named);
    }

    /** The same, taking jobs on behalf of these principals only. */
    public PawlOptions principals(String... only) {
        return new PawlOptions(engineOptions.principals(List.of(only)), events, givesUp, named);
    }

    /** The same with these prices, and not those that the store keeps for everybody; what has none has an unknown cost. */
    public PawlOptions prices(Prices table) {
        return new PawlOptions(engineOptions.prices(table), events, givesUp, named);
    }

    /** The same with a rate more: how often something may be begun, in all processes together. */
    public PawlOptions rate(Rate one) {
        return new PawlOptions(engineOptions.rate(one), events, givesUp, named);
    }

    /** The same with events going elsewhere. */
    public PawlOptions events(Events elsewhere) {
        return new PawlOptions(engineOptions, elsewhere, givesUp, named);
    }

    /** The same, and {@code heard} hears why when it can work no more; a process that is there for nothing else had better end then. At most once, on any thread. */
    public PawlOptions whenItGivesUp(Consumer<StoreFailure> heard) {
        return new PawlOptions(engineOptions, events, heard, named);
    }

    /** The same, and commands that are printed to be typed name the store so, with a space before it: empty where {@code pawl} finds it by itself. */
    public PawlOptions named(String option) {
        return new PawlOptions(engineOptions, events, givesUp, option);
    }
}
