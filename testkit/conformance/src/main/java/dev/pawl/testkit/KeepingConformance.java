package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.EFFECT;
import static dev.pawl.testkit.StoreDriver.WORKFLOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Prices;
import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Origin;
import dev.pawl.effect.Answer;
import dev.pawl.failure.Thrown;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Artifact;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Costs;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.StoredJob;
import dev.pawl.look.Tombstone;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Spending;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What every store keeps beside results: artifacts, and what was spent. */
public abstract class KeepingConformance extends StoreHarness {
    private static final Place PAGE = new Place("", "page", "");
    private static final LocalDate DAY = LocalDate.parse("2026-04-12");
    private static final Use PRICED =
            Use.of("m").input(10).cached(4).output(3).tools(1).costing(500L);
    private static final Use UNPRICED = Use.of("n").output(7);

    private static Bytes bytes(String text) {
        return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Change.KeepArtifactIfOwned keep(StoreDriver.Held held, String text) {
        var artifact = new Artifact("text/html", text.length(), "hash", null);
        return new Change.KeepArtifactIfOwned(
                held.hold(), held.id(1), List.of(new Entry.ArtifactKept(PAGE, artifact)), bytes(text));
    }

    @Test
    void an_artifact_reads_back_and_is_not_part_of_the_journal() {
        var held = driver.hold("a", driver.enlist(1));
        var keep = keep(held, "<html>");
        assertThat(driver.apply(keep)).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(keep)).isInstanceOf(Applied.Already.class);
        assertThat(driver.store().artifact(held.job().id(), PAGE)).contains(bytes("<html>"));
        assertThat(driver.store().artifact(held.job().id(), EFFECT)).isEmpty();
        assertThat(driver.entries(held)).hasSize(1);
    }

