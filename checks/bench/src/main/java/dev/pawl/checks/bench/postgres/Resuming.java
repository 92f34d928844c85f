package dev.pawl.checks.bench.postgres;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Queue;
import dev.dbos.transact.workflow.Workflow;
import dev.pawl.checks.bench.Resume;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * W3 on PostgreSQL. What Pawl takes is from one failure of step 1,001 to the next: recorded, released, claimed, replayed. What DBOS takes is less: from the
 * first line of the workflow to step 1,001, without the time in its queue.
 */
final class Resuming {
    private static final Time TIME = Time.system();
    private static final String QUEUE = "w3";
    private static final String JOB = "job";

    private Resuming() {}

    static Resume.Times pawl(Database database, int rounds) throws InterruptedException {
        try (var pawl = PawlContender.open(database, 1);
                var store = PostgresStore.open(database.url())) {
            return Resume.measure(pawl, store, rounds);
        }
    }

    /** Workflows are the methods of an interface. */
    public interface Work {
        String thousandSteps();
    }

    /** How it is implemented. */
    public static final class Working implements Work {
        private final DBOS dbos;
        private final List<Double> resumed = Collections.synchronizedList(new ArrayList<>());
        private final Semaphore reached = new Semaphore(0);
        private final Semaphore cancelled = new Semaphore(0);

        Working(DBOS dbos) {
            this.dbos = dbos;
        }

        @Override
        @Workflow(name = "w3")
        public String thousandSteps() {
            var start = TIME.nanos();
            for (var n = 1; n <= Resume.RECORDS; n++) {
                dbos.runStep(() -> Contender.VALUE, "step-" + n);
            }
            resumed.add((TIME.nanos() - start) / 1e6);
            reached.release();
            cancelled.acquireUninterruptibly();
            return dbos.runStep(() -> Contender.VALUE, "next");
        }
    }

    /** Milliseconds of each, the first of them without anything to replay. */
    static List<Double> dbos(Database database, int rounds) throws InterruptedException, SQLException {
        var pool = database.pool(Dbos.CONNECTIONS);
        var dbos = new DBOS(DBOSConfig.defaults("bench")
                .withDataSource(pool)
                .withAppVersion("1")
                .withExecutorId("local"));
        dbos.registerQueue(new Queue(QUEUE).withPollingInterval(Duration.ofMillis(10)));
        var working = new Working(dbos);
        var work = dbos.registerProxy(Work.class, working);
        dbos.launch();
        try {
            dbos.startWorkflow(work::thousandSteps, new StartWorkflowOptions(JOB).withQueue(QUEUE));
            for (var i = 0; i < rounds; i++) {
                working.reached.acquire();
                dbos.cancelWorkflow(JOB);
                working.cancelled.release();
                // It hears of it at its next step.
                TIME.await(Duration.ofMillis(100));
                dbos.resumeWorkflow(JOB, QUEUE);
            }
            working.reached.acquire();
            working.cancelled.release();
            return List.copyOf(working.resumed.subList(1 + rounds / 2, working.resumed.size()));
        } finally {
            dbos.shutdown();
            pool.close();
        }
    }
}
