package dev.pawl.store;

import static dev.pawl.store.SampleJobs.ANNA;
import static dev.pawl.store.SampleJobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.export.LineSums;
import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.ledger.AttemptState;
import dev.pawl.ledger.RowState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a store tells reads back as it was, and what none can say is found before anybody keeps it. */
class StoreLinesTest {
    private static final long AT = NOW.toEpochMilli();

    private static final StoreLine JOB = StoreLine.of(
            StoreKind.JOB,
            7,
            "w",
            Key.of("k").encoded(),
            "mail",
            "anna",
            "1",
            "RUNNING",
            0,
            3,
            5,
            9,
            77,
            true,
            2,
            AT,
            AT,
            null,
            null,
            null,
            null,
            4,
            "customer",
            1,
            true,
            true,
            null,
            0,
            null,
            null,
            0,
            "2026-11");

    private static final List<StoreLine> LINES = List.of(
            JOB,
            StoreLine.of(StoreKind.CALL, 8, 7, 0, "call", true),
            StoreLine.of(StoreKind.ARTIFACT, 7, 0, "page", "AQI="),
            StoreLine.of(StoreKind.GONE, 5, AT),
            StoreLine.of(StoreKind.QUEUE, "mail", 3),
            StoreLine.of(StoreKind.PASSED, "g", AT, 1),
            StoreLine.of(StoreKind.SPENT, 20_000, "w", "m", 5, 9, 2, 0, 0, 0, 0, 7),
            StoreLine.of(StoreKind.COLLECTION, 1, "c", 2),
            StoreLine.of(StoreKind.PART, 1, 1, "p", 7, AT, null, null, null),
            StoreLine.of(StoreKind.ROW, 1, 1, "a", 1, "h", "PENDING", "", false, AT, 1, 0, 1, 0),
            StoreLine.of(StoreKind.PAYLOAD, 1, 1, "{}"),
            StoreLine.of(StoreKind.ROW_ATTEMPT, 1, 1, 1, 1, AT, "OPEN", "", "", null, null, null),
            StoreLine.of(StoreKind.ROW_WORD, 1, 1, AT, "drop", "anna", "why"));

    static List<StoreLine> lines() {
        return LINES;
    }

