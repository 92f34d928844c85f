package dev.pawl.checks.crash.storm;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.checks.crash.Sender;
import dev.pawl.failure.JobPaused;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Key;
import dev.pawl.store.StoreFailure;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;

/** A process that works through random small workflows, and is killed, frozen and cut off meanwhile. */
public final class StormWorker {
    static final Workflow<Integer, Integer> SMALL = Workflow.named("small", Integer.class, Integer.class);

    private static final Duration TERM = Duration.ofSeconds(2);
    private static final Duration SETTLE = Duration.ofMillis(300);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int AT_ONCE = 100;

    private final Sender sender;

    private StormWorker(URI tally) {
        this.sender = new Sender(tally);
    }

    /** Arguments: store's address, tally's address, number of jobs. Prints {@code finished} when all are done or ask. */
    public static void main(String[] arguments) throws InterruptedException {
        var worker = new StormWorker(URI.create(arguments[1]));
        var jobs = Integer.parseInt(arguments[2]);
        try (var pawl = opened(arguments[0])) {
            pawl.work(SMALL.implementedBy(worker::run));
            submit(pawl, jobs);
            var paused = 0;
            for (var i = 1; i <= jobs; i++) {
                paused += join(pawl, i);
            }
            System.out.println("finished paused=" + paused);
        }
    }

    /** The server may be away when we come. */
    private static Pawl opened(String address) throws InterruptedException {
        while (true) {
            try {
                return Pawl.openOrCreate(address, PawlOptions.usual().slots(16).term(TERM));
            } catch (StoreFailure failure) {
                pause();
            }
        }
    }

    private static void submit(Pawl pawl, int jobs) throws InterruptedException {
        var inputs = new LinkedHashMap<Key, Integer>();
        for (var i = 1; i <= jobs; i++) {
            inputs.put(Key.of(i), i);
            if (inputs.size() == AT_ONCE || i == jobs) {
                while (true) {
                    try {
                        pawl.submitAll(SMALL, inputs);
                        break;
                    } catch (StoreFailure failure) {
                        pause();
                    }
                }
                inputs.clear();
            }
        }
    }

    /** Whether it asks, in the end. */
    private static int join(Pawl pawl, int number) throws InterruptedException {
        while (true) {
            try {
                pawl.submit(SMALL, Key.of(number), number).join();
                return 0;
            } catch (JobPaused asks) {
                return 1;
            } catch (StoreFailure failure) {
                pause();
            }
        }
    }

    private static void pause() throws InterruptedException {
        new Signal().await(Time.system(), 0, Duration.ofMillis(200));
    }

    private int run(Job job, int number) {
        var operations = Program.of(number).operations();
        for (var n = 0; n < operations.size(); n++) {
            var name = named(Program.name(n)).timeout(TIMEOUT);
            switch (operations.get(n)) {
                case STEP -> job.step(name, Integer.class, () -> number * 2);
                case BOOK -> book(job, name, number, n);
                case ONCE ->
                    job.effect(name, idempotent(), number, String.class, (request, a) -> sender.post("/once", a));
                case SHIP ->
                    job.effect(
                            name,
                            verifiable(sender::arrived).settle(SETTLE),
                            number,
                            String.class,
                            (request, a) -> sender.post("/each", a));
                case MAIL -> job.effect(name, none(), number, String.class, (request, a) -> sender.post("/each", a));
                case NAP -> job.sleep(Program.name(n), Duration.ofMillis(20));
                case CHILD ->
                    job.call(Program.name(n), SMALL, Key.of(Program.childOf(number)), Program.childOf(number));
            }
        }
        return number;
    }

    private static void book(Job job, Named name, int number, int n) {
        job.transaction(
                name, number, TypeToken.of(Integer.class), (request, connection) -> book(connection, request, n));
    }

    private static int book(Connection connection, int number, int n) throws SQLException {
        try (var insert = connection.prepareStatement("insert into public.book (number, operation) values (?, ?)")) {
            insert.setInt(1, number);
            insert.setInt(2, n);
            return insert.executeUpdate();
        }
    }
}
