package dev.pawl.checks.crash;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.Submission;
import dev.pawl.failure.JobPaused;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;

/** The process that is killed: works through so many jobs, each with a step, a transaction and an effect of every contract. */
public final class Worker {

    /** The workflow of every job here. */
    public static final Workflow<Integer, String> ORDER = Workflow.named("order", Integer.class, String.class);

    private static final Duration TERM = Duration.ofSeconds(2);
    private static final Duration SETTLE = Duration.ofMillis(300);

    private final Sender sender;

    private Worker(URI tally) {
        this.sender = new Sender(tally);
    }

    /** Arguments: store file, tally's address, number of jobs. Prints {@code finished} when all are done or ask. */
    public static void main(String[] arguments) throws InterruptedException {
        var worker = new Worker(URI.create(arguments[1]));
        var options = PawlOptions.usual().slots(4).term(TERM);
        try (var pawl = Pawl.openOrCreate(Path.of(arguments[0]), options)) {
            pawl.work(ORDER.implementedBy(worker::order));
            var jobs = new ArrayList<Submission<String>>();
            for (var i = 1; i <= Integer.parseInt(arguments[2]); i++) {
                jobs.add(pawl.submit(ORDER, Key.of(i), i));
            }
            var paused = 0;
            for (var job : jobs) {
                try {
                    job.join();
                } catch (JobPaused e) {
                    paused++;
                }
            }
            System.out.println("finished paused=" + paused);
        }
    }

    private String order(Job job, int number) {
        job.step("think", Integer.class, () -> number * 2);
        job.transaction("book", number, Integer.class, Worker::book);
        job.effect(named("charge"), idempotent(), number, String.class, (request, a) -> sender.post("/once", a));
        job.effect(
                named("ship").timeout(Duration.ofSeconds(3)),
                verifiable(sender::arrived).settle(SETTLE),
                number,
                String.class,
                (request, a) -> sender.post("/each", a));
        return job.effect(
                named("mail").timeout(Duration.ofSeconds(3)),
                none(),
                number,
                String.class,
                (request, a) -> sender.post("/each", a));
    }

    private static int book(int number, Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("create table if not exists book (number integer)");
        }
        try (var insert = connection.prepareStatement("insert into book values (?)")) {
            insert.setInt(1, number);
            return insert.executeUpdate();
        }
    }
}
