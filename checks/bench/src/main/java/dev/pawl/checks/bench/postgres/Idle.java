package dev.pawl.checks.bench.postgres;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** From submitting a job to the first line of its first step, on a worker that has nothing to do and is somebody else's. */
final class Idle {
    private static final Time TIME = Time.system();
    private static final Duration BETWEEN = Duration.ofMillis(25);
    private static final Workflow<Integer, Integer> ONE = Workflow.named("one", Integer.class, Integer.class);

    private final Map<Integer, CountDownLatch> waiting = new ConcurrentHashMap<>();
    private final Map<Integer, Long> begun = new ConcurrentHashMap<>();

    /** How a job comes to be there. */
    private interface Submitting {
        void submit(int number) throws SQLException;
    }

    /** Milliseconds, with the submission's own commit. */
    static List<Double> told(Database database, int samples) throws Exception {
        try (var worker = open(database);
                var submitter = open(database)) {
            return new Idle().measure(worker, samples, number -> submitter.submit(ONE, Key.of(number), number));
        }
    }

    /** The same where nobody tells anybody: rows that appear. */
    static List<Double> polling(Database database, int samples) throws Exception {
        try (var worker = open(database);
                var connection = database.connect()) {
            worker.submit(ONE, Key.of("first"), -1);
            return new Idle().measure(worker, samples, number -> {
                var identity = new Identity(ONE.name(), Key.of(number));
                try (var statement = connection.prepareStatement(
                        "with new as (insert into pawl.job (workflow, key, input, state, created, changed, due, claim_group)"
                                + " select workflow, ?, ?, 0, created, changed, 1, claim_group from pawl.job order by seq limit 1 returning seq)"
                                + " insert into pawl.identified (identity, job) select ?, seq from new")) {
                    statement.setString(1, identity.key().encoded());
                    statement.setString(2, Integer.toString(number));
                    statement.setString(3, identity.hash());
                    statement.executeUpdate();
                }
            });
        }
    }

    private static Pawl open(Database database) {
        return Pawl.openOrCreate(database.url(), PawlOptions.usual().slots(4).log(Events.NOWHERE));
    }

    private List<Double> measure(Pawl worker, int samples, Submitting submitting) throws Exception {
        worker.work(ONE.implementedBy((job, number) -> job.step("first", Integer.class, () -> {
            begun.put(number, TIME.nanos());
            var latch = waiting.get(number);
            if (latch != null) {
                latch.countDown();
            }
            return number;
        })));
        var times = new ArrayList<Double>();
        // The first third is for the machine code.
        for (var i = 0; i < samples + samples / 2; i++) {
            TIME.await(BETWEEN.plusMillis(i % 7));
            var latch = new CountDownLatch(1);
            waiting.put(i, latch);
            var start = TIME.nanos();
            submitting.submit(i);
            latch.await();
            times.add((begun.getOrDefault(i, start) - start) / 1e6);
        }
        return times.subList(samples / 2, times.size());
    }
}
