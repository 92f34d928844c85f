package dev.pawl.checks.bench.postgres;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** Three worker processes, one of which is killed: how long until all that it had runs elsewhere. */
public final class Takeover {
    private static final Time TIME = Time.system();
    private static final Duration TERM = Duration.ofSeconds(3);
    private static final int WORKERS = 3;
    private static final int SLOTS = 16;
    private static final int JOBS = 24;
    private static final Workflow<Integer, String> HOLD = Workflow.named("hold", Integer.class, String.class);

    private Takeover() {}

    /** A worker that holds whatever it takes. */
    public static void main(String[] arguments) throws Exception {
        var options = PawlOptions.usual().slots(SLOTS).term(TERM).log(Events.NOWHERE);
        try (var pawl = Pawl.openOrCreate(arguments[0], options)) {
            pawl.work(HOLD.implementedBy((job, input) -> {
                // Without anything recorded it would be a suspect afterwards, and those are taken one by one.
                job.step("progress", String.class, () -> "");
                return job.step("hold", String.class, () -> {
                    TIME.await(Duration.ofHours(1));
                    return "";
                });
            }));
            TIME.await(Duration.ofHours(1));
        }
    }

    /** In terms of the lease. */
    static double measure(Database database) throws Exception {
        try (var pawl = PawlContender.open(database, 1)) {
            var inputs = new HashMap<Key, Integer>();
            for (var i = 0; i < JOBS; i++) {
                inputs.put(Key.of(i), 1);
            }
            pawl.submitAll(HOLD, inputs);
        }
        var workers = new ArrayList<Process>();
        try {
            for (var i = 0; i < WORKERS; i++) {
                workers.add(start(database));
            }
            await(database, "select " + JOBS + " - count(*) from pawl.journal");
            var victim = database.number("select owner from pawl.job group by owner order by count(*) desc limit 1");
            var name = name(database, victim);
            var held = held(database, victim);
            var process = workers.stream()
                    .filter(one -> name.contains(Long.toString(one.pid())))
                    .findAny()
                    .orElseThrow();
            process.destroyForcibly().waitFor();
            var start = TIME.nanos();
            await(
                    database,
                    "select count(*) from pawl.job where seq in (" + held + ") and (state <> 1 or owner = " + victim
                            + ")");
            return (TIME.nanos() - start) / (double) TERM.toNanos();
        } finally {
            workers.forEach(Process::destroyForcibly);
        }
    }

    private static String name(Database database, long worker) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select name from pawl.worker where id = " + worker)) {
            row.next();
            return row.getString(1);
        }
    }

    private static String held(Database database, long worker) throws SQLException {
        var jobs = new ArrayList<String>();
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select seq from pawl.job where owner = " + worker)) {
            while (rows.next()) {
                jobs.add(rows.getString(1));
            }
        }
        return String.join(", ", jobs);
    }

    /** Until there are none. */
    private static void await(Database database, String count) throws Exception {
        while (database.number(count) > 0) {
            TIME.await(Duration.ofMillis(10));
        }
    }

    private static Process start(Database database) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Takeover.class.getName(),
                        database.url()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
