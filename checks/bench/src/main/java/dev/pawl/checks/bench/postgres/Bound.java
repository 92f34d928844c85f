package dev.pawl.checks.bench.postgres;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.postgres.PostgresStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The bound: seven awaited durable operations a job and nothing else, no leases, no fences, no retries, no user code. One writer drains what waits, one
 * statement for each kind and one commit for all; a lone job commits on its own thread.
 */
final class Bound implements Contender {

    /** How long the writer waits for those whom the last commit woke. */
    private static final int SPINS = 5_000;

    /** Whose tables the bound writes to. */
    private final Tables tables;

    Bound(Tables tables) {
        this.tables = tables;
    }

    @Override
    public String name() {
        return tables.label;
    }

    /** The same operations on different tables. */
    enum Tables {
        /** Pawl's, with all their indexes. */
        OF_PAWL(
                "bound",
                "with s as materialized (select * from unnest(?::bigint[], ?::text[], ?::text[]) as s(job, identity, key)),"
                        + " i as (insert into pawl.identified (identity, job, claim_group, name) select s.identity, s.job, 1, s.key from s)"
                        + " insert into pawl.job (seq, workflow, key, input, state, fence, owner, claim, created, changed, claim_group)"
                        + " select s.job, 'w1', s.key, '1', 1, 1, 1, s.job, 1, 1, 1 from s",
                "insert into pawl.journal (job, change, resubmission, at, kind, place, body)"
                        + " select s.job, s.n, 0, 1, 1, 'step-' || s.n, s.body from unnest(?::bigint[], ?::int[], ?::text[]) as s(job, n, body)",
                "update pawl.job j set state = 4, fence = 2, owner = 0, claim = 0, changed = 2, result = s.result, end_number = j.seq"
                        + " from unnest(?::bigint[], ?::text[]) as s(job, result) where j.seq = s.job"),
        /** The two smallest tables that will do. */
        OF_ITS_OWN(
                "skeleton",
                "insert into job (seq, id, state, owner, lease, input)"
                        + " select s.job, s.key, 1, 1, 1, '1' from unnest(?::bigint[], ?::text[], ?::text[]) as s(job, identity, key)",
                "insert into step (job, n, name, val, t) select s.job, s.n, 'step-' || s.n, s.body, 1"
                        + " from unnest(?::bigint[], ?::int[], ?::text[]) as s(job, n, body)",
                "update job j set state = 4, owner = 0, result = s.result from unnest(?::bigint[], ?::text[]) as s(job, result) where j.seq = s.job");

        private final String label;
        private final String start;
        private final String step;
        private final String finish;

        Tables(String label, String start, String step, String finish) {
            this.label = label;
            this.start = start;
            this.step = step;
            this.finish = finish;
        }

        void make(Database database) throws SQLException {
            if (this == OF_PAWL) {
                PostgresStore.open(database.url()).close();
            } else {
                database.run(
                        "create table job (seq bigint primary key, id text, state int, owner bigint, lease bigint, input text, result text);"
                                + "create table step (job bigint, n int, name text, val text, t bigint, primary key (job, n))");
            }
        }
    }

    @Override
    public Runs stepping(Database database, int inFlight) throws SQLException {
        tables.make(database);
        return inFlight == 1 ? new Alone(database, tables) : new Together(database, tables, inFlight);
    }

    /** An operation and the thread that waits for it. Operation 0 starts a job, 1 to 5 are its steps, 6 finishes it. */
    private static final class Operation {
        private final long job;
        private final int n;
        private final Thread waiter = Thread.currentThread();
        private volatile boolean done;

        Operation(long job, int n) {
            this.job = job;
            this.n = n;
        }
    }

    /** What is written, many rows in a commit. Not thread-safe. */
    private static final class Writer implements AutoCloseable {
        private final Connection connection;
        private final PreparedStatement start;
        private final PreparedStatement step;
        private final PreparedStatement finish;

        Writer(Database database, Tables tables) throws SQLException {
            connection = database.connect();
            try (var statement = connection.createStatement()) {
                // A plan that was made while a table was empty is kept for good otherwise.
                statement.execute("set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off");
            }
            start = connection.prepareStatement(tables.start);
            step = connection.prepareStatement(tables.step);
            finish = connection.prepareStatement(tables.finish);
        }

