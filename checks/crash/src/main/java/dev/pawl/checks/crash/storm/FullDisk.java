package dev.pawl.checks.crash.storm;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.Submission;
import dev.pawl.event.Event;
import dev.pawl.event.Events;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/** The disk of the server is full: workers say so once and wait; when there is room again they go on, and nothing is lost or done twice. */
public final class FullDisk {
    private static final Workflow<Integer, Integer> BIG = Workflow.named("big", Integer.class, Integer.class);
    private static final int MEGABYTES = 200;
    private static final int JOBS = 60;

    private FullDisk() {}

    /** Prints one line of JSON. */
    public static void main(String[] arguments) throws Exception {
        var events = new CopyOnWriteArrayList<Event>();
        var done = 0;
        List<String> broken = new ArrayList<>();
        try (var server = PostgresServer.startOnSmallDisk(MEGABYTES);
                var pawl = Pawl.openOrCreate(
                        server.url(),
                        PawlOptions.usual().slots(8).term(Duration.ofSeconds(4)).log(telling(events)))) {
            var submitted = new ArrayList<Submission<Integer>>();
            for (var i = 0; i < JOBS; i++) {
                submitted.add(pawl.submit(BIG, Key.of(i), i));
            }
            fill(server, broken);
            pawl.work(BIG.implementedBy((job, number) -> {
                var text = job.step("much", String.class, () -> incompressible(number));
                return job.step("length", Integer.class, text::length);
            }));
            var until = Time.system().nanos() + Duration.ofSeconds(90).toNanos();
            while (troubles(events).isEmpty() && Time.system().nanos() < until) {
                Time.system().await(Duration.ofMillis(50));
            }
            // Long enough to say it many times.
            Time.system().await(Duration.ofSeconds(6));
            var said = troubles(events);
            if (said.size() != 1 || !said.getFirst().contains("is full")) {
                broken.add("said " + said);
            }
            free(server);
            for (var one : submitted) {
                if (one.join(Duration.ofSeconds(60))
                        .filter(length -> length == 400_000)
                        .isPresent()) {
                    done++;
                }
            }
        }
        System.out.printf(
                "{\"name\":\"full-disk\",\"runs\":%d,\"lost\":%d,\"said\":%d,\"broken\":%d}%n",
                JOBS, JOBS - done, troubles(events).size(), broken.size());
        broken.forEach(System.err::println);
        System.exit(broken.isEmpty() && done == JOBS ? 0 : 1);
    }

    private static Events telling(List<Event> events) {
        return events::add;
    }

    private static List<String> troubles(List<Event> events) {
        return events.stream()
                .filter(event -> event.name().equals("store-failed"))
                .map(Event::toString)
                .toList();
    }

    private static String incompressible(int number) {
        var bytes = new byte[200_000];
        new Random(number).nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Takes all the room there is, but for what the log has already. */
    private static void fill(PostgresServer server, List<String> broken) throws SQLException {
        try (var connection = DriverManager.getConnection(server.url());
                var statement = connection.createStatement()) {
            statement.execute(
                    "copy (select repeat('x', 1000000) from generate_series(1, 1000)) to program 'cat > ballast'");
            broken.add("the disk is larger than it should be");
        } catch (SQLException full) {
            // As it should be.
        }
    }

    private static void free(PostgresServer server) throws SQLException {
        try (var connection = DriverManager.getConnection(server.url());
                var statement = connection.createStatement()) {
            statement.execute("copy (select 1) to program 'cat > /dev/null; rm ballast'");
        }
    }
}
