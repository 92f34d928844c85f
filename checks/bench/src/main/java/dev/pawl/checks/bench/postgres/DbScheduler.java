package dev.pawl.checks.bench.postgres;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.io.Serializable;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * db-scheduler. It knows no steps: a job of W1 is one execution that puts itself off five times, with what it has as its data. Both ways take the
 * strategy and the limits that its page on performance recommends.
 */
final class DbScheduler implements Contender, Drains {
    private static final int CONNECTIONS = 20;
    private static final Duration LOOKS = Duration.ofMillis(100);

    /** From its repository. */
    private static final String TABLE = """
            create table scheduled_tasks (
              task_name text not null, task_instance text not null, task_data bytea, execution_time timestamp with time zone not null,
              picked boolean not null, picked_by text, last_success timestamp with time zone, last_failure timestamp with time zone,
              consecutive_failures int, last_heartbeat timestamp with time zone, version bigint not null, priority smallint,
              primary key (task_name, task_instance));
            create index execution_time_idx on scheduled_tasks (execution_time);
            create index last_heartbeat_idx on scheduled_tasks (last_heartbeat);
            create index priority_execution_time_idx on scheduled_tasks (priority desc, execution_time asc)""";

    /**
     * How far a job of W1 is.
     *
     * @param step the number of steps that are done
     * @param result of the last one
     */
    record Progress(int step, String result) implements Serializable {}

    @Override
    public String name() {
        return "db-scheduler";
    }

    @Override
    public Runs stepping(Database database, int inFlight) throws SQLException {
        database.run(TABLE);
        Map<String, CountDownLatch> waiting = new ConcurrentHashMap<>();
        var task = Tasks.custom("w1", Progress.class).execute((instance, context) -> {
            var done = instance.getData().step() + 1;
            if (done < STEPS) {
                return (complete, operations) ->
                        operations.reschedule(complete, Instant.EPOCH, new Progress(done, VALUE));
            }
            return (CompletionHandler<Progress>) (complete, operations) -> {
                operations.remove();
                Objects.requireNonNull(waiting.remove(instance.getId())).countDown();
            };
        });
        var pool = database.pool(CONNECTIONS);
        var scheduler = Scheduler.create(pool, task)
                .threads(inFlight)
                .pollingInterval(LOOKS)
                .pollUsingLockAndFetch(0.5, 1.0)
                .enableImmediateExecution()
                .schedulerName(new SchedulerName.Fixed("bench"))
                .build();
        scheduler.start();
        return new Runs() {
            @Override
            public void job(long number) throws InterruptedException {
                var id = Long.toString(number);
                var ended = new CountDownLatch(1);
                waiting.put(id, ended);
                scheduler.schedule(task.instance(id, new Progress(0, "")), Instant.EPOCH);
                ended.await();
            }

            @Override
            public void close() {
                scheduler.stop();
                pool.close();
            }
        };
    }

    @Override
    public int jobs() {
        return 60_000;
    }

    @Override
    public Draining fill(Database database, int jobs) throws SQLException {
        database.run(TABLE);
        var task = Tasks.oneTime("w2", String.class).execute((instance, context) -> {});
        var pool = database.pool(CONNECTIONS);
        Stream<TaskInstance<?>> instances =
                IntStream.range(0, jobs).mapToObj(i -> task.instance(Integer.toString(i), VALUE));
        var scheduler = Scheduler.create(pool, task)
                .threads(50)
                .pollingInterval(LOOKS)
                .pollUsingLockAndFetch(1.0, 4.0)
                .schedulerName(new SchedulerName.Fixed("bench"))
                .build();
        scheduler.scheduleBatch(instances, Instant.EPOCH);
        return new Emptying(scheduler, pool);
    }

    private record Emptying(Scheduler scheduler, HikariDataSource pool) implements Draining {
        @Override
        public void start() {
            scheduler.start();
        }

        @Override
        public String left() {
            return "select count(*) from scheduled_tasks";
        }

        @Override
        public void close() {
            scheduler.stop();
            pool.close();
        }
    }
}
