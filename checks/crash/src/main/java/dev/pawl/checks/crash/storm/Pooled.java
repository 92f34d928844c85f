package dev.pawl.checks.crash.storm;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.Submission;
import dev.pawl.event.Events;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Key;
import dev.pawl.testkit.postgres.Port;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two workers behind a real PgBouncer in transaction mode, each with a pool of one connection: every transaction may run on another connection than the one before,
 * and whoever held one while it waited for a second would wait for ever.
 */
public final class Pooled {
    private static final Workflow<Integer, Integer> SMALL = Workflow.named("small", Integer.class, Integer.class);
    private static final Time TIME = Time.system();

    private Pooled() {}

    /** Arguments: a folder to work in, PgBouncer's program, how many jobs. Prints one line of JSON. */
    public static void main(String[] arguments) throws Exception {
        var start = TIME.nanos();
        var jobs = Integer.parseInt(arguments[2]);
        var sent = new AtomicInteger();
        try (var server = PostgresServer.start();
                var free = Port.take()) {
            var port = free.number();
            var pooler = start(Path.of(arguments[0]), arguments[1], port, server.port());
            try {
                run(server.url(), "create table book (number int not null)");
                work(port, jobs, sent);
            } finally {
                pooler.destroy();
            }
            var booked = number(server.url(), "select count(distinct number) from book");
            var twice = number(server.url(), "select count(*) - count(distinct number) from book");
            var done = number(server.url(), "select count(*) from pawl.job where state = 4");
            System.out.printf(
                    "{\"name\":\"pgbouncer\",\"runs\":%d,\"lost\":%d,\"duplicated\":%d,\"stuck\":%d,\"paused\":0,\"seeds\":0,\"seconds\":%d}%n",
                    done,
                    jobs - booked,
                    twice,
                    jobs - done,
                    Duration.ofNanos(TIME.nanos() - start).toSeconds());
            System.exit(done == jobs && booked == jobs && twice == 0 && sent.get() == jobs ? 0 : 1);
        }
    }

    private static Process start(Path folder, String program, int port, int server) throws IOException {
        var settings = folder.resolve("pgbouncer.ini");
        Files.writeString(settings, """
                [databases]
                one = host=127.0.0.1 port=%1$d dbname=postgres user=postgres pool_size=1
                two = host=127.0.0.1 port=%1$d dbname=postgres user=postgres pool_size=1
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %2$d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                max_client_conn = 200
                ignore_startup_parameters = extra_float_digits
                """.formatted(server, port));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var command = new ArrayList<>(List.of(program, settings.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(1, List.of("-u", "nobody"));
        }
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var log = process.inputReader();
        for (var line = log.readLine(); !line.contains("process up"); line = log.readLine()) {
            // It says what it reads first.
        }
        Thread.ofVirtual().start(() -> drain(log));
        return process;
    }

    private static void drain(BufferedReader log) {
        try {
            log.lines().forEach(line -> {});
        } catch (UncheckedIOException e) {
            // It was ended.
        }
    }

    private static void work(int port, int jobs, AtomicInteger sent) throws InterruptedException {
        var options = PawlOptions.usual().slots(8).log(Events.NOWHERE);
        try (var one = Pawl.openOrCreate("jdbc:postgresql://127.0.0.1:" + port + "/one?user=postgres", options);
                var two = Pawl.openOrCreate("jdbc:postgresql://127.0.0.1:" + port + "/two?user=postgres", options)) {
            one.work(SMALL.implementedBy((job, number) -> small(job, number, sent)));
            two.work(SMALL.implementedBy((job, number) -> small(job, number, sent)));
            var submitted = new ArrayList<Submission<Integer>>();
            for (var i = 0; i < jobs; i++) {
                submitted.add((i % 2 == 0 ? one : two).submit(SMALL, Key.of(i), i));
            }
            for (var job : submitted) {
                job.join();
            }
        }
    }

    private static int small(Job job, int number, AtomicInteger sent) {
        job.step("think", Integer.class, () -> number * 2);
        job.transaction(named("book"), number, TypeToken.of(Integer.class), (request, connection) -> {
            try (var insert = connection.prepareStatement("insert into public.book values (?)")) {
                insert.setInt(1, request);
                return insert.executeUpdate();
            }
        });
        return job.effect("send", idempotent(), number, Integer.class, (request, a) -> {
            sent.incrementAndGet();
            return request;
        });
    }

    private static void run(String url, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int number(String url, String query) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }
}
