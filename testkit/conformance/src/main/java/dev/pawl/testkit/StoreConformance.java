package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.EFFECT;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.JobQuery;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import dev.pawl.store.SqlStore;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.StoreDriver.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What every store must do. A store's test extends this and says how one is opened; what a store cannot do is asserted too, so no test here
 * is ever passed over.
 */
public abstract class StoreConformance extends StoreHarness {
    /** Whether the store can run a user's SQL in its own commit. */
    protected abstract boolean hasSql();

    /** Whether the store knows at once that a worker's process is gone. */
    protected abstract boolean knowsTheDead();

    // ---- submitting

    @Test
    void the_same_identity_is_the_same_job() {
        var first = driver.submit("a", "1");
        var second = driver.submit("a", "1");

        assertThat(first).isInstanceOf(Applied.Now.class);
        assertThat(second).isInstanceOf(Applied.Already.class);
        assertThat(driver.store().jobs(JobQuery.all()).jobs()).hasSize(1);
        assertThat(driver.store().find(identity("a")).orElseThrow().input()).isEqualTo("1");
        assertThat(driver.store().find(identity("b"))).isEmpty();
    }

    @Test
    void another_input_takes_the_place_of_one_that_nobody_started_on() {
        driver.submit("a", "1");
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Replaced.class);
        assertThat(driver.store().find(identity("a")).orElseThrow().input()).isEqualTo("2");
    }

    @Test
    void another_input_is_a_conflict_while_the_job_is_in_flight_or_failed() {
        var held = driver.hold("a", driver.enlist(1));
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Conflict.class);
        driver.apply(held.release(Until.TRY_LATER, Duration.ZERO));
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Conflict.class);
        var again = driver.claimed(driver.claim(1, 1).getFirst());
        driver.apply(again.fail());
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Conflict.class);
        assertThat(driver.job(held.job().id()).input()).isEqualTo("1");
    }

    @Test
    void another_input_for_a_job_that_is_done_changes_nothing() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.finish("\"r\""));
        assertThat(driver.submit("a", "2")).isInstanceOf(Applied.Already.class);
        var stored = driver.job(held.job().id());
        assertThat(stored.input()).isEqualTo("1");
        assertThat(stored.outcome().result()).isEqualTo("\"r\"");
    }

    @Test
    void a_submission_may_be_claimed_in_the_same_commit_and_asked_again() {
        driver.enlist(1);
        var submit = new Change.SubmitJob(identity("a"), "1", new Change.SubmitJob.Claim(1, 99));
        var first = driver.store().exchange(List.of(submit), Wanted.NOTHING);
        var again = driver.store().exchange(List.of(submit), Wanted.NOTHING);

        assertThat(first.claimed()).hasSize(1);
        assertThat(first.claimed().getFirst().job().standing().fence()).isEqualTo(1);
        assertThat(again.claimed()).isEqualTo(first.claimed());
        assertThat(driver.apply(driver.claimed(first.claimed().getFirst()).step("s", "1"))
                        .done())
                .isTrue();
    }

    @Test
    void a_submission_with_a_claim_of_a_worker_that_is_gone_is_just_submitted() {
        var submit = new Change.SubmitJob(identity("a"), "1", new Change.SubmitJob.Claim(77, 1));
        var exchanged = driver.store().exchange(List.of(submit), Wanted.NOTHING);
        assertThat(exchanged.applied().getFirst()).isInstanceOf(Applied.Now.class);
        assertThat(exchanged.claimed()).isEmpty();
        assertThat(driver.claim(driver.enlist(1), 1)).hasSize(1);
    }

    // ---- claiming

    @Test
    void a_claim_gives_each_job_once_under_a_higher_fence() {
        driver.enlist(1);
        driver.enlist(2);
        driver.submit("a", "1");
        driver.submit("b", "1");
        var first = driver.claim(1, 1);
        var second = driver.claim(2, 5);

        assertThat(first).hasSize(1);
        assertThat(second).hasSize(1);
        assertThat(first.getFirst().job().identity())
                .isNotEqualTo(second.getFirst().job().identity());
        assertThat(first.getFirst().job().standing().fence()).isPositive();
        assertThat(driver.claim(1, 5)).isEmpty();
    }

    @Test
    void a_claim_asked_again_gives_the_same_jobs() {
        driver.enlist(1);
        driver.submit("a", "1");
        var wanted = driver.want(1, 1);
        var first = driver.ask(wanted).claimed();
        assertThat(first).hasSize(1);
        assertThat(driver.ask(wanted).claimed()).as("with nothing else due").isEqualTo(first);
        driver.submit("b", "1");
        assertThat(driver.ask(wanted).claimed()).as("with another due").isEqualTo(first);
    }

    @Test
    void a_claim_that_arrives_late_gives_nothing_to_somebody_who_does_not_know() {
        driver.enlist(1);
        var early = driver.want(1, 1);
        driver.submit("a", "1");
        var held = driver.hold("a", 1);
        driver.submit("b", "1");
        assertThat(driver.ask(early).claimed()).as("it was overtaken").isEmpty();
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.claim(1, 5)).hasSize(2);
    }

    @Test
    void only_what_is_wanted_is_claimed_and_only_by_a_worker_that_is_enlisted() {
        driver.enlist(1);
        driver.apply(new Change.SubmitJob(new Identity("other", Key.of("a")), "1", null));
        assertThat(driver.claim(1, 5)).isEmpty();
        driver.submit("a", "1");
        assertThat(driver.claim(2, 5)).isEmpty();
        assertThat(driver.claim(1, 5)).hasSize(1);
    }

    @Test
    void a_job_is_claimed_at_its_time_and_the_store_says_when_that_is() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.release(Until.WAIT, Duration.ofSeconds(10)));
        assertThat(driver.state(held)).isEqualTo(JobState.WAITING);

        var early = driver.ask(driver.want(1, 1));
        assertThat(early.claimed()).isEmpty();
        assertThat(early.next()).isEqualTo(time.now().plusSeconds(10));
        time.advance(Duration.ofSeconds(10));
        assertThat(driver.claim(1, 1)).hasSize(1);
    }

    @Test
    void a_claim_brings_the_journal_of_the_current_run() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.step("one", "1"));
        driver.apply(held.step("two", "{\"x\":\"\\u0000 é \\ud83d\\ude00\"}"));
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        var again = driver.claim(1, 1).getFirst();
        assertThat(again.journal().stream().map(JournalLine::entry).limit(2))
                .containsExactly(
                        new Entry.StepDone(new Place("", "one", ""), "1"),
                        new Entry.StepDone(new Place("", "two", ""), "{\"x\":\"\\u0000 é \\ud83d\\ude00\"}"));
        assertThat(again.journal().getFirst().fence())
                .isEqualTo(held.job().standing().fence());
    }

    // ---- fences

    @Test
    void a_step_recorded_by_the_old_worker_is_refused_after_the_lease_moved() {
        var old = driver.hold("a", driver.enlist(1));
        driver.enlist(2);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        var before = driver.entries(old).size();

        for (var change : List.of(
                old.step("s", "1"),
                old.intend(1),
                old.release(Until.HAND_BACK, Duration.ZERO),
                old.finish("1"),
                old.fail(),
                old.askAbout(QuestionKind.IN_DOUBT))) {
            assertThat(driver.apply(change)).as(change.toString()).isInstanceOf(Applied.LeaseLost.class);
        }
        assertThat(driver.entries(old)).hasSize(before);
        var now = driver.claimed(driver.claim(2, 1).getFirst());
        assertThat(driver.apply(old.step("t", "1"))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.apply(now.step("s", "1"))).isInstanceOf(Applied.Now.class);
    }

    @Test
    void every_release_raises_the_fence() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.apply(held.step("s", "1"))).isInstanceOf(Applied.LeaseLost.class);
        var again = driver.claim(1, 1).getFirst().job();
        assertThat(again.standing().fence()).isGreaterThan(held.job().standing().fence() + 1);
    }

    @Test
    void a_fence_holds_across_handles() {
        var held = driver.hold("a", driver.enlist(1));
        var elsewhere = new StoreDriver(sameStorage());
        elsewhere.enlist(2);
        elsewhere.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL));
        assertThat(driver.apply(held.step("s", "1"))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(elsewhere.claim(2, 1)).hasSize(1);
    }

    private Store sameStorage() {
        return handle();
    }

    // ---- asking again

    @Test
    void a_change_asked_again_is_done_once() {
        var held = driver.hold("a", driver.enlist(1));
        twice(held.step("s", "1"));
        twice(held.intend(1));
        twice(held.happened(1));
        twice(held.askAbout(QuestionKind.RESULT_NOT_KEPT));
        twice(held.decide(Verdict.DONE, "1"));
        var again = driver.claimed(driver.claim(1, 1).getFirst());
        twice(again.release(Until.TRY_LATER, Duration.ZERO));
        var third = driver.claimed(driver.claim(1, 1).getFirst());
        twice(third.fail());
        twice(new Change.RetryJob(held.job().id(), driver.newId(), ANNA));
        var fourth = driver.claimed(driver.claim(1, 1).getFirst());
        twice(fourth.finish("1"));
        twice(new Change.ResubmitJob(held.job().id(), driver.newId(), ANNA));
        var fifth = driver.claimed(driver.claim(1, 1).getFirst());
        driver.apply(fifth.fail());
        twice(new Change.DiscardJob(held.job().id(), driver.newId(), ANNA));
        twice(new Change.Enlist(3, "c", Duration.ofSeconds(1), Taking.of("w")));
        twice(new Change.TakeOver(3, 0, WorkerEnd.PROCESS_GONE));
        twice(new Change.Retire(1));
    }

    private void twice(Change change) {
        assertThat(driver.apply(change))
                .as(change.toString())
                .isInstanceOfAny(Applied.Now.class, Applied.TookOver.class);
        var journal =
                change.job() == 0 ? List.<JournalLine>of() : driver.store().journal(change.job());
        assertThat(driver.apply(change)).as(change + " again").isInstanceOf(Applied.Already.class);
        assertThat(change.job() == 0 ? List.<JournalLine>of() : driver.store().journal(change.job()))
                .isEqualTo(journal);
    }

    @Test
    void jobs_of_all_wanted_workflows_are_claimed_by_how_long_they_are_due() {
        driver.enlist(1);
        driver.apply(new Change.SubmitJob(new Identity("z", Key.of("old")), "1", null));
        for (var i = 0; i < 3; i++) {
            time.advance(Duration.ofSeconds(1));
            driver.submit("new-" + i, "1");
        }
        var claimed = driver.ask(new Wanted(1, 500, Taking.of(StoreDriver.WORKFLOW, "z"), 2, true))
                .claimed();
        assertThat(claimed.stream().map(c -> c.job().identity().toString())).containsExactly("z/old", "w/new-0");
    }

    // ---- workers

    @Test
    void a_dead_process_is_known_where_the_store_can_know() {
        var lifeline = driver.store().lifeline(driver.enlist(1));
        driver.enlist(2);
        var elsewhere = handle();
        assertThat(elsewhere.knownGone(elsewhere.workers())).doesNotContain(1L);
        lifeline.close();
        var gone = elsewhere.knownGone(elsewhere.workers());
        if (knowsTheDead()) {
            assertThat(gone).containsExactlyInAnyOrder(1L, 2L);
        } else {
            assertThat(gone).isEmpty();
        }
    }

    // ---- batches

    @Test
    void many_changes_make_one_commit_and_one_refusal_harms_no_other() {
        driver.enlist(1);
        var held = new ArrayList<Held>();
        for (var i = 0; i < 20; i++) {
            held.add(driver.hold("job-" + i, 1));
        }
        var changes = new ArrayList<Change>();
        held.forEach(one -> changes.add(one.step("s", "1")));
        changes.add(new Change.AnswerAttempt(
                9_999,
                driver.newId(),
                new Change.AttemptRef(0, EFFECT, 1),
                Answer.happened("1"),
                Answer.Source.WORKER,
                null));
        changes.add(new Change.SubmitJob(identity("new"), "1", null));
        var applied = driver.store().exchange(changes, Wanted.NOTHING).applied();
        assertThat(applied.subList(0, 20)).allMatch(one -> one instanceof Applied.Now);
        assertThat(applied.get(20)).isInstanceOf(Applied.Refused.class);
        assertThat(applied.get(21)).isInstanceOf(Applied.Now.class);
    }

    @Test
    void large_values_come_back_as_they_went() {
        var large = "\"" + "x".repeat(3 << 20) + "\"";
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.step("s", large));
        driver.apply(held.finish(large));
        assertThat(driver.job(held.job().id()).outcome().result()).isEqualTo(large);
        assertThat(driver.entries(held)).containsExactly(new Entry.StepDone(new Place("", "s", ""), large));
    }

    // ---- SQL in the same commit

    @Test
    void a_transaction_commits_with_its_record_or_not_at_all() throws Exception {
        var transactional = driver.store().sql();
        assertThat(transactional.isPresent()).isEqualTo(hasSql());
        if (transactional.isEmpty()) {
            return;
        }
        var held = driver.hold("a", driver.enlist(1));
        var record = held.step("charge", "1");
        var runs = new AtomicInteger();
        SqlStore.Work work = connection -> {
            try (var statement = connection.createStatement()) {
                statement.execute("create table if not exists ledger (n integer)");
                statement.execute("insert into ledger values (" + runs.incrementAndGet() + ")");
            }
            return record.entries();
        };
        var longest = Duration.ofSeconds(5);
        assertThatThrownBy(() -> transactional
                        .get()
                        .transact(
                                held.hold(),
                                record.id(),
                                connection -> {
                                    work.run(connection);
                                    throw new IllegalStateException("user");
                                },
                                longest))
                .hasMessage("user");
        assertThat(driver.entries(held)).isEmpty();
        assertThat(transactional.get().transact(held.hold(), record.id(), work, longest))
                .isInstanceOf(Applied.Now.class);
        assertThat(transactional.get().transact(held.hold(), record.id(), work, longest))
                .isInstanceOf(Applied.Already.class);
        assertThat(runs).as("asked again, the work does not run again").hasValue(2);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        var late = held.step("late", "1");
        assertThat(transactional.get().transact(held.hold(), late.id(), work, longest))
                .isInstanceOf(Applied.LeaseLost.class);
        assertThat(runs).hasValue(2);
    }
}
