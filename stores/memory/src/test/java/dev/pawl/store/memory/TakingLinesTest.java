package dev.pawl.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.decision.Audit;
import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.job.JobState;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.FollowUp;
import dev.pawl.store.StoreLines;
import dev.pawl.store.document.DocumentRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What another store has told is taken line by line, and a line of something that is not there is refused. */
class TakingLinesTest {
    private static final Instant NOW = Instant.parse("2026-04-12T10:00:00Z");
    private static final Audit ANNA = new Audit("anna", "no");

    private final MemoryDocuments documents = new MemoryDocuments(FollowUp.MOST_OTHERS);

    private static StoreLine job(long number, String key, JobState state, int run) {
        var at = NOW.toEpochMilli();
        return StoreLine.of(
                StoreKind.JOB,
                number,
                "w",
                Key.of(key).encoded(),
                "",
                "",
                "1",
                state.name(),
                run,
                1,
                state == JobState.RUNNING ? 5 : 0,
                1,
                0,
                false,
                0,
                at,
                at,
                state == JobState.READY ? (Long) at : null,
                null,
                null,
                null,
                0,
                "",
                0,
                false,
                false,
                null,
                0,
                null,
                null,
                0,
                "");
    }

    private JobState state(long job) {
        return Objects.requireNonNull(documents.find(job)).view().state();
    }

    @Test
    void a_line_of_something_that_is_not_there_is_refused() {
        for (var line : List.of(
                StoreLine.of(StoreKind.ARTIFACT, 7, 0, "page", "AQI="),
                StoreLine.of(StoreKind.CALL, 7, 1, 0, "c", false))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> documents.take(line))
                    .withMessage("a line of kind " + line.kind().word() + " belongs to job 7, which is not there");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> documents.take(StoreLine.of(StoreKind.PAYLOAD, 3, 1, "{}")))
                .withMessage("a line of kind payload belongs to row 3, which is not there");
        for (var line :
                List.of(StoreLine.of(StoreKind.TABLE, "t", "{}"), StoreLine.of(StoreKind.TABLE_ROW, "t", "[]"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> documents.take(line))
                    .withMessageContaining("has no tables");
        }
    }

    @Test
    void a_job_and_the_ledger_take_only_what_is_theirs_and_tell_nothing_else() {
        var gone = StoreLine.of(StoreKind.GONE, 5, NOW.toEpochMilli());
        documents.take(job(7, "a", JobState.READY, 0));
        var there = Objects.requireNonNull(documents.find(7));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> there.take(gone))
                .withMessageContaining("belongs to no job");
        assertThat(there.lines(StoreKind.GONE)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> documents.ledger().take(gone))
                .withMessageContaining("nothing of the ledger");
        assertThat(documents.ledger().lines(StoreKind.GONE)).isEmpty();
    }

    @Test
    void a_child_of_a_later_run_is_no_child_of_an_earlier_one() {
        documents.take(job(1, "root", JobState.RUNNING, 1));
        documents.take(job(2, "child", JobState.READY, 0));
        documents.take(StoreLine.of(StoreKind.CALL, 2, 1, 1, "later", false));
        assertThat(documents.calledBy(1, 0, 0, 10)).isEmpty();
        assertThat(documents.calledBy(1, 1, 0, 10)).containsExactly(2L);
        assertThat(documents.calledBy(99, 1, 0, 10)).as("there is no such job").isEmpty();

        // The earlier run called it too, and let it go on by itself.
        documents.take(StoreLine.of(StoreKind.CALL, 2, 1, 0, "earlier", true));
        documents.take(StoreLines.line(new FollowUp(70, new FollowUp.CallOff(1, 0, -7, ANNA, 0))));
        DocumentRules.make(documents, new Change.GoOn(70, 1), NOW, new ArrayList<>());
        assertThat(state(2)).as("the later run needs it").isEqualTo(JobState.READY);
        documents.take(StoreLines.line(new FollowUp(71, new FollowUp.CallOff(1, 1, -8, ANNA, 0))));
        DocumentRules.make(documents, new Change.GoOn(71, 1), NOW, new ArrayList<>());
        assertThat(state(2)).isEqualTo(JobState.CANCELLED);
    }
}
