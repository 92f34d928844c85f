package dev.pawl.checks.bench.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Queue;
import dev.dbos.transact.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * DBOS Transact for Java. Jobs of W1 are workflows called directly, which is its quickest way; those of W2 stand in a queue with as many workers as it
 * makes use of, looked at a hundred times a second. Ten connections are its default.
 */
final class Dbos implements Contender, Drains {
    static final int CONNECTIONS = 10;
    private static final String QUEUE = "w2";
    private static final String NOBODYS_QUEUE = "nobody";

    /** Workflows are the methods of an interface. */
    public interface Work {
        String fiveSteps(long number);

        String oneStep(long number);
    }

    /** How they are implemented. */
    public static final class Working implements Work {
        private final DBOS dbos;

        Working(DBOS dbos) {
            this.dbos = dbos;
        }

        @Override
        @Workflow(name = "w1")
        public String fiveSteps(long number) {
            var last = "";
            for (var n = 1; n <= STEPS; n++) {
                last = dbos.runStep(() -> VALUE, "step-" + n);
            }
            return last;
        }

        @Override
        @Workflow(name = "w2")
        public String oneStep(long number) {
            return dbos.runStep(() -> VALUE, "only");
        }
    }

    /** DBOS, launched. */
    private static final class Launched implements AutoCloseable {
        private final HikariDataSource pool;
        private final DBOS dbos;
        private final Work work;

        /** @param listening to which queue */
        Launched(Database database, String listening) {
            pool = database.pool(CONNECTIONS);
            dbos = new DBOS(DBOSConfig.defaults("bench")
                    .withDataSource(pool)
                    .withAppVersion("1")
                    .withExecutorId("local")
                    .withListenQueue(listening));
            dbos.registerQueues(
                    new Queue(NOBODYS_QUEUE),
                    new Queue(QUEUE).withWorkerConcurrency(500).withPollingInterval(Duration.ofMillis(10)));
            work = dbos.registerProxy(Work.class, new Working(dbos));
            dbos.launch();
        }

        @Override
        public void close() {
            dbos.shutdown();
            pool.close();
        }
    }

    @Override
    public String name() {
        return "dbos";
    }

    @Override
    public Runs stepping(Database database, int inFlight) {
        var launched = new Launched(database, NOBODYS_QUEUE);
        return new Runs() {
            @Override
            public void job(long number) {
                launched.work.fiveSteps(number);
            }

            @Override
            public void close() {
                launched.close();
            }
        };
    }

    @Override
    public int jobs() {
        return 6_000;
    }

    @Override
    public Draining fill(Database database, int jobs) throws InterruptedException {
        try (var filling = new Launched(database, NOBODYS_QUEUE)) {
            for (var i = 0; i < jobs; i++) {
                var number = i;
                filling.dbos.startWorkflow(
                        () -> filling.work.oneStep(number), new StartWorkflowOptions("job-" + i).withQueue(QUEUE));
            }
        }
        return new Draining() {
            private @Nullable Launched launched;

            @Override
            public void start() {
                launched = new Launched(database, QUEUE);
            }

            @Override
            public String left() {
                return "select count(*) from dbos.workflow_status where status in ('ENQUEUED', 'PENDING')";
            }

            @Override
            public void close() {
                if (launched != null) {
                    launched.close();
                }
            }
        };
    }
}
