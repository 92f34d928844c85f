package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.decision.Audit;
import dev.pawl.effect.Contract;
import dev.pawl.event.Events;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.store.OpenMode;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A database whose administrator makes everything, and an application that may only read and write. The statements are those of the production guide. */
class RolesOnPostgresTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final PostgresServer SERVER = PostgresServer.start();

    private static void run(String... statements) throws SQLException {
        try (var connection = DriverManager.getConnection(SERVER.url());
                var statement = connection.createStatement()) {
            for (var one : statements) {
                statement.execute(one);
            }
        }
    }

    /** The grants that the guide shows. */
    private static String[] grants() throws IOException {
        var guide = Files.readString(Path.of("../docs/guide/production.md"));
        var matcher = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL).matcher(guide);
        assertThat(matcher.find()).isTrue();
        return matcher.group(1).split(";\\s*\n");
    }

    private static String as(String user) {
        return SERVER.url().replaceAll("user=[a-z]+", "user=" + user);
    }

    private static Pawl pawl(OpenMode mode) {
        return Pawl.over(
                PostgresStore.open(as("app"), mode), PawlOptions.usual().log(Events.NOWHERE));
    }

    @BeforeAll
    static void roles() throws Exception {
        run("create role owner login", "create role app login", "grant create on database postgres to owner");
        Pawl.openOrCreate(as("owner"), PawlOptions.usual().log(Events.NOWHERE)).close();
        run(grants());
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void an_application_that_may_only_read_and_write_works_on_a_store_that_its_administrator_has_made()
            throws Exception {
        for (var mode : List.of(OpenMode.AS_IT_IS, OpenMode.BRINGING_FORWARD)) {
            try (var pawl = pawl(mode)) {
                pawl.work(W.implementedBy((job, input) -> {
                    job.step("fetch", String.class, () -> "page");
                    job.map(
                            "each",
                            List.of("a", "b"),
                            item -> item,
                            (scope, item) -> scope.step("part", String.class, () -> item + "x"));
                    job.effect("post", Contract.idempotent(), input, String.class, (request, attempt) -> "posted");
                    job.artifact("page", "text/plain", "page".getBytes(StandardCharsets.UTF_8));
                    return job.awaitSignal("paid", String.class, Duration.ofDays(1))
                            .orElseThrow();
                }));
                var key = Key.of(mode.name());
                pawl.submit(W, key, "x");
                while (pawl.find(W, key).orElseThrow().state() != JobState.WAITING) {
                    Time.system().await(Duration.ofMillis(10));
                }
                pawl.signal(W, key, "paid", "cash", "1");
                assertThat(pawl.submit(W, key, "x").join()).isEqualTo("cash");
                pawl.resubmit(pawl.find(W, key).orElseThrow(), new Audit("anna", "again"));
                pawl.cancel(W, key, new Audit("anna", "enough"));
                pawl.prune(Instant.EPOCH);
                assertThat(pawl.health().isWell()).isTrue();
            }
        }
    }

    @Test
    void it_can_make_nothing_and_is_told_so() {
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> PostgresStore.open(as("app") + "&pawlSchema=another", OpenMode.BRINGING_FORWARD))
                .withMessageContaining("permission denied");
    }
}
