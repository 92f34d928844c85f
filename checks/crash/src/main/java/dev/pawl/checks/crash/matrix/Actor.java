package dev.pawl.checks.crash.matrix;

import dev.pawl.engine.local.EngineOptions;
import dev.pawl.engine.local.EnginePorts;
import dev.pawl.engine.local.LocalEngine;
import dev.pawl.event.Events;
import dev.pawl.gate.Rate;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that suffers: works one job of one row to its end over a store on the way to which it is tripped up. It says {@code tripped} when it
 * waits to be killed or stopped, goes on at a line from outside, and says {@code finished} with the kinds of change that it made.
 */
public final class Actor {
    static final Workflow<String, String> JOB = Workflow.named("row", String.class, String.class);
    static final Workflow<String, String> CHILD = Workflow.named("child", String.class, String.class);

    /** A trip that is not at a change: inside the act, after its last check. */
    static final String SEND = "Send";

    private static final Duration TERM = Duration.ofSeconds(1);

    /** The term of one who is not tripped up: on a slow machine it loses its lease all the same if that is short. */
    private static final Duration LONG_TERM = Duration.ofSeconds(20);

    private static final Duration FOR_EVER = Duration.ofDays(1);

    private Actor() {}

    static Identity identity(Row row) {
        return new Identity(JOB.name(), Key.of(row.name()));
    }

    /** Arguments: folder, the tally's address, row, how often to trip, trips. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var folder = Path.of(arguments[0]);
        var row = Row.valueOf(arguments[2]);
        var trips = new ArrayList<Trip>();
        for (var trip : List.of(arguments).subList(4, arguments.length)) {
            trips.add(Trip.parse(trip));
        }
        var freezes = trips.stream().anyMatch(trip -> trip.change().equals(SEND));
        var calm = trips.isEmpty();
        var timeout = calm ? Witness.LONG_TIMEOUT : Witness.TIMEOUT;
        var witness = new Witness(URI.create(arguments[1]), folder, timeout, freezes, () -> stumble(trips.getFirst()));
        try (var file = SqliteStore.open(folder.resolve("pawl.db"), Time.system())) {
            var store = new TrippingStore(file, trips, Integer.parseInt(arguments[3]), Actor::stumble);
            var options = EngineOptions.usual("actor-" + ProcessHandle.current().pid())
                    .slots(4)
                    .term(calm ? LONG_TERM : TERM)
                    .poll(Duration.ofMillis(50))
                    .grace(Duration.ofSeconds(1))
                    .rate(new Rate("provider", 1, Duration.ofMillis(300)));
            try (var engine = new LocalEngine(store, EnginePorts.system(Events.NOWHERE), options)) {
                engine.work(List.of(
                        JOB.implementedBy((job, input) -> row.run(job, witness)),
                        CHILD.implementedBy((job, input) -> Row.IDEMPOTENT.run(job, witness))));
                new Person(row, engine, store, witness).seeItThrough(identity(row));
                store.linger();
            }
            System.out.println("finished " + String.join(",", store.made()));
        } catch (StoreFailure e) {
            System.out.println(Trial.BLOCKED);
        }
    }

    /** Says so, and waits: for ever, or for a line from outside after it was stopped and continued. */
    private static void stumble(Trip trip) {
        System.out.println("tripped");
        System.out.flush();
        try {
            if (trip.how() == Trip.How.STOP && System.in.read() >= 0) {
                return;
            }
            new Signal().await(Time.system(), 0, FOR_EVER);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the one who trips is gone", e);
        }
    }
}
