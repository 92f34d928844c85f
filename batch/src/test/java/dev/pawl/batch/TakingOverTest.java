package dev.pawl.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.Handling;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.Silence;
import dev.pawl.lease.Taking;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.Wanted;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run on another machine was killed; only its beat, which stands still, can tell. */
@Timeout(60)
class TakingOverTest {
    private static final Duration TERM = Duration.ofSeconds(1);
    private static final Workflow<JsonNode, JsonNode> NIGHTLY =
            Workflow.named("nightly", JsonNode.class, JsonNode.class);

    @TempDir
    private Path folder;

    /** A worker takes the row and is never heard of again. */
    private static void leaveBehind(String address) {
        try (var store = PostgresStore.open(address)) {
            var row = new StoredJob.Given("{\"id\":1}", Handling.usual());
            store.exchange(
                    List.of(
                            new Change.Enlist(7, "killed", TERM, Taking.of(NIGHTLY.name())),
                            new Change.SubmitJob(new Identity(NIGHTLY.name(), Key.of(1)), row, null)),
                    Wanted.NOTHING);
            var claimed = store.exchange(List.of(), new Wanted(7, 1, Taking.of(NIGHTLY.name()), 1, true));
            assertThat(claimed.claimed()).hasSize(1);
        }
    }

    @Test
    void rows_of_a_killed_run_are_taken_over_however_short_a_run_lingers() throws Exception {
        var rows = Files.writeString(folder.resolve("rows.jsonl"), "{\"id\":1}\n");
        var told = new CopyOnWriteArrayList<Silence>();
        try (var server = PostgresServer.start()) {
            leaveBehind(server.url());
            var options = PawlOptions.usual().term(TERM).log(Events.NOWHERE);
            try (var pawl = Pawl.openOrCreate(server.url(), options)) {
                var survey =
                        Survey.of(RowFile.at(rows), NIGHTLY.name(), KeyFields.of("id"), pawl.operator()::briefs, null);
                var code = NIGHTLY.implementedBy((job, row) -> row);
                var batch = new Batch(pawl, Time.system(), survey, new RowWork(code, Handling.usual()), Duration.ZERO);
                batch.run(
                        (many, silences) -> {
                            assertThat(many).isEqualTo(1);
                            told.addAll(silences);
                        },
                        () -> {});
                assertThat(batch.report(pawl).rows().done()).isEqualTo(1);
            }
        }
        assertThat(told)
                .as("whoever watches can say for whom it waits")
                .isNotEmpty()
                .allSatisfy(silence -> assertThat(silence.worker().name()).isEqualTo("killed"));
    }
}