    @Test
    void what_attempts_wrote_and_threw_is_in_the_journal_and_no_claim_carries_it() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(new Change.RecordStepIfOwned(
                held.hold(),
                held.id(3),
                List.of(
                        new Entry.Logged(PAGE, 1, "some text"),
                        new Entry.Threw(PAGE, 1, Thrown.of(new IllegalStateException("x"))),
                        new Entry.StepDone(PAGE, "1"))));
        driver.apply(held.release(Change.ReleaseJob.Until.HAND_BACK, Duration.ZERO));
        var again = driver.claim(1, 1).getFirst();
        assertThat(again.journal())
                .extracting(line -> line.entry().getClass().getSimpleName())
                .containsExactly("StepDone", "Released");
        assertThat(driver.store().journal(held.job().id()))
                .anyMatch(line -> line.entry() instanceof Entry.Logged)
                .anyMatch(line -> line.entry() instanceof Entry.Threw);
    }

    @Test
    void many_jobs_are_looked_at_by_their_hashes() {
        var held = driver.hold("b", driver.enlist(1));
        driver.apply(held.finish("1"));
        driver.submit("a", "1");
        var briefs = driver.store()
                .briefs(List.of(
                        StoreDriver.identity("a").hash(),
                        StoreDriver.identity("b").hash(),
                        "0".repeat(32)));
        assertThat(briefs).hasSize(2);
        var ready = Objects.requireNonNull(briefs.get(StoreDriver.identity("a").hash()));
        assertThat(ready.state()).isEqualTo(JobState.READY);
        assertThat(ready.due()).isNotNull();
        var done = Objects.requireNonNull(briefs.get(StoreDriver.identity("b").hash()));
        assertThat(done.state()).isEqualTo(JobState.DONE);
        assertThat(done.due()).isNull();
        assertThat(done.gate()).isNull();
        assertThat(done.inputHash()).isEqualTo(Tombstone.hash(held.job().input()));
        assertThat(done.wasGiven(held.job().input())).isTrue();
        assertThat(done.wasGiven("\"other\"")).isFalse();
        assertThat(driver.store().briefs(List.of())).isEmpty();
    }

    @Test
    void an_artifact_under_an_old_fence_is_not_kept() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.release(Change.ReleaseJob.Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.apply(keep(held, "late"))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.store().artifact(held.job().id(), PAGE)).isEmpty();
    }

    @Test
    void what_attempts_used_is_added_up_once_by_day_and_model() {
        var held = driver.hold("a", driver.enlist(1));
        var record = new Change.RecordStepIfOwned(
                held.hold(),
                held.id(2),
                List.of(
                        new Entry.Used(PAGE, 1, List.of(PRICED, UNPRICED), Duration.ofSeconds(2)),
                        new Entry.StepDone(PAGE, "1")));
        driver.apply(record);
        driver.apply(record);
        driver.apply(held.intend(1));
        var ref = new Change.AttemptRef(0, EFFECT, 1);
        var answer = new Change.AnswerAttempt(
                held.job().id(),
                driver.newId(),
                ref,
                Answer.happened("1"),
                Answer.Source.WORKER,
                new Entry.Used(EFFECT, 1, List.of(PRICED), Duration.ofSeconds(1)));
        driver.apply(answer);
        driver.apply(answer);

        var spent = driver.store().spent(DAY);
        assertThat(spent)
                .extracting(one -> one.workflow() + " " + one.model())
                .containsExactly(WORKFLOW + " m", WORKFLOW + " n");
        var ofM = spent.getFirst().cost();
        assertThat(ofM.nanoUsd()).isEqualTo(1_000);
        assertThat(ofM.tokens()).isEqualTo(new Use.Tokens(20, 6, 8));
        assertThat(ofM.toolCalls()).isEqualTo(2);
        assertThat(spent.getLast().cost().unknown().unpriced()).isEqualTo(1);
        assertThat(driver.store().spent(DAY.plusDays(1))).isEmpty();
        assertThat(driver.store().spentByWorkflow()).containsOnlyKeys(WORKFLOW);
        assertThat(Objects.requireNonNull(driver.store().spentByWorkflow().get(WORKFLOW)))
                .isEqualTo(spent.getFirst().cost().plus(spent.getLast().cost()));
        var costs = Costs.of(driver.store().journal(held.job().id()));
        assertThat(costs.attempts()).hasSize(2);
        assertThat(costs.total().nanoUsd()).isEqualTo(1_000);
    }

    @Test
    void what_a_late_worker_used_counts_although_its_answer_tells_nothing_new() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(held.happened(1));
        driver.apply(new Change.AnswerAttempt(
                held.job().id(),
                driver.newId(),
                new Change.AttemptRef(0, EFFECT, 1),
                Answer.happened("1"),
                Answer.Source.WORKER,
                new Entry.Used(EFFECT, 1, List.of(PRICED), Duration.ofSeconds(1))));
        assertThat(driver.store().spent(DAY)).hasSize(1);
    }

    @Test
    void a_job_costs_what_it_and_those_it_called_cost_each_once_and_what_was_pruned_is_unknown() {
        driver.enlist(1);
        var parent = driver.hold("parent", 1);
        var call =
                new Change.CalledJob(StoreDriver.identity("child"), new StoredJob.Given("1", Handling.usual()), false);
        var other = driver.hold("other", 1);
        driver.apply(other.call("one", call));
        driver.apply(parent.call("one", call));
        driver.apply(parent.call(
                "two",
                new Change.CalledJob(
                        StoreDriver.identity("other"), new StoredJob.Given("1", Handling.usual()), false)));
        var child = driver.claimed(driver.claim(1, 1).getFirst());
        driver.apply(new Change.RecordStepIfOwned(
                child.hold(), child.id(1), List.of(new Entry.Used(PAGE, 1, List.of(PRICED), Duration.ofSeconds(2)))));
        driver.apply(child.finish("1"));
        assertThat(Spending.ofJob(driver.store(), parent.job().id()).nanoUsd()).isEqualTo(500);
        driver.apply(other.finish("1"));
        driver.apply(parent.finish("1"));
        driver.apply(driver.hold("the newest is never pruned", 1).finish("1"));
        time.advance(Duration.ofDays(1));
        driver.apply(new Change.PruneJobs(time.now(), 10));
        assertThat(Spending.ofJob(driver.store(), parent.job().id())).hasToString("unknown");
    }

    @Test
    void prices_are_kept_for_everybody_and_the_newest_table_takes_the_place_of_the_one_before() {
        var store = driver.store();
        assertThat(store.pricesAfter(0)).isEmpty();
        var first = Prices.parse("p", "big, 3.00, 15.00, 0.30\nodd, 0.1, 0.000000000001, , 0, 2");
        driver.apply(new Change.KeepPrices(first, new Audit("anna", "from p")));
        var kept = store.pricesAfter(0).orElseThrow();
        assertThat(kept.prices()).isEqualTo(first);
        assertThat(kept.audit()).isEqualTo(new Audit("anna", "from p"));
        assertThat(kept.at()).isEqualTo(time.now());
        assertThat(store.pricesAfter(kept.number())).isEmpty();

        time.advance(Duration.ofMinutes(1));
        var second = Prices.parse("p", "small, 1, 2");
        driver.apply(new Change.KeepPrices(second, new Audit("bruno", "new ones", new Origin("deploy", "build-7"))));
        var newer = store.pricesAfter(kept.number()).orElseThrow();
        assertThat(newer.prices()).as("a whole table").isEqualTo(second);
        assertThat(newer.number()).isGreaterThan(kept.number());
        assertThat(newer.audit())
                .as("as the machine knows them, too")
                .isEqualTo(new Audit("bruno, as deploy on build-7", "new ones"));
        assertThat(newer.at()).isEqualTo(time.now());
        assertThat(store.pricesAfter(0)).contains(newer);
    }

    @Test
    void what_was_taken_for_lost_and_found_again_is_unknown_no_more_on_the_day_it_was() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        var gone = time.now();
        time.advance(Duration.ofDays(2));
        driver.enlist(2);
        var again = driver.claimed(driver.claim(2, 1).getFirst());
        var found = new Change.RecordStepIfOwned(
                again.hold(),
                again.id(2),
                List.of(
                        new Entry.Accounted(held.job().standing().fence(), gone),
                        new Entry.Used(PAGE, 1, List.of(PRICED), Duration.ofSeconds(1))));
        driver.apply(found);
        driver.apply(found);
        assertThat(Costs.of(driver.store().journal(held.job().id())).total()).hasToString("0.0000005USD");
        assertThat(driver.store().spent(DAY))
                .extracting(spent -> spent.day() + " " + spent.cost().unknown().lost())
                .containsExactlyInAnyOrder(DAY + " 0", DAY.plusDays(2) + " 0");
        assertThat(Objects.requireNonNull(driver.store().spentByWorkflow().get(WORKFLOW))
                        .unknown()
                        .lost())
                .isZero();
    }

    @Test
    void an_attempt_that_died_with_its_process_has_an_unknown_cost() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        assertThat(driver.store().spent(DAY).getFirst().cost().unknown().lost()).isEqualTo(1);
        assertThat(Costs.of(driver.store().journal(held.job().id())).total()).hasToString("unknown");
    }
}
