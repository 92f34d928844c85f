package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.JobParked;
import dev.pawl.failure.LeaseLost;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a step is promised, and what a workflow's code may and may not do. */
class StepPromisesTest {

    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    @Test
    void a_failed_attempt_is_recorded_before_any_wait_and_the_budget_ends() {
        var calls = new AtomicInteger();
        var job = run((run, input) -> run.step(named("s").attempts(3), String.class, () -> {
            throw new IllegalStateException("down " + calls.incrementAndGet());
        }));
        stage.until(job, JobState.FAILED);
        assertThat(calls).hasValue(3);
        assertThat(stage.journal(job))
                .filteredOn(e -> e instanceof Entry.StepTried)
                .hasSize(3);
        var failure = Objects.requireNonNull(stage.job(job).outcome().failure());
        assertThat(failure.failure().message()).isEqualTo("IllegalStateException: down 3");
        assertThat(failure.place().name()).isEqualTo("s");
    }

    @Test
    void a_permanent_failure_is_not_tried_again() {
        var calls = new AtomicInteger();
        var job = run((run, input) -> run.step("s", String.class, () -> {
            calls.incrementAndGet();
            throw new PermanentFailure("no");
        }));
        stage.until(job, JobState.FAILED);
        assertThat(calls).hasValue(1);
    }

    @Test
    void a_wish_to_be_left_alone_is_respected() {
        var times = new ArrayList<Long>();
        var job = run((run, input) -> run.step("s", String.class, () -> {
            times.add(actor.process.nanos());
            if (times.size() == 1) {
                throw new NotSent("slow down", Duration.ofMinutes(3), null);
            }
            return "ok";
        }));
        stage.until(job, JobState.DONE);
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(Duration.ofMinutes(3));
    }

    @Test
    void account_trouble_spends_no_attempt_and_waits_at_a_gate() {
        var calls = new AtomicInteger();
        var job = run((run, input) -> run.step(named("s").attempts(1), String.class, () -> {
            if (calls.incrementAndGet() == 1) {
                throw new AccountTrouble("no credit");
            }
            return "ok";
        }));
        stage.until(job, JobState.WAITING);
        stage.forAWhile(Duration.ofDays(1));
        assertThat(calls).hasValue(1);
        stage.openGates();
        stage.until(job, JobState.DONE);
        assertThat(calls).hasValue(2);
    }

    @Test
    void a_caught_failure_is_replayed_and_not_tried_again() {
        var failing = new AtomicInteger();
        var later = new AtomicInteger();
        var job = run((run, input) -> {
            try {
                return run.step(named("s").attempts(1), String.class, () -> {
                    failing.incrementAndGet();
                    throw new IllegalStateException("no");
                });
            } catch (StepFailed caught) {
                return run.step(named("amends").attempts(5), String.class, () -> {
                    if (later.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return "amends for " + caught.place();
                });
            }
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"amends for s\"");
        assertThat(failing).hasValue(1);
        assertThat(later).hasValue(3);
    }

    @Test
    void a_time_out_interrupts_the_step_and_counts_as_an_attempt() {
        var calls = new AtomicInteger();
        var job = run((run, input) -> run.step(named("s").timeout(Duration.ofSeconds(5)), String.class, () -> {
            if (calls.incrementAndGet() == 1) {
                actor.pause(Duration.ofHours(2));
            }
            return "ok";
        }));
        stage.until(job, JobState.DONE);
        assertThat(calls).hasValue(2);
        assertThat(stage.journal(job))
                .anyMatch(e -> e instanceof Entry.StepTried tried
                        && tried.failure().code().equals("TimedOut"));
    }

    @Test
    void a_result_that_does_not_survive_json_is_refused_at_once() {
        var job = run((run, input) -> {
            run.step("s", Thread.class, () -> Thread.currentThread());
            return "never";
        });
        stage.until(job, JobState.FAILED);
        var failure = Objects.requireNonNull(stage.job(job).outcome().failure());
        assertThat(failure.failure().message()).contains("its result cannot be kept");
    }

    @Test
    void code_that_swallows_exceptions_cannot_swallow_that_the_job_has_left() {
        var seen = new ArrayList<Throwable>();
        var calls = new AtomicInteger();
        var job = run((run, input) -> {
            for (var i = 0; i < 3; i++) {
                try {
                    run.step(named("s").item("" + i), String.class, () -> {
                        if (calls.incrementAndGet() == 1) {
                            throw new IllegalStateException("flaky");
                        }
                        return "ok";
                    });
                } catch (Exception swallowed) {
                    seen.add(swallowed);
                } catch (JobParked error) {
                    seen.add(error);
                }
            }
            return "done";
        });
        stage.until(job, JobState.DONE);
        assertThat(seen).as("every later call throws it again").hasSize(3).allMatch(t -> t instanceof JobParked);
        assertThat(calls).hasValue(4);
    }

    @Test
    void times_and_random_numbers_are_the_same_on_every_resume() {
        var seen = new ArrayList<String>();
        var calls = new AtomicInteger();
        var job = run((run, input) -> {
            seen.add(run.now("now") + " " + run.random("random") + " " + run.uuid("id"));
            return run.step("s", String.class, () -> {
                if (calls.incrementAndGet() == 1) {
                    throw new IllegalStateException("flaky");
                }
                return "ok";
            });
        });
        stage.until(job, JobState.DONE);
        assertThat(seen).hasSize(2);
        assertThat(seen.get(0)).isEqualTo(seen.get(1));
    }

    @Test
    void the_workflows_own_failure_is_tried_again_and_a_failed_job_waits_for_someone() {
        var calls = new AtomicInteger();
        var job = run((run, input) -> {
            run.effect("e", idempotent(), input, String.class, (request, a) -> "once");
            if (calls.incrementAndGet() <= 5) {
                throw new IllegalStateException("bug");
            }
            return "ok";
        });
        stage.until(job, JobState.FAILED);
        assertThat(calls).hasValue(5);
        var id = stage.job(job).id();
        assertThat(stage.apply(new Change.RetryJob(id, stage.newId(), Stage.ANNA)))
                .isInstanceOf(Applied.Now.class);
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job))
                .filteredOn(e -> e instanceof Entry.Intended)
                .hasSize(1);
    }

