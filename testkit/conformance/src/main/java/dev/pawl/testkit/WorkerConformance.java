package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Verdict;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Progress;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.StoredJob.Suspicion;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How workers come, beat, die and leave, and what becomes of their jobs, on every store. */
public abstract class WorkerConformance extends StoreHarness {
    @Test
    void a_take_over_declares_one_beat_dead_and_no_later_one() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(new Change.Beat(1, 1));
        assertThat(driver.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(driver.state(held)).isEqualTo(JobState.RUNNING);
        assertThat(driver.apply(new Change.TakeOver(1, 1, WorkerEnd.BEAT_STOOD_STILL)))
                .isInstanceOf(Applied.TookOver.class);
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        assertThat(driver.apply(new Change.Beat(1, 2))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.claim(1, 1)).as("a dead worker claims nothing").isEmpty();
    }

    @Test
    void a_number_that_others_speak_of_before_it_is_there_is_enlisted_all_the_same() {
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL));
        driver.apply(new Change.Beat(1, 7));
        assertThat(driver.apply(new Change.Enlist(1, "a", Duration.ofSeconds(30), Taking.of(StoreDriver.WORKFLOW))))
                .isInstanceOf(Applied.Now.class);
    }

    @Test
    void a_number_that_was_declared_dead_or_has_retired_is_not_enlisted_again() {
        var dead = new Change.Enlist(1, "dead", Duration.ofSeconds(30), Taking.of(StoreDriver.WORKFLOW));
        var retired = new Change.Enlist(2, "retired", Duration.ofSeconds(30), Taking.of(StoreDriver.WORKFLOW));
        driver.apply(dead);
        driver.apply(retired);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL));
        driver.apply(new Change.Retire(2));
        for (var late : List.of(dead, retired)) {
            assertThat(driver.apply(late)).isInstanceOf(Applied.LeaseLost.class);
        }
        assertThat(driver.apply(new Change.Beat(1, 7))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.store().workers()).isEmpty();
        time.advance(Change.Enlist.REMEMBERED.plusSeconds(1));
        assertThat(driver.apply(dead)).as("nothing is on its way for so long").isInstanceOf(Applied.Now.class);
    }

    @Test
    void a_worker_that_owns_jobs_cannot_retire() {
        var held = driver.hold("a", driver.enlist(1));
        assertThat(driver.apply(new Change.Retire(1))).isInstanceOf(Applied.Conflict.class);
        driver.apply(held.release(Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.apply(new Change.Retire(1))).isInstanceOf(Applied.Now.class);
        assertThat(driver.store().workers()).isEmpty();
    }

    @Test
    void three_strikes_are_for_the_suspect_alone_and_its_neighbours_go_free() {
        driver.enlist(1);
        for (var key : List.of("poison", "b", "c", "d")) {
            driver.submit(key, "1");
        }
        assertThat(driver.claim(1, 4)).hasSize(4);
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));

        for (var strike = 1; strike <= 3; strike++) {
            var worker = driver.enlist(10 + strike);
            var claimed = driver.claim(worker, 4);
            assertThat(claimed).as("suspects are claimed singly").hasSize(1);
            assertThat(claimed.getFirst().job().identity()).isEqualTo(identity("poison"));
            driver.apply(new Change.TakeOver(worker, 0, WorkerEnd.PROCESS_GONE));
        }
        var poison = driver.store().find(identity("poison")).orElseThrow();
        assertThat(poison.state()).isEqualTo(JobState.FAILED);
        assertThat(poison.outcome().failure()).isNotNull();
        for (var key : List.of("b", "c", "d")) {
            var neighbour = driver.store().find(identity(key)).orElseThrow();
            assertThat(neighbour.state()).isEqualTo(JobState.READY);
            assertThat(neighbour.standing().suspicion()).isEqualTo(new Suspicion(true, 0));
        }
    }

    @Test
    void a_job_that_made_progress_is_no_suspect() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.step("s", "1"));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        assertThat(driver.job(held.job().id()).standing().suspicion()).isEqualTo(Suspicion.NONE);
        driver.enlist(2);
        var again = driver.claim(2, 1).getFirst();
        assertThat(again.journal().stream().map(JournalLine::entry))
                .contains(new Entry.OwnerGone(held.job().standing().fence(), true, 0));
        driver.apply(new Change.TakeOver(2, 0, WorkerEnd.PROCESS_GONE));
        assertThat(driver.job(held.job().id()).standing().suspicion()).isEqualTo(new Suspicion(true, 0));
    }

    @Test
    void what_its_code_says_of_how_far_it_is_makes_no_job_less_suspect() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.record(new Entry.Progressed(
                Place.WORKFLOW, Entry.Progressed.INSIDE, 1, Progress.of("loading, and about to run out of memory"))));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        assertThat(driver.job(held.job().id()).standing().suspicion()).isEqualTo(new Suspicion(true, 0));
    }

    @Test
    void a_suspect_does_not_keep_others_from_being_claimed() {
        driver.hold("a", driver.enlist(1));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        driver.submit("b", "1");
        driver.submit("c", "1");
        driver.enlist(2);
        assertThat(driver.claim(2, 3)).hasSize(3);
        var other = new Wanted(2, 1_000, Taking.of(StoreDriver.WORKFLOW), 3, false);
        assertThat(driver.ask(other).claimed()).isEmpty();
    }

    @Test
    void a_struck_out_job_in_doubt_is_paused_because_doubt_sticks() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        for (var worker = 2; worker <= 5; worker++) {
            driver.enlist(worker);
            driver.claim(worker, 1);
            driver.apply(new Change.TakeOver(worker, 0, WorkerEnd.PROCESS_GONE));
        }
        var job = driver.job(held.job().id());
        assertThat(job.state()).isEqualTo(JobState.PAUSED);
        assertThat(job.outcome().question()).isNotNull();
        assertThat(driver.apply(held.decide(Verdict.DONE, "1"))).isInstanceOf(Applied.Now.class);
    }

    @Test
    void a_worker_that_gave_its_number_up_blames_no_job() {
        var held = driver.hold("a", driver.enlist(1));
        for (var worker = 2; worker < 9; worker++) {
            driver.apply(new Change.TakeOver(worker - 1, 0, WorkerEnd.GAVE_UP));
            driver.enlist(worker);
            assertThat(driver.claim(worker, 1)).hasSize(1);
        }
        assertThat(driver.job(held.job().id()).standing().suspicion()).isEqualTo(Suspicion.NONE);
    }
}
