package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Verdict;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What it means to call a job off. */
class StoppingTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Workflow<String, String> CHILD = Workflow.named("child", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger acts = new AtomicInteger();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    private void cancel(Identity job) {
        stage.apply(new Change.CancelJob(stage.job(job).id(), stage.newId(), Stage.ANNA));
    }

    @Test
    void a_worker_that_closes_while_it_asks_for_jobs_hands_back_what_it_is_given() {
        var asked = new AtomicInteger();
        UnaryOperator<Store> slow = store -> new DelegatingStore(store) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                var given = super.exchange(changes, wanted);
                if (!given.claimed().isEmpty() && asked.incrementAndGet() == 1) {
                    actor.shutDown();
                    pause();
                }
                return given;
            }

            private void pause() {
                try {
                    actor.pause(Duration.ofSeconds(5));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void close() {}
        };
        stage.work(
                actor,
                options -> options,
                slow,
                W.implementedBy((run, input) -> run.step("ran", String.class, () -> "ran " + acts.incrementAndGet())));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.RUNNING);
        stage.until(job, JobState.READY);
        stage.until(() -> stage.store.workers().isEmpty());
        assertThat(asked).hasValue(1);
        assertThat(acts).hasValue(0);
        assertThat(stage.job(job).standing().suspicion().suspect()).isFalse();
        assertThat(stage.journal(job)).noneMatch(entry -> entry instanceof Entry.OwnerGone);
    }

    @Test
    void a_worker_that_is_stopped_while_it_enlists_says_good_bye_all_the_same() {
        var enlisted = new AtomicInteger();
        UnaryOperator<Store> slow = store -> new DelegatingStore(store) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                var given = super.exchange(changes, wanted);
                if (changes.stream().anyMatch(Change.Enlist.class::isInstance)) {
                    enlisted.incrementAndGet();
                    actor.asks(() -> actor.engine().stopWorking());
                    try {
                        actor.pause(Duration.ofSeconds(5));
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                return given;
            }

            @Override
            public void close() {}
        };
        stage.work(actor, options -> options, slow, W.implementedBy((run, input) -> "ran"));
        stage.until(() -> enlisted.get() == 1);
        stage.forAWhile(Duration.ofSeconds(10));
        assertThat(enlisted).hasValue(1);
        assertThat(stage.store.workers()).isEmpty();
    }

    @Test
    void a_running_job_stops_at_its_next_boundary_and_keeps_what_it_has() {
        var job = run((run, input) -> {
            run.step("slow", String.class, () -> {
                actor.pause(Duration.ofSeconds(20));
                return "";
            });
            return run.step("next", String.class, () -> "ran " + acts.incrementAndGet());
        });
        stage.until(job, JobState.RUNNING);
        cancel(job);
        stage.until(job, JobState.CANCELLED);
        assertThat(acts).hasValue(0);
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.StepDone))
                .hasSize(1);
    }

    @Test
    void an_act_in_flight_is_awaited_and_its_answer_kept() {
        var job = run((run, input) -> {
            run.effect("mail", none(), "m", String.class, (request, a) -> {
                actor.pause(Duration.ofSeconds(20));
                return "sent";
            });
            return run.effect("again", none(), "m", String.class, (request, a) -> "sent " + acts.incrementAndGet());
        });
        stage.until(() -> stage.journal(job).stream().anyMatch(e -> e instanceof Entry.Intended));
        cancel(job);
        stage.until(job, JobState.CANCELLED);
        assertThat(acts).hasValue(0);
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.Answered))
                .hasSize(1);
    }

    @Test
    void a_job_that_is_called_off_in_doubt_is_paused_and_ends_when_a_person_has_said() {
        var job = run((run, input) -> run.effect("mail", none(), "m", String.class, (request, a) -> {
            actor.pause(Duration.ofSeconds(5));
            throw new IllegalStateException("no answer");
        }));
        stage.until(() -> stage.journal(job).stream().anyMatch(e -> e instanceof Entry.Intended));
        cancel(job);
        stage.until(job, JobState.PAUSED);
        stage.forAWhile(Duration.ofHours(3));
        assertThat(stage.job(job).state()).isEqualTo(JobState.PAUSED);
        stage.decide(job, Verdict.RETRY, null);
        stage.until(job, JobState.CANCELLED);
    }

    @Test
    void a_job_whose_owner_died_after_it_was_called_off_still_ends() {
        var job = run((run, input) -> run.step("slow", String.class, () -> {
            actor.pause(Duration.ofHours(20));
            return "";
        }));
        stage.until(job, JobState.RUNNING);
        actor.process.crash();
        cancel(job);
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> "ran"));
        stage.until(job, JobState.CANCELLED);
    }

    @Test
    void a_job_called_off_in_doubt_waits_quietly_until_nothing_can_land() {
        var job = run((run, input) -> run.effect(
                dev.pawl.job.Named.named("mail").timeout(Duration.ofHours(1)),
                none(),
                "m",
                String.class,
                (request, a) -> {
                    actor.pause(Duration.ofHours(5));
                    return "never";
                }));
        stage.until(() -> stage.journal(job).stream().anyMatch(e -> e instanceof Entry.Intended));
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> "never"));
        stage.until(() -> stage.journal(job).stream().anyMatch(e -> e instanceof Entry.OwnerGone));
        cancel(job);
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.RETRY, null);
        stage.until(job, JobState.CANCELLED);
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.Released))
                .hasSizeLessThan(5);
    }

    @Test
    void a_detached_child_goes_on_although_its_parent_was_called_off() {
        stage.work(
                actor,
                W.implementedBy(
                        (run, input) -> run.call(dev.pawl.job.Named.named("c").detached(), CHILD, Key.of("1"), input)),
                CHILD.implementedBy((run, input) -> {
                    run.sleep("long", Duration.ofHours(1));
                    return "" + acts.incrementAndGet();
                }));
        var parent = stage.submit(W, "x", "in");
        stage.until(parent, JobState.WAITING);
        stage.forAWhile(Duration.ofSeconds(5));
        cancel(parent);
        stage.until(parent, JobState.CANCELLED);
        stage.until(new Identity("child", Key.of("1")), JobState.DONE);
        assertThat(acts).hasValue(1);
    }

    @Test
    void children_are_called_off_with_their_parent() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.map(
                                "m",
                                List.of("1", "2"),
                                item -> item,
                                (each, item) -> each.call("c", CHILD, Key.of(item), item))
                        .toString()),
                CHILD.implementedBy((run, input) -> {
                    run.sleep("long", Duration.ofDays(3));
                    return "" + acts.incrementAndGet();
                }));
        var parent = stage.submit(W, "x", "in");
        stage.until(parent, JobState.WAITING);
        stage.forAWhile(Duration.ofSeconds(5));
        cancel(parent);
        for (var key : List.of("1", "2")) {
            stage.until(new Identity("child", Key.of(key)), JobState.CANCELLED);
        }
        assertThat(stage.job(parent).state()).isEqualTo(JobState.CANCELLED);
        assertThat(acts).hasValue(0);
    }
}
