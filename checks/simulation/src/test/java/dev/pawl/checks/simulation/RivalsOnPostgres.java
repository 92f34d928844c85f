package dev.pawl.checks.simulation;

import dev.pawl.store.postgres.NightDatabase;
import dev.pawl.testkit.postgres.PostgresServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;

/** The same failures, replayed on a real PostgreSQL server; {@code ./verify rivals} runs them. */
class RivalsOnPostgres extends RivalsTest {
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final AtomicInteger STAGES = new AtomicInteger();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Override
    Stage newStage() {
        return new Stage(time -> NightDatabase.open(SERVER, "rival_" + STAGES.incrementAndGet(), time));
    }
}