    @ParameterizedTest
    @MethodSource("lines")
    void what_can_be_is_taken_and_without_its_number_it_is_not(StoreLine line) {
        assertThatCode(() -> StoreLines.check(line)).doesNotThrowAnyException();
        var first = line.kind().fields().stream()
                .filter(field -> line.value(field) instanceof Long)
                .findFirst()
                .orElseThrow();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreLines.check(line.with(first, "many")))
                .withMessageContaining("a line of kind " + line.kind().word());
    }

    @Test
    void what_only_a_store_that_moves_tells_is_in_no_export() {
        for (var line :
                List.of(StoreLine.of(StoreKind.TABLE, "t", "{}"), StoreLine.of(StoreKind.TABLE_ROW, "t", "[]"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> StoreLines.check(line))
                    .withMessageContaining("stands in no export");
        }
    }

    @Test
    void a_job_says_whether_it_is_suspect_or_called_off_and_which_limit_it_shares() {
        var job = StoreLines.job(JOB);
        assertThat(job.standing().suspicion().suspect()).isTrue();
        assertThat(job.standing().cancelling()).isTrue();
        assertThat(job.handling().lane()).isEqualTo(new Handling.Lane("customer", 1));
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        var plain =
                StoreLines.job(JOB.with("suspect", 0L).with("cancelling", 0L).with("lane", ""));
        assertThat(plain.standing().suspicion().suspect()).isFalse();
        assertThat(plain.standing().cancelling()).isFalse();
        assertThat(plain.handling().lane()).isNull();
    }

    @Test
    void a_worker_reads_back_whether_it_was_declared_dead_or_not() {
        var worker = new WorkerRecord(5, "a", 2, NOW, Duration.ofSeconds(30), Taking.of("w"));
        for (var one : List.of(worker, worker.declaredDead(WorkerEnd.GAVE_UP))) {
            var line = StoreLines.line(one, 9);
            assertThat(StoreLines.worker(line)).isEqualTo(one);
            assertThat(line.number("claim")).isEqualTo(9);
        }
    }

    @Test
    void a_gate_reads_back_however_it_stands() {
        var closed = Gate.closed("g", Gate.Cause.RATE, new Gate.Closing("slow", NOW, NOW.plusSeconds(60)));
        var byHand = Gate.closed("g", Gate.Cause.BUDGET, new Gate.Closing("spent", NOW, null));
        for (var gate : List.of(closed, byHand, closed.open(), byHand.openedBy(ANNA, NOW, false))) {
            assertThat(StoreLines.gate(StoreLines.line(gate))).isEqualTo(gate);
        }
    }

    @Test
    void what_is_left_to_do_reads_back_whatever_it_is() {
        var lefts = List.of(
                new FollowUp.CallOff(7, 1, -5, ANNA, 3),
                FollowUp.TellCallers.all(7).behind(new FollowUp.Caller(2, 0, "call")),
                new FollowUp.LetGo("g", 2));
        for (var rest : lefts) {
            var left = new FollowUp(4, rest);
            assertThat(StoreLines.followUp(StoreLines.line(left))).isEqualTo(left);
            assertThatCode(() -> StoreLines.check(StoreLines.line(left))).doesNotThrowAnyException();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FollowUp.RestCode.read(9, "{}"))
                .withMessageContaining("no kind 9");
    }

    @Test
    void a_row_and_its_attempt_read_back_with_what_they_lack() {
        var row = StoreLines.ledgerRow(LINES.get(9), "p");
        assertThat(row.state()).isEqualTo(RowState.PENDING);
        assertThat(row.standing().dealtWith()).isFalse();
        assertThat(row.tries().openIn()).isEqualTo("p");
        assertThat(StoreLines.rowEnd(LINES.get(11)).known()).isEqualTo(AttemptState.OPEN);
        assertThat(StoreLines.rowEnd(LINES.get(11)).at()).isNull();
    }

    private static List<StoreLine> copied(List<StoreLine> lines) {
        var told = new ArrayList<StoreLine>();
        IncomingStore.ofCopy(lines::forEach, NOW).lines().to(told::add);
        return told;
    }

    @Test
    void a_copy_has_one_gate_at_which_everybody_waits_whatever_was_told() {
        var restored = StoreLines.line(
                Gate.closed(GateNames.RESTORED, Gate.Cause.ACCOUNT, new Gate.Closing("earlier", NOW, null)));
        var other = StoreLines.line(Gate.closed("a", Gate.Cause.RATE, new Gate.Closing("slow", NOW, null)));
        var later = LINES.get(5);
        for (var lines : List.of(
                List.<StoreLine>of(), List.of(JOB), List.of(later), List.of(other, later), List.of(other, restored))) {
            assertThat(copied(lines).stream()
                            .filter(line -> line.kind() == StoreKind.GATE)
                            .filter(line -> line.text("name").equals(GateNames.RESTORED)))
                    .singleElement()
                    .satisfies(gate -> assertThat(gate.text("why")).contains("was made of an export"));
            assertThat(copied(lines)).extracting(StoreLine::kind).isSorted();
        }
        assertThat(copied(List.of(restored)).getFirst().number("closings")).isEqualTo(2);
        assertThat(copied(List.of(JOB)).getFirst().number("fence")).isEqualTo(3 + IncomingStore.FENCES);
    }

    @Test
    void what_did_not_arrive_as_it_was_told_is_refused() {
        var told = new LineSums();
        told.add(JOB);
        var arrived = new LineSums();
        arrived.add(JOB);
        assertThatCode(() -> IncomingStore.requireWhole(told, arrived)).doesNotThrowAnyException();
        arrived.add(JOB);
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> IncomingStore.requireWhole(told, arrived))
                .withMessageContaining("nothing of it was kept");
    }
}