        void write(List<Operation> batch) throws SQLException {
            var starts = batch.stream().filter(o -> o.n == 0).toList();
            var steps = batch.stream().filter(o -> o.n > 0 && o.n <= STEPS).toList();
            var finishes = batch.stream().filter(o -> o.n > STEPS).toList();
            var kinds = (starts.isEmpty() ? 0 : 1) + (steps.isEmpty() ? 0 : 1) + (finishes.isEmpty() ? 0 : 1);
            if (kinds > 1) {
                connection.setAutoCommit(false);
            }
            if (!starts.isEmpty()) {
                var identities = starts.stream()
                        .map(o -> new Identity("w1", Key.of(o.job)))
                        .toList();
                start.setArray(1, numbers(starts));
                start.setArray(2, texts(identities.stream().map(Identity::hash).toArray()));
                start.setArray(
                        3, texts(identities.stream().map(i -> i.key().encoded()).toArray()));
                start.executeUpdate();
            }
            if (!steps.isEmpty()) {
                step.setArray(1, numbers(steps));
                step.setArray(
                        2,
                        connection.createArrayOf(
                                "int4", steps.stream().map(o -> o.n).toArray()));
                step.setArray(3, texts(steps.stream().map(o -> RESULT).toArray()));
                step.executeUpdate();
            }
            if (!finishes.isEmpty()) {
                finish.setArray(1, numbers(finishes));
                finish.setArray(2, texts(finishes.stream().map(o -> RESULT).toArray()));
                finish.executeUpdate();
            }
            if (kinds > 1) {
                connection.commit();
                connection.setAutoCommit(true);
            }
        }

        private java.sql.Array numbers(List<Operation> operations) throws SQLException {
            return connection.createArrayOf(
                    "int8", operations.stream().map(o -> o.job).toArray());
        }

        private java.sql.Array texts(Object[] texts) throws SQLException {
            return connection.createArrayOf("text", texts);
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    static final String RESULT = "\"" + VALUE + "\"";

    static void awaitEnd(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One job at a time. */
    private static final class Alone implements Runs {
        private final Writer writer;

        Alone(Database database, Tables tables) throws SQLException {
            writer = new Writer(database, tables);
        }

        @Override
        public void job(long number) throws SQLException {
            for (var n = 0; n <= STEPS + 1; n++) {
                writer.write(List.of(new Operation(number, n)));
            }
        }

        @Override
        public void close() throws SQLException {
            writer.close();
        }
    }

    /** Many jobs, one writer. */
    private static final class Together implements Runs {
        private final ConcurrentLinkedQueue<Operation> queue = new ConcurrentLinkedQueue<>();
        private final AtomicInteger waiting = new AtomicInteger();
        private final int inFlight;
        private final Writer writer;
        private final Thread thread;
        private volatile boolean closed;
        private volatile @Nullable SQLException failed;

        Together(Database database, Tables tables, int inFlight) throws SQLException {
            this.inFlight = inFlight;
            this.writer = new Writer(database, tables);
            this.thread = Thread.ofPlatform().name("bound-writer").start(this::loop);
        }

        @Override
        public void job(long number) throws SQLException {
            for (var n = 0; n <= STEPS + 1; n++) {
                var operation = new Operation(number, n);
                queue.add(operation);
                if (waiting.incrementAndGet() == 1) {
                    LockSupport.unpark(thread);
                }
                while (!operation.done) {
                    var why = failed;
                    if (why != null) {
                        throw why;
                    }
                    LockSupport.park(operation);
                }
            }
        }

        private void loop() {
            try {
                while (!closed) {
                    for (var i = 0; i < SPINS && waiting.get() < inFlight; i++) {
                        Thread.onSpinWait();
                    }
                    drain();
                }
            } catch (SQLException e) {
                failed = e;
                queue.forEach(operation -> LockSupport.unpark(operation.waiter));
            }
        }

        private void drain() throws SQLException {
            var batch = new ArrayList<Operation>();
            for (var next = queue.poll(); next != null; next = queue.poll()) {
                batch.add(next);
            }
            waiting.addAndGet(-batch.size());
            if (batch.isEmpty()) {
                LockSupport.park();
                return;
            }
            writer.write(batch);
            Thread.startVirtualThread(() -> {
                for (var operation : batch) {
                    operation.done = true;
                    LockSupport.unpark(operation.waiter);
                }
            });
        }

        @Override
        public void close() throws SQLException {
            closed = true;
            LockSupport.unpark(thread);
            awaitEnd(thread);
            writer.close();
        }
    }
}
