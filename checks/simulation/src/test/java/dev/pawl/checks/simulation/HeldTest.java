package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.HeldChange;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Somebody else holds for long what some changes are about. */
class HeldTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final List<String> acts = new ArrayList<>();
    private Predicate<Change> held = change -> false;

    /** The store, of which some is held. */
    private Store view(Store store) {
        return new DelegatingStore(store) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                var waiting = IntStream.range(0, changes.size())
                        .filter(i -> held.test(changes.get(i)))
                        .boxed()
                        .toList();
                if (!waiting.isEmpty()) {
                    throw new HeldChange(waiting, "somebody holds it", null);
                }
                return super.exchange(changes, wanted);
            }
        };
    }

    private void work(Stage.Actor who, Workflow.Body<String, String> body) {
        stage.work(who, options -> options, this::view, W.implementedBy(body));
    }

    private static boolean isOf(Change change, Class<? extends Change> kind, long job) {
        return kind.isInstance(change) && change.job() == job;
    }

    private void nobodyLostAnything() {
        for (var event : List.of("store-failed", "lease-lost", "worker-lost", "took-over")) {
            assertThat(stage.events(event)).as(event).isEmpty();
        }
    }

    @Test
    void a_run_waits_for_as_long_as_it_takes_and_all_others_go_on() {
        work(
                actor,
                (job, input) -> job.step("s", String.class, () -> {
                    acts.add(input);
                    return input;
                }));
        var first = stage.submit(W, "held", "held");
        var id = stage.job(first).id();
        held = change -> isOf(change, Change.RecordStepIfOwned.class, id);
        stage.forAWhile(Duration.ofSeconds(10));
        for (var i = 0; i < 5; i++) {
            stage.until(stage.submit(W, "other-" + i, "other-" + i), JobState.DONE);
        }
        stage.forAWhile(LONG);
        assertThat(stage.job(first).state()).isEqualTo(JobState.RUNNING);
        held = change -> false;
        stage.until(first, JobState.DONE);
        assertThat(acts).containsOnlyOnce("held").hasSize(6);
        nobodyLostAnything();
    }

    @Test
    void the_answer_of_an_effect_waits_too_and_nobody_is_asked_about_what_is_known() {
        work(
                actor,
                (job, input) -> job.effect("e", none(), input, String.class, (request, attempt) -> {
                    acts.add(request);
                    return request;
                }));
        held = change -> change instanceof Change.AnswerAttempt;
        var job = stage.submit(W, "x", "x");
        stage.forAWhile(LONG);
        held = change -> false;
        stage.until(job, JobState.DONE);
        assertThat(acts).containsExactly("x");
        nobodyLostAnything();
    }

    @Test
    void a_submission_that_takes_its_job_waits_and_the_job_runs_once() {
        work(
                actor,
                (job, input) -> job.step("s", String.class, () -> {
                    acts.add(input);
                    return input;
                }));
        stage.forAWhile(Duration.ofSeconds(10));
        held = change -> change instanceof Change.SubmitJob;
        actor.asks(() -> actor.engine().submit(new Identity(W.name(), Key.of("x")), "\"x\"", Handling.usual()));
        stage.forAWhile(LONG);
        assertThat(acts).isEmpty();
        held = change -> false;
        stage.until(() -> !acts.isEmpty());
        stage.until(new Identity(W.name(), Key.of("x")), JobState.DONE);
        assertThat(acts).containsExactly("x");
        nobodyLostAnything();
    }

    @Test
    void a_person_is_told_after_a_while() {
        work(actor, (job, input) -> {
            actor.pause(Duration.ofHours(1));
            return input;
        });
        var job = stage.submit(W, "x", "x");
        stage.until(job, JobState.RUNNING);
        held = change -> change instanceof Change.CancelJob;
        var told = new AtomicReference<StoreFailure>();
        actor.asks(() -> {
            try {
                actor.engine().change(new Change.CancelJob(stage.job(job).id(), stage.newId(), Stage.ANNA));
            } catch (StoreFailure failure) {
                told.set(failure);
            }
        });
        stage.until(() -> told.get() != null);
        assertThat(told.get()).hasMessageContaining("somebody holds it");
        nobodyLostAnything();
    }

    @Test
    void whoever_only_submits_is_told_too() {
        stage.enter(actor, this::view);
        held = change -> change instanceof Change.SubmitJob;
        var told = new AtomicReference<StoreFailure>();
        actor.asks(() -> {
            try {
                actor.engine().submit(new Identity(W.name(), Key.of("x")), "\"x\"", Handling.usual());
            } catch (StoreFailure failure) {
                told.set(failure);
            }
        });
        stage.until(() -> told.get() != null);
        assertThat(told.get()).hasMessageContaining("somebody holds it");
    }

    @Test
    void a_worker_whose_own_row_is_held_waits_for_it() {
        held = change -> change instanceof Change.Enlist;
        work(actor, (job, input) -> job.step("s", String.class, () -> input));
        var job = stage.submit(W, "x", "x");
        stage.forAWhile(LONG);
        assertThat(stage.job(job).state()).isEqualTo(JobState.READY);
        held = change -> false;
        stage.until(job, JobState.DONE);
    }

    @Test
    void a_dead_worker_one_of_whose_jobs_is_held_is_taken_over_later_and_another_at_once() {
        var dead = List.of(stage.actor("d"), stage.actor("e"));
        var jobs = new ArrayList<Identity>();
        for (var one : dead) {
            stage.work(one, W.implementedBy((job, input) -> {
                one.pause(Duration.ofDays(1));
                return "never";
            }));
            var job = stage.submit(W, one.process.name(), "x");
            stage.until(job, JobState.RUNNING);
            jobs.add(job);
            one.process.crash();
        }
        var first = stage.job(jobs.getFirst()).standing().owner();
        held = change -> change instanceof Change.TakeOver over && over.worker() == first;
        work(actor, (job, input) -> input);
        stage.until(jobs.getLast(), JobState.DONE);
        assertThat(stage.job(jobs.getFirst()).state()).isEqualTo(JobState.RUNNING);
        held = change -> false;
        stage.until(jobs.getFirst(), JobState.DONE);
    }

    @Test
    void what_a_process_knows_of_an_attempt_is_told_once_nobody_holds_it_any_more() {
        var failed = new int[1];
        work(
                actor,
                (job, input) -> job.effect("e", none(), input, String.class, (request, attempt) -> {
                    acts.add(request);
                    return request;
                }));
        held = change -> {
            // Whoever commits alone asks once, and then the committer.
            if (change instanceof Change.AnswerAttempt && failed[0]++ < 2) {
                throw new StoreFailure(StoreFailure.Move.OPERATOR, "no more", null);
            }
            return change instanceof Change.AnswerAttempt;
        };
        var job = stage.submit(W, "x", "x");
        stage.until(job, JobState.PAUSED);
        stage.forAWhile(LONG);
        held = change -> false;
        stage.until(job, JobState.DONE);
        assertThat(acts).containsExactly("x");
    }

    @Test
    void what_is_not_about_one_change_is_the_business_of_all() {
        work(actor, (job, input) -> job.step("s", String.class, () -> input));
        var times = new int[1];
        held = change -> {
            if (!(change instanceof Change.RecordStepIfOwned)) {
                return false;
            }
            if (times[0]++ == 1) {
                throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "no answer", null);
            }
            return times[0] == 1;
        };
        var job = stage.submit(W, "x", "x");
        stage.until(job, JobState.DONE);
        assertThat(times[0]).isGreaterThan(2);
        nobodyLostAnything();
    }
}
