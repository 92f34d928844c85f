package dev.pawl.checks.bench.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration.JobRunrConfigurationResult;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;

/** JobRunr, the free one, whose shortest time between looks is five seconds; between them it goes on by itself while there is work. */
final class Jobrunr implements Drains {
    private static final int CONNECTIONS = 20;
    private static final Duration LOOKS = Duration.ofSeconds(5);

    /**
     * A job of W2.
     *
     * @param number which one
     */
    public record Only(int number) implements JobRequest {
        @Override
        public Class<Handler> getJobRequestHandler() {
            return Handler.class;
        }
    }

    /** What it does. */
    public static final class Handler implements JobRequestHandler<Only> {
        @Override
        public void run(Only request) {}
    }

    @Override
    public String name() {
        return "jobrunr";
    }

    @Override
    public int jobs() {
        return 20_000;
    }

    @Override
    public Draining fill(Database database, int jobs) {
        var pool = database.pool(CONNECTIONS);
        var storage = SqlStorageProviderFactory.using(pool);
        var started = JobRunr.configure()
                .useJsonMapper(new JacksonJsonMapper())
                .useStorageProvider(storage)
                .useBackgroundJobServer(
                        BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                                .andPollInterval(LOOKS)
                                .andWorkerCount(50),
                        false)
                .initialize();
        started.getJobRequestScheduler().enqueue(IntStream.range(0, jobs).mapToObj(Only::new));
        return new Emptying(started, pool);
    }

    private record Emptying(JobRunrConfigurationResult started, HikariDataSource pool) implements Draining {
        @Override
        public void start() {
            JobRunr.getBackgroundJobServer().start();
        }

        @Override
        public String left() {
            return "select count(*) from jobrunr_jobs where state <> 'SUCCEEDED'";
        }

        @Override
        public void close() {
            JobRunr.destroy();
            pool.close();
        }
    }
}
