package dev.pawl.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowWord;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.FollowUp;
import dev.pawl.store.StoreLines;
import dev.pawl.store.document.DocumentRules;
import dev.pawl.store.document.Documents;
import dev.pawl.store.document.RowDocument;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Somebody else is faster between the reading of documents and their comparison: the change is made again from what is so by then. */
class ComparingTest {
    private static final Instant NOW = Instant.parse("2026-04-12T10:00:00Z");
    private static final Identity JOB = new Identity("w", Key.of("a"));

    private final MemoryDocuments documents = new MemoryDocuments(FollowUp.MOST_OTHERS);
    private final AtomicInteger refused = new AtomicInteger();
    private @Nullable Change faster;

    /** What was just asked when somebody else is faster. */
    private String asked = "apply";

    /** The same documents, where {@link #faster} is made before something is applied, or once something else was {@link #asked}. */
    private final Documents raced = (Documents) Proxy.newProxyInstance(
            Documents.class.getClassLoader(), new Class<?>[] {Documents.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("apply") && asked.equals("apply")) {
                    beFaster();
                }
                try {
                    var answer = method.invoke(documents, arguments);
                    if (method.getName().equals(asked)) {
                        beFaster();
                    }
                    refused.addAndGet(
                            Boolean.FALSE.equals(answer) && method.getName().equals("apply") ? 1 : 0);
                    return answer;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    private void beFaster() {
        var now = faster;
        faster = null;
        if (now != null) {
            make(documents, now);
        }
    }

    private static Applied make(Documents to, Change change) {
        return DocumentRules.make(to, change, NOW, new ArrayList<>());
    }

    private static Change.SubmitJob submission(String input) {
        return new Change.SubmitJob(JOB, input, null);
    }

    private Claimed claimed() {
        make(documents, new Change.Enlist(1, "a", Duration.ofSeconds(30), Taking.of("w")));
        make(documents, submission("1"));
        var job = Objects.requireNonNull(documents.find(JOB));
        return Objects.requireNonNull(DocumentRules.claim(documents, job.id(), 1, 1, NOW));
    }

    @Test
    void two_who_submit_the_same_make_one_job() {
        faster = submission("1");
        assertThat(make(raced, submission("1"))).isInstanceOf(Applied.Already.class);
        assertThat(refused).hasValue(1);
        assertThat(documents.all()).hasSize(1);
    }

    @Test
    void whoever_lost_its_job_between_reading_and_writing_has_written_nothing() {
        var job = claimed().job();
        var hold = new Change.Hold(job.id(), job.standing().fence());
        var step = new Entry.StepDone(new Place("", "s", ""), "1");
        faster = new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL);
        assertThat(make(raced, new Change.RecordStepIfOwned(hold, 77, List.of(step))))
                .isInstanceOf(Applied.LeaseLost.class);
        assertThat(refused).hasValue(1);
        assertThat(Objects.requireNonNull(documents.find(JOB)).journal())
                .noneMatch(line -> line.entry().equals(step));
        assertThat(Objects.requireNonNull(documents.find(JOB)).view().state()).isEqualTo(JobState.READY);
    }

    @Test
    void a_beat_that_came_first_keeps_a_worker_from_being_declared_dead() {
        claimed();
        faster = new Change.Beat(1, 1);
        assertThat(make(raced, new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(documents.ownedBy(1, 10)).hasSize(1);
    }

    @Test
    void what_was_claimed_by_somebody_else_is_not_given_away_again() {
        claimed();
        make(documents, new Change.Enlist(2, "b", Duration.ofSeconds(30), Taking.of("w")));
        var id = Objects.requireNonNull(documents.find(JOB)).id();
        make(documents, new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        faster = new Change.CancelJob(id, 99, new Audit("anna", "no"));
        assertThat(DocumentRules.claim(raced, id, 2, 2, NOW)).isNull();
        assertThat(Objects.requireNonNull(documents.find(JOB)).view().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void only_a_job_that_waits_for_somebody_is_claimed_and_only_by_one_who_is_enlisted() {
        var id = claimed().job().id();
        assertThat(DocumentRules.claim(documents, id, 1, 2, NOW)).as("it runs").isNull();
        make(documents, new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        assertThat(DocumentRules.claim(documents, id, 1, 3, NOW))
                .as("it is gone")
                .isNull();
        assertThat(Objects.requireNonNull(documents.find(JOB)).view().state()).isEqualTo(JobState.READY);
    }

    private Change.WaitAtGateIfOwned waits(Claimed claimed, String gate) {
        var hold = new Change.Hold(claimed.job().id(), claimed.job().standing().fence());
        var released = new Entry.Released(claimed.job().standing().fence(), "gate", Duration.ZERO);
        return new Change.WaitAtGateIfOwned(
                hold,
                Changes.owned(claimed.job().standing().fence(), 0),
                List.of(released),
                new Gate.Wish(gate, new Gate.Reason(Gate.Cause.ACCOUNT, "no credit", null, null)),
                null);
    }

    @Test
    void who_has_left_a_gate_meanwhile_stays_where_it_is() {
        var job = claimed();
        make(documents, waits(job, "g"));
        asked = "waitingAt";
        faster = new Change.CancelJob(job.job().id(), 99, new Audit("anna", "no"));
        assertThat(make(raced, new Change.OpenGate("g", 1, new Audit("anna", "yes"))))
                .isInstanceOf(Applied.Now.class);
        assertThat(Objects.requireNonNull(documents.find(JOB)).view().state()).isEqualTo(JobState.CANCELLED);
    }

    private Claimed waitsAgain(String gate) {
        make(documents, new Change.OpenGate("g", 1, new Audit("anna", "yes")));
        var again = Objects.requireNonNull(DocumentRules.claim(
                documents, Objects.requireNonNull(documents.find(JOB)).id(), 1, 5, NOW));
        make(documents, waits(again, gate));
        return again;
    }

    @Test
    void who_waits_at_another_gate_meanwhile_or_again_at_this_one_since_it_closed_once_more_waits_on() {
        make(documents, waits(claimed(), "g"));
        var stale =
                stale("waitingAt", Objects.requireNonNull(documents.find(JOB)).id());
        waitsAgain("h");
        documents.take(StoreLines.line(new FollowUp(70, new FollowUp.LetGo("g", 1))));
        assertThat(make(stale, new Change.GoOn(70, 0))).isInstanceOf(Applied.Now.class);
        assertThat(Objects.requireNonNull(documents.find(JOB)).view().outcome().gate())
                .isEqualTo("h");

        make(documents, new Change.OpenGate("h", 1, new Audit("anna", "yes")));
        make(documents, waits(again(), "g"));
        documents.take(StoreLines.line(new FollowUp(71, new FollowUp.LetGo("g", 1))));
        assertThat(make(stale, new Change.GoOn(71, 0))).isInstanceOf(Applied.Now.class);
        assertThat(Objects.requireNonNull(documents.find(JOB)).view().outcome().gate())
                .as("it came after the second closing")
                .isEqualTo("g");
    }

    private Claimed again() {
        return Objects.requireNonNull(DocumentRules.claim(
                documents, Objects.requireNonNull(documents.find(JOB)).id(), 1, 6, NOW));
    }

    /** The same documents, where a question over all of them is answered with what was so once. */
    private Documents stale(String question, Object... once) {
        return (Documents) Proxy.newProxyInstance(
                Documents.class.getClassLoader(), new Class<?>[] {Documents.class}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals(question) ? List.of(once) : method.invoke(documents, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static NewRow row(String payload) {
        return NewRow.of(Key.of("a"), payload);
    }

    @Test
    void a_row_that_was_taken_up_again_meanwhile_is_not_pruned() {
        var job = claimed().job();
        var hold = new Change.Hold(job.id(), job.standing().fence());
        make(documents, new Change.EnrolRows("c", List.of(row("1")), false));
        make(documents, send(hold, 1, "p"));
        var drop = new Change.SayOfRows("c", List.of(new RowRef("a", 1)), new RowWord.Drop(), new Audit("anna", "no"));
        var failed = new RowAnswer("a", 1, 1, new RowAnswer.RowEnding.RowFailed("blocked", "no", true, true), null);
        make(documents, new Change.ReconcileRows("c", List.of(failed), 9));
        make(documents, drop);
        var later = NOW.plusSeconds(1);
        var prune = new Change.PruneRows("c", later, 10);

        asked = "settledRows";
        faster = new Change.SayOfRows(
                "c", List.of(new RowRef("a", 1)), new RowWord.TryAgain(), new Audit("anna", "after all"));
        assertThat(make(raced, prune)).isEqualTo(new Applied.Pruned(0));
        make(documents, send(hold, 2, "q"));
        assertThat(make(stale("settledRows", new RowDocument.RowName("c", "a")), prune))
                .as("it is awaited")
                .isEqualTo(new Applied.Pruned(0));
        assertThat(make(stale("settledRows", new RowDocument.RowName("c", "nobody")), prune))
                .isEqualTo(new Applied.Pruned(0));
        assertThat(Objects.requireNonNull(documents.row(new RowDocument.RowName("c", "a")))
                        .isPruned())
                .isFalse();
    }

    private static Change.SendRowsIfOwned send(Change.Hold hold, int number, String part) {
        return new Change.SendRowsIfOwned(
                hold,
                Changes.owned(hold.fence(), number),
                List.of(new Entry.StepDone(new Place("", "send", part), "1")),
                new PartSending("c", part, List.of(new RowRef("a", 1)), 9));
    }

    @Test
    void the_times_of_a_gate_that_is_not_there_are_not_mended() {
        assertThat(make(stale("closedAfter", "nowhere"), new Change.MendTimes(10)))
                .isEqualTo(new Applied.Mended(0, Duration.ZERO, false));
    }

    @Test
    void what_anybody_else_has_written_keeps_a_change_from_being_made_of_what_it_was() {
        var job = claimed().job();
        var hold = new Change.Hold(job.id(), job.standing().fence());
        make(documents, new Change.EnrolRows("c", List.of(row("1")), false));
        var anna = new Audit("anna", "so");
        var rate = new Rate("bank", 9, Duration.ofMinutes(1));
        var prices = Prices.parse("ours", "m, 3.00, 15.00");
        make(documents, new Change.PassGateIfOwned(hold, 60, rate));
        for (var pair : List.of(
                List.of(
                        new Change.EnrolRows("c", List.of(row("1")), false),
                        new Change.EnrolRows("c", List.of(NewRow.of(Key.of("b"), "1")), false)),
                List.of(new Change.NotePart("c", "p", "{}"), send(hold, 1, "p")),
                List.of(
                        new Change.SayOfRows("c", List.of(new RowRef("a", 1)), new RowWord.Drop(), anna),
                        new Change.EnrolRows("c", List.of(row("2")), true)),
                List.<Change>of(new Change.KeepPrices(prices, anna), new Change.KeepPrices(prices, anna)))) {
            refused.set(0);
            faster = pair.getLast();
            make(raced, pair.getFirst());
            assertThat(refused).as(pair.toString()).hasValue(1);
        }
    }

    private Change.Hold claimedToo(String key, long claim) {
        var identity = new Identity("w", Key.of(key));
        make(documents, new Change.SubmitJob(identity, "1", null));
        var id = Objects.requireNonNull(documents.find(identity)).id();
        var taken = Objects.requireNonNull(DocumentRules.claim(documents, id, 1, claim, NOW));
        return new Change.Hold(id, taken.job().standing().fence());
    }

    @Test
    void a_gate_a_rate_and_what_is_left_to_do_are_compared_although_no_job_has_changed() {
        var first = claimed();
        make(documents, waits(first, "g"));
        make(documents, new Change.CancelJob(first.job().id(), 99, new Audit("anna", "no")));
        var hold = claimedToo("b", 2);
        documents.take(StoreLines.line(new FollowUp(70, new FollowUp.LetGo("g", 1))));
        var third = claimedToo("c", 3);
        var rate = new Rate("bank", 9, Duration.ofMinutes(1));
        for (var pair : List.<List<Change>>of(
                List.of(
                        new Change.OpenGate("g", 1, new Audit("anna", "mine")),
                        new Change.OpenGate("g", 1, new Audit("bert", "mine"))),
                List.of(
                        new Change.PassGateIfOwned(hold, Changes.owned(1, 1), rate),
                        new Change.PassGateIfOwned(third, Changes.owned(1, 1), rate)),
                List.of(new Change.GoOn(70, 0), new Change.GoOn(70, 0)))) {
            refused.set(0);
            faster = pair.getLast();
            assertThat(make(raced, pair.getFirst())).as(pair.toString()).isNotNull();
            assertThat(refused).as(pair.toString()).hasValue(1);
        }
    }
}