    @Test
    void a_retried_job_gets_its_failed_step_a_new_budget() {
        var calls = new AtomicInteger();
        var job = run((run, input) -> run.step(named("s").attempts(2), String.class, () -> {
            if (calls.incrementAndGet() <= 3) {
                throw new IllegalStateException("down");
            }
            return "up";
        }));
        stage.until(job, JobState.FAILED);
        stage.apply(new Change.RetryJob(stage.job(job).id(), stage.newId(), Stage.ANNA));
        stage.until(job, JobState.DONE);
        assertThat(calls).hasValue(4);
    }

    @Test
    void a_resubmitted_job_does_everything_again_under_new_keys() {
        var keys = new ArrayList<String>();
        var job = run((run, input) -> run.effect("e", idempotent(), input, String.class, (request, a) -> {
            keys.add(a.key());
            return "r" + run.resubmission();
        }));
        stage.until(job, JobState.DONE);
        stage.apply(new Change.ResubmitJob(stage.job(job).id(), stage.newId(), Stage.ANNA));
        stage.until(() -> stage.job(job).state() == JobState.DONE && "\"r1\"".equals(stage.result(job)));
        assertThat(keys).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void a_record_that_no_longer_reads_is_a_question_and_never_a_failure() {
        var crash = new AtomicInteger();
        stage.work(actor, W.implementedBy((run, input) -> {
            run.step("s", String.class, () -> "text");
            return run.step("t", String.class, () -> {
                crash.incrementAndGet();
                actor.process.crash();
                actor.pause(Duration.ofHours(1));
                return "never";
            });
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> crash.get() == 1);
        var other = stage.actor("b");
        stage.work(other, W.implementedBy((run, input) -> "" + run.step("s", Integer.class, () -> 1)));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.UNREADABLE);
        stage.decide(job, Verdict.DONE, "7");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"7\"");
    }

    @Test
    void a_polite_stop_lets_the_running_step_finish_and_hands_the_job_back() {
        var steps = new ArrayList<String>();
        Workflow.Body<String, String> body = (run, input) -> {
            for (var name : List.of("one", "two")) {
                run.step(name, String.class, () -> {
                    steps.add(name);
                    actor.process.pauseQuietly(Duration.ofSeconds(10));
                    return name;
                });
            }
            return "ok";
        };
        stage.work(actor, W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> steps.size() == 1);
        actor.shutDown();
        stage.until(job, JobState.READY);
        assertThat(stage.job(job).standing().suspicion().suspect()).isFalse();
        stage.forAWhile(Duration.ofSeconds(5));
        assertThat(stage.store.workers()).as("it has retired").isEmpty();
        var other = stage.actor("b");
        stage.work(other, W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(steps).containsExactly("one", "two");
    }

    @Test
    void a_worker_that_slept_stops_before_it_repeats_anything() {
        var runs = new ArrayList<String>();
        Workflow.Body<String, String> body = (run, input) -> {
            for (var name : List.of("one", "two", "three")) {
                run.step(name, String.class, () -> {
                    runs.add(name);
                    return name;
                });
                if (name.equals("one") && !actor.process.frozen() && runs.size() == 1) {
                    actor.process.freeze(Duration.ofMinutes(5), true);
                    actor.process.pauseQuietly(Duration.ofMillis(1));
                }
            }
            return "ok";
        };
        stage.work(actor, W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> actor.process.frozen());
        var other = stage.actor("b");
        stage.work(other, W.implementedBy(body));
        stage.until(job, JobState.DONE);
        stage.forAWhile(Duration.ofMinutes(10));
        assertThat(runs).containsExactly("one", "two", "three");
    }

    @Test
    void events_tell_the_whole_story_of_a_job() {
        var calls = new AtomicInteger();
        var job = run((run, input) -> {
            run.step("plan", String.class, () -> "p");
            run.effect("send", idempotent(), input, String.class, (request, a) -> {
                if (calls.incrementAndGet() == 1) {
                    throw new NotSent("busy");
                }
                return "sent";
            });
            try {
                run.step(named("tidy").attempts(1), String.class, () -> {
                    throw new PermanentFailure("cannot");
                });
            } catch (StepFailed failed) {
                return "untidy";
            }
            return "tidy";
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.events("claimed").getFirst().fields()).containsKeys("job", "fence", "worker", "lease");
        assertThat(stage.events("attempt-begins"))
                .extracting(event ->
                        event.fields().get("step") + " " + event.fields().get("attempt"))
                .containsExactly("plan 1", "send 1", "send 2", "tidy 1");
        assertThat(stage.events("attempt-begins").get(1).fields()).containsKey("key");
        assertThat(stage.events("attempt-failed"))
                .singleElement()
                .satisfies(event -> assertThat(event.fields())
                        .containsEntry("class", "TRANSIENT")
                        .containsEntry("why", "busy")
                        .containsKey("delay"));
        assertThat(stage.events("resumes"))
                .singleElement()
                .satisfies(event ->
                        assertThat(event.fields()).containsEntry("step", "send").containsEntry("recorded", "1"));
        assertThat(stage.events("attempt-done"))
                .extracting(event -> event.fields().get("step"))
                .containsExactly("plan", "send");
        assertThat(stage.events("gave-up"))
                .singleElement()
                .satisfies(event ->
                        assertThat(event.fields()).containsEntry("step", "tidy").containsEntry("class", "PERMANENT"));
        assertThat(stage.events("done").getFirst().fields()).containsKey("time");
    }

    @Test
    void an_exception_of_the_workflows_own_code_is_told_with_its_class_and_delay() {
        var calls = new AtomicInteger();
        var job = run((run, input) -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("oops");
            }
            return "ok";
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.events("attempt-failed"))
                .singleElement()
                .satisfies(event -> assertThat(event.fields())
                        .containsEntry("step", "(workflow)")
                        .containsEntry("class", "TRANSIENT")
                        .containsKey("delay"));
    }

    @Test
    void a_step_that_says_that_a_lease_was_lost_which_is_not_has_failed_like_any_other() {
        var tries = new AtomicInteger();
        var job = run((run, input) -> run.step("s", String.class, () -> {
            if (tries.incrementAndGet() == 1) {
                throw new LeaseLost("another one's");
            }
            return "done";
        }));
        stage.until(job, JobState.DONE);
        assertThat(tries).hasValue(2);
        assertThat(stage.journal(job))
                .filteredOn(Entry.StepTried.class::isInstance)
                .singleElement()
                .satisfies(
                        entry -> assertThat(((Entry.StepTried) entry).failure().message())
                                .contains("another one's"));
        assertThat(stage.events("lease-lost")).isEmpty();
    }
}
