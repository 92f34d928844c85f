package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a job is promised that sleeps, waits for a signal, for a person or for another job. */
class WaitingTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Workflow<String, String> CHILD = Workflow.named("child", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger acts = new AtomicInteger();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    private Applied signal(Identity job, String name, String id, String payload) {
        return stage.apply(new Change.Deliver(
                stage.job(job).id(), new Message(id, Message.Kind.SIGNAL, name, Json.write(payload))));
    }

    // ---- sleep

    @Test
    void a_sleeping_job_leaves_its_worker_and_wakes_once_at_its_time() {
        var job = run((run, input) -> {
            run.sleep("night", Duration.ofHours(8));
            return run.step("morning", String.class, () -> "up " + acts.incrementAndGet());
        });
        stage.until(job, JobState.WAITING);
        stage.forAWhile(Duration.ofHours(7));
        assertThat(stage.job(job).state()).isEqualTo(JobState.WAITING);
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.TimeUp))
                .hasSize(1);
        assertThat(stage.result(job)).isEqualTo("\"up 1\"");
    }

    @Test
    void a_sleep_is_as_long_as_it_was_when_it_began_whoever_resumes_it_and_whatever_its_clock_says() {
        Workflow.Body<String, String> body = (run, input) -> {
            run.sleep("night", Duration.ofHours(8));
            return "up";
        };
        var job = run(body);
        stage.until(job, JobState.WAITING);
        actor.process.crash();
        var late = stage.actor("late");
        late.process.jump(Duration.ofDays(2));
        stage.work(late, W.implementedBy(body));
        stage.forAWhile(Duration.ofHours(7));
        assertThat(stage.job(job).state()).isEqualTo(JobState.WAITING);
        stage.forAWhile(Duration.ofMinutes(61));
        assertThat(stage.job(job).state()).isEqualTo(JobState.DONE);
    }

    // ---- signals

    @Test
    void a_signal_wakes_the_job_that_waits_for_it() {
        var job = run((run, input) ->
                run.awaitSignal("paid", String.class, Duration.ofDays(3)).orElse("never"));
        stage.until(job, JobState.WAITING);
        signal(job, "other", "1", "not this");
        stage.forAWhile(Duration.ofMinutes(1));
        assertThat(stage.job(job).state()).isEqualTo(JobState.WAITING);
        signal(job, "paid", "1", "in full");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"in full\"");
    }

    @Test
    void a_signal_may_come_before_the_wait_and_each_is_received_once_in_their_order() {
        var job = run((run, input) -> {
            run.sleep("first", Duration.ofMinutes(1));
            var got = new ArrayList<String>();
            for (var n : List.of("1", "2", "3")) {
                got.add(run.awaitSignal(named("reply").item(n), TypeToken.of(String.class), Duration.ofHours(1))
                        .orElse("nothing"));
            }
            return got.toString();
        });
        stage.until(job, JobState.WAITING);
        signal(job, "reply", "a", "one");
        signal(job, "reply", "a", "one");
        signal(job, "reply", "b", "two");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"[one, two, nothing]\"");
    }

    @Test
    void a_signal_that_comes_while_the_job_goes_to_wait_is_not_lost() {
        var job = run((run, input) -> {
            run.step("slow", String.class, () -> {
                actor.pause(Duration.ofSeconds(10));
                return "";
            });
            return run.awaitSignal("paid", String.class, Duration.ofDays(30)).orElse("never");
        });
        stage.until(job, JobState.RUNNING);
        stage.forAWhile(Duration.ofSeconds(5));
        signal(job, "paid", "1", "in full");
        stage.forAWhile(Duration.ofMinutes(1));
        assertThat(stage.result(job)).isEqualTo("\"in full\"");
    }

    @Test
    void a_wait_for_a_signal_ends_when_its_time_is_up_and_a_late_signal_changes_nothing() {
        var job = run((run, input) -> {
            var got = run.awaitSignal("paid", String.class, Duration.ofHours(1)).orElse("never");
            run.sleep("more", Duration.ofHours(1));
            return got + " "
                    + run.awaitSignal(named("paid").item("2"), TypeToken.of(String.class), Duration.ofHours(1))
                            .orElse("never");
        });
        stage.forAWhile(Duration.ofMinutes(61));
        signal(job, "paid", "late", "late");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"never late\"");
    }

    // ---- approvals

    private String announce(dev.pawl.job.Job run, String text) {
        run.approve("announce", text, "Announce \"" + text + "\"?", Duration.ofHours(12));
        return run.effect("announce", none(), text, String.class, (request, a) -> {
            acts.incrementAndGet();
            return request;
        });
    }

    @Test
    void an_effect_acts_only_after_the_yes() {
        var job = run((run, input) -> announce(run, "news"));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.APPROVE);
        assertThat(stage.question(job).text(job, ""))
                .contains("pawl decide w/x approve")
                .contains("counts as a no");
        assertThat(acts).hasValue(0);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(1);
    }

    @Test
    void a_no_and_a_silence_are_failures_that_code_may_catch() {
        Workflow.Body<String, String> body = (run, input) -> {
            try {
                return announce(run, "news");
            } catch (StepFailed failed) {
                return failed.failure().code();
            }
        };
        var denied = run(body);
        stage.until(denied, JobState.PAUSED);
        stage.decide(denied, Verdict.DENY, null);
        stage.until(denied, JobState.DONE);
        assertThat(stage.result(denied)).isEqualTo("\"denied\"");

        var silent = stage.submit(W, "silent", "in");
        stage.until(silent, JobState.PAUSED);
        stage.forAWhile(Duration.ofHours(11));
        assertThat(stage.job(silent).state()).isEqualTo(JobState.PAUSED);
        stage.until(silent, JobState.DONE);
        assertThat(stage.result(silent)).isEqualTo("\"not-approved\"");
        assertThat(acts).hasValue(0);
    }

    @Test
    void a_yes_is_for_one_request_and_another_one_is_asked_about_again() {
        var texts = new ArrayList<>(List.of("first", "second", "second", "second"));
        var job = run((run, input) -> announce(run, texts.removeFirst()));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).because()).contains("first");
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).because()).contains("second");
        assertThat(acts).hasValue(0);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(1);
    }

    @Test
    void another_request_is_another_question_although_nobody_answered_the_first() {
        var job = run((run, input) -> {
            run.approve("e", "request " + acts.incrementAndGet(), "may I?", Duration.ofHours(1));
            return "ok";
        });
        stage.until(job, JobState.PAUSED);
        var first = stage.question(job).id();
        stage.forAWhile(Duration.ofMinutes(90));
        assertThat(stage.question(job).id()).isNotEqualTo(first);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(() -> acts.get() > 2);
    }

    @Test
    void a_yes_that_nobody_used_in_time_has_expired() {
        var down = new AtomicInteger(1);
        var job = run((run, input) -> {
            run.approve("announce", "news", "Announce?", Duration.ofHours(1));
            run.step("check", String.class, () -> {
                if (down.get() == 1) {
                    throw new NotSent("down", Duration.ofHours(2), null);
                }
                return "";
            });
            return announceAfter(run);
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(() -> stage.journal(job).stream().anyMatch(e -> e instanceof Entry.StepTried));
        down.set(0);
        stage.until(job, JobState.PAUSED);
        assertThat(acts).hasValue(0);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(1);
    }

    private String announceAfter(dev.pawl.job.Job run) {
        return run.effect("announce", none(), "news", String.class, (request, a) -> {
            acts.incrementAndGet();
            return request;
        });
    }

    @Test
    void the_first_attempt_that_may_have_reached_the_world_uses_the_yes_up_and_one_that_did_not_does_not() {
        var job = run((run, input) -> {
            run.approve("announce", "news", "Announce?", Duration.ofDays(3));
            return run.effect("announce", idempotent(), "news", String.class, (request, a) -> switch (a.number()) {
                case 1 -> throw new NotSent("refused");
                case 2 -> throw new IllegalStateException("connection reset");
                default -> "sent by " + a.number();
            });
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.APPROVE);
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.Intended))
                .as("the first reached nothing, the second may have")
                .hasSize(2);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"sent by 3\"");
    }

    // ---- calls

    @Test
    void a_called_job_is_waited_for_and_the_same_key_is_the_same_job() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.call("ask", CHILD, Key.of("shared"), "q") + " for " + input),
                CHILD.implementedBy((run, input) -> {
                    run.sleep("thinks", Duration.ofHours(1));
                    return run.step("s", String.class, () -> input + acts.incrementAndGet());
                }));
        var one = stage.submit(W, "1", "one");
        var two = stage.submit(W, "2", "two");
        stage.until(one, JobState.WAITING);
        stage.until(one, JobState.DONE);
        stage.until(two, JobState.DONE);
        assertThat(stage.result(one)).isEqualTo("\"q1 for one\"");
        assertThat(stage.result(two)).isEqualTo("\"q1 for two\"");
        assertThat(acts).hasValue(1);
    }

    @Test
    void a_child_that_fails_or_is_called_off_is_a_failure_that_code_may_catch() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> {
                    try {
                        return run.call("ask", CHILD, Key.of(input), input);
                    } catch (StepFailed failed) {
                        return String.valueOf(failed.failure().message());
                    }
                }),
                CHILD.implementedBy((run, input) -> {
                    run.sleep("a-while", Duration.ofMinutes(5));
                    throw new PermanentFailure("cannot");
                }));
        var fails = stage.submit(W, "1", "fails");
        var off = stage.submit(W, "2", "off");
        stage.until(off, JobState.WAITING);
        stage.forAWhile(Duration.ofSeconds(5));
        var child = stage.job(new Identity("child", Key.of("off")));
        stage.apply(new Change.CancelJob(child.id(), stage.newId(), Stage.ANNA));
        stage.until(off, JobState.DONE);
        stage.until(fails, JobState.DONE);
        assertThat(stage.result(fails))
                .contains("job child/fails did not succeed")
                .contains("cannot");
        assertThat(stage.result(off)).contains("it was called off");
    }

    @Test
    void a_parent_that_failed_with_its_child_goes_on_when_both_are_retried() {
        var broken = new AtomicInteger(1);
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.call("ask", CHILD, Key.of("c"), input)),
                CHILD.implementedBy((run, input) -> {
                    if (broken.get() == 1) {
                        throw new PermanentFailure("cannot");
                    }
                    return "mended";
                }));
        var parent = stage.submit(W, "p", "in");
        stage.until(parent, JobState.FAILED);
        broken.set(0);
        var child = new Identity("child", Key.of("c"));
        stage.apply(new Change.RetryJob(stage.job(child).id(), stage.newId(), Stage.ANNA));
        stage.until(child, JobState.DONE);
        stage.apply(new Change.RetryJob(stage.job(parent).id(), stage.newId(), Stage.ANNA));
        stage.until(parent, JobState.DONE);
        assertThat(stage.result(parent)).isEqualTo("\"mended\"");
    }

    @Test
    void a_resubmitted_parent_hears_of_its_old_child_also_when_it_dies_in_between() {
        Workflow.Body<String, String> body = (run, input) -> {
            var answer = run.call("ask", CHILD, Key.of("c"), "in");
            if (acts.incrementAndGet() == 2) {
                actor.process.crash();
                actor.pause(Duration.ofDays(9));
            }
            return answer;
        };
        Workflow.Body<String, String> child = (run, input) -> "answer";
        stage.work(actor, W.implementedBy(body), CHILD.implementedBy(child));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        stage.apply(new Change.ResubmitJob(stage.job(job).id(), stage.newId(), Stage.ANNA));
        stage.until(() -> actor.process.crashed());
        stage.work(stage.actor("b"), W.implementedBy(body), CHILD.implementedBy(child));
        stage.until(job, JobState.DONE);
        assertThat(stage.job(job).standing().resubmission()).isEqualTo(1);
    }

    @Test
    void an_approval_that_expired_can_be_asked_for_again_by_a_retry() {
        var job = run((run, input) -> announce(run, "news"));
        stage.until(job, JobState.FAILED);
        stage.apply(new Change.RetryJob(stage.job(job).id(), stage.newId(), Stage.ANNA));
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(1);
    }

    @Test
    void a_child_that_was_pruned_is_a_failure_that_code_may_catch() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> {
                    try {
                        return run.call("ask", CHILD, Key.of("c"), "in");
                    } catch (StepFailed failed) {
                        return failed.failure().code();
                    }
                }),
                CHILD.implementedBy((run, input) -> "answer"));
        var child = stage.submit(CHILD, "c", "in");
        stage.until(child, JobState.DONE);
        stage.apply(new Change.PruneJobs(java.time.Instant.MAX, 10));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"pruned\"");
    }

    @Test
    void a_job_that_calls_its_own_caller_is_refused_and_both_end() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> {
                    try {
                        return run.call("ask", CHILD, Key.of("c"), "in");
                    } catch (StepFailed failed) {
                        return "caught";
                    }
                }),
                CHILD.implementedBy((run, input) -> run.call("back", W, Key.of("x"), "in")));
        var parent = stage.submit(W, "x", "in");
        stage.until(parent, JobState.DONE);
        assertThat(stage.result(parent)).isEqualTo("\"caught\"");
        var child = stage.job(new Identity("child", Key.of("c")));
        assertThat(child.state()).isEqualTo(JobState.FAILED);
        assertThat(child.outcome().failure()).asString().contains("neither would ever end");
    }

    @Test
    void a_worker_that_is_there_tells_that_the_stores_clock_was_set_and_lets_nobody_wait_for_a_time_that_never_was() {
        var clock = new AtomicReference<SimProcess>();
        var theatre = new Stage(time -> {
            clock.set((SimProcess) time);
            return new MemoryStore(time);
        });
        var worker = theatre.actor("a");
        theatre.work(worker, W.implementedBy((run, input) -> {
            run.sleep(named("nap"), Duration.ofSeconds(15));
            return input;
        }));
        clock.get().jump(Duration.ofDays(365));
        var job = theatre.submit(W, "x", "in");
        theatre.until(job, JobState.WAITING);
        clock.get().jump(Duration.ofDays(-365));
        theatre.forAWhile(Duration.ofMinutes(2));
        assertThat(theatre.job(job).state()).isEqualTo(JobState.DONE);
        assertThat(theatre.events("clock-was-set")).isNotEmpty();
        assertThat(theatre.events("times-mended")).hasSize(1);
    }
}
