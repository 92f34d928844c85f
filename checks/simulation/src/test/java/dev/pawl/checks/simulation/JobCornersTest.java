package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.none;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.JobParked;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.gate.Rate;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.json.JsonMismatch;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowRef;
import dev.pawl.store.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job does when its code changes, breaks, or asks for what cannot be. */
class JobCornersTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Workflow<String, String> CHILD = Workflow.named("child", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger calls = new AtomicInteger();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    private String failure(Identity job) {
        stage.until(job, JobState.FAILED);
        return String.valueOf(stage.job(job).outcome().failure());
    }

    // ---- the workflow's own code

    @Test
    void an_input_that_does_not_read_and_a_result_that_is_too_large_are_failures_at_once() {
        stage.work(actor, W.implementedBy((run, input) -> "x".repeat((4 << 20) + 1)));
        assertThat(failure(stage.submit(W, "large", "in"))).contains("keep it in a file");
        assertThat(failure(stage.submit(W, "number", List.of(1)))).contains("PERMANENT");
    }

    @Test
    void json_that_the_workflow_cannot_read_itself_is_a_failure_at_once() {
        assertThat(failure(run((run, input) -> {
                    throw new JsonMismatch("not one JSON value", null);
                })))
                .contains("not one JSON value");
    }

    @Test
    void a_failed_step_is_found_under_many_causes_but_not_under_endless_ones() {
        stage.work(actor, W.implementedBy((run, input) -> {
            try {
                return run.step(named("s").attempts(1), String.class, () -> {
                    throw new PermanentFailure("the step's own words");
                });
            } catch (StepFailed failed) {
                Throwable deep = failed;
                for (var i = 0; i < Integer.parseInt(input); i++) {
                    deep = new RuntimeException("wrapped", deep);
                }
                throw new PermanentFailure("outermost", deep);
            }
        }));
        assertThat(failure(stage.submit(W, "few", "5"))).contains("the step's own words");
        assertThat(failure(stage.submit(W, "endless", "50"))).contains("outermost");
    }

    @Test
    void trouble_with_the_account_in_the_workflows_own_code_waits_at_the_gate_with_all_others() {
        stage.work(actor, W.implementedBy((run, input) -> {
            if (calls.incrementAndGet() <= 2) {
                throw new AccountTrouble("402");
            }
            return "ok";
        }));
        var one = stage.submit(W, "one", "in");
        var two = stage.submit(W, "two", "in");
        stage.until(one, JobState.WAITING);
        stage.until(two, JobState.WAITING);
        assertThat(stage.events("gate-closed")).as("told once").hasSize(1);
        stage.openGates();
        stage.until(one, JobState.DONE);
        stage.until(two, JobState.DONE);
    }

    @Test
    void code_that_throws_before_it_comes_to_an_effect_in_doubt_does_not_forget_it() {
        var job = run((run, input) -> {
            if (calls.incrementAndGet() > 1) {
                throw new PermanentFailure("changed my mind");
            }
            return run.effect("e", none(), input, String.class, (request, a) -> {
                throw new IllegalStateException("no answer");
            });
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.RETRY, null);
        stage.until(() -> calls.get() > 1);
        stage.until(job, JobState.FAILED);
        assertThat(stage.journal(job)).anyMatch(entry -> entry instanceof Entry.Answered);
    }

    @Test
    void code_that_is_cut_short_outside_any_step_is_nobodys_fault() {
        Workflow.Body<String, String> body = (run, input) -> {
            if (calls.incrementAndGet() == 1) {
                actor.pause(Duration.ofMinutes(1));
            }
            return "ok";
        };
        stage.work(actor, Duration.ofSeconds(1), W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> calls.get() == 1);
        actor.shutDown();
        stage.until(job, JobState.READY);
        assertThat(stage.journal(job)).noneMatch(entry -> entry instanceof Entry.StepTried);
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
    }

    // ---- names that changed

    @Test
    void a_step_that_stands_where_a_wait_stood_gets_nothing() {
        var job = run((run, input) -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("later");
            }
            var waited = calls.get() == 2
                    || stage.journal(run.identity()).stream().noneMatch(entry -> entry instanceof Entry.TimeUp);
            if (waited) {
                run.awaitSignal("s", String.class, Duration.ofMinutes(1));
                run.sleep("night", Duration.ofHours(1));
            }
            var step = run.step("s", String.class, () -> "ran");
            return step == null ? "nothing" : step;
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"nothing\"");
    }

    @Test
    void a_name_that_was_another_is_looked_for_under_all_its_names() {
        var job = run((run, input) -> {
            var first = calls.incrementAndGet() == 1;
            var name = first ? named("old") : named("new").was("older").was("old");
            var result = run.step(name, String.class, () -> "ran by call " + calls.get());
            run.step(named("fresh").was("never"), String.class, () -> "");
            run.sleep("night", Duration.ofHours(1));
            return result;
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"ran by call 1\"");
    }

    @Test
    void a_call_of_another_job_than_before_keeps_to_the_one_that_was_called() {
        stage.work(
                actor,
                W.implementedBy(
                        (run, input) -> run.call("call", CHILD, Key.of("child-" + calls.incrementAndGet()), "q")),
                CHILD.implementedBy((run, input) ->
                        run.step("s", String.class, () -> run.identity().key().toString())));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"child-1\"");
        assertThat(stage.events("drifted")).isNotEmpty();
    }

    @Test
    void a_call_of_a_job_that_runs_with_another_input_is_a_failure_that_code_may_catch() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> {
                    run.random("rides-along");
                    try {
                        return run.call("call", CHILD, Key.of("shared"), "other");
                    } catch (StepFailed failed) {
                        return failed.failure().code();
                    }
                }),
                CHILD.implementedBy((run, input) -> {
                    run.sleep("night", Duration.ofHours(1));
                    return "";
                }));
        var child = stage.submit(CHILD, "shared", "one");
        stage.until(child, JobState.WAITING);
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"conflict\"");
    }

    // ---- what cannot be asked for

    @Test
    void waits_have_a_length_that_can_be() {
        var refused = new ArrayList<String>();
        var job = run((run, input) -> {
            for (var wait : List.of(Duration.ofSeconds(-1), Duration.ofDays(4_000))) {
                try {
                    run.sleep("s", wait);
                } catch (IllegalArgumentException e) {
                    refused.add(String.valueOf(e.getMessage()));
                }
            }
            return "";
        });
        stage.until(job, JobState.DONE);
        assertThat(refused).hasSize(2).allMatch(why -> why.contains("between nothing and ten years"));
    }

    @Test
    void a_fan_out_has_keys_and_a_size_that_can_be() {
        stage.work(actor, W.implementedBy((run, input) -> switch (input) {
            case "no key" ->
                run.map("m", List.of("a"), item -> "", (each, item) -> item).toString();
            case "null" ->
                run.map("m", List.of("a"), item -> nothing(), (each, item) -> item)
                        .toString();
            default ->
                run.map("m", Collections.nCopies(1_000_001, "a"), item -> item, (each, item) -> item)
                        .toString();
        }));
        assertThat(failure(stage.submit(W, "no-key", "no key"))).contains("has no key");
        assertThat(failure(stage.submit(W, "null", "null"))).contains("has no key");
        assertThat(failure(stage.submit(W, "large", "large"))).contains("make jobs of them");
    }

    @SuppressWarnings("NullAway") // what a careless user writes
    private static String nothing() {
        return null;
    }

    // ---- fan-out

    @Test
    void of_many_failures_one_that_is_recorded_stands_for_all() {
        var suppressed = new ArrayList<Integer>();
        stage.work(actor, W.implementedBy((run, input) -> {
            try {
                run.map("m", IntStream.range(0, 120).boxed().toList(), String::valueOf, (each, item) -> {
                    if (item == 1 || item == 2) {
                        return each.step(named("s").attempts(1), String.class, () -> {
                            throw new PermanentFailure("recorded " + item);
                        });
                    }
                    throw new IllegalStateException("not recorded");
                });
                return "never";
            } catch (StepFailed failed) {
                suppressed.add(failed.getSuppressed().length);
                return failed.failure().message();
            }
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"recorded 1\"");
        assertThat(suppressed).containsExactly(100);
    }

    @Test
    void an_item_that_swallows_that_it_has_left_has_left_all_the_same() {
        var job = run((run, input) -> run.map("m", List.of("a", "b"), item -> item, (each, item) -> {
                    try {
                        each.sleep("night", Duration.ofHours(1));
                    } catch (JobParked swallowed) {
                        return "awake";
                    }
                    return "slept";
                })
                .toString());
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"[slept, slept]\"");
    }

    @Test
    void items_at_two_gates_are_looked_at_again_although_one_stays_closed() {
        stage.work(
                actor,
                options -> options.rate(new Rate("slow", 1, Duration.ofHours(1))),
                W.implementedBy((run, input) -> run.map("m", List.of("a", "b", "c"), item -> item, (each, item) -> {
                            each.sleep("first", Duration.ofSeconds(item.equals("a") ? 1 : 2));
                            return each.step(
                                    named("s").through(item.equals("a") ? "account" : "slow"), String.class, () -> {
                                        if (item.equals("a") && calls.incrementAndGet() == 1) {
                                            throw new AccountTrouble("402");
                                        }
                                        return item;
                                    });
                        })
                        .toString()));
        var job = stage.submit(W, "x", "in");
        stage.forAWhile(Duration.ofHours(3));
        assertThat(stage.job(job).state()).isEqualTo(JobState.WAITING);
        assertThat(stage.journal(job).stream().filter(entry -> entry instanceof Entry.StepDone))
                .as("both that only had to wait")
                .hasSize(2);
        stage.openGates();
        stage.until(job, JobState.DONE);
    }

    // ---- artifacts

    @Test
    void an_artifact_of_a_file_is_kept_once_whatever_became_of_the_file(@TempDir Path folder) throws IOException {
        var small = folder.resolve("small.txt");
        Files.writeString(small, "before");
        var job = run((run, input) -> {
            var kept = run.artifact("page", "text/plain", small);
            run.sleep("night", Duration.ofHours(1));
            return kept.sha256() + " " + kept.size();
        });
        stage.until(job, JobState.WAITING);
        Files.writeString(small, "after that");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).endsWith(" 6\"");
    }

    // ---- waiting for a job

    @Test
    void whoever_awaits_hears_of_a_question_of_a_gate_and_of_nothing() throws InterruptedException {
        stage.work(
                actor,
                options -> options.rate(new Rate("slow", 1, Duration.ofHours(1))),
                W.implementedBy((run, input) -> {
                    if (input.equals("asks")) {
                        run.approve("e", "", "may I?", Duration.ofDays(2));
                    }
                    run.step(named("s").through("slow"), String.class, () -> {
                        if (input.equals("account") && calls.incrementAndGet() == 1) {
                            throw new AccountTrouble("402");
                        }
                        return "";
                    });
                    return "";
                }));
        var first = stage.submit(W, "first", "in");
        stage.until(first, JobState.DONE);
        var second = stage.submit(W, "second", "in");
        stage.until(second, JobState.WAITING);
        assertThat(await(stage.job(second).id(), Duration.ofSeconds(5)))
                .as("its gate opens by itself")
                .isFalse();
        assertThat(await(12_345, Duration.ofSeconds(5))).as("nobody").isFalse();
        var asks = stage.submit(W, "asks", "asks");
        stage.until(asks, JobState.PAUSED);
        assertThat(await(stage.job(asks).id(), Duration.ofSeconds(5)))
                .as("a person must answer")
                .isTrue();
        var third = stage.submit(W, "third", "account");
        stage.until(() -> calls.get() == 1);
        stage.until(third, JobState.WAITING);
        assertThat(await(stage.job(third).id(), Duration.ofMinutes(5)))
                .as("a person must open it")
                .isTrue();
    }

    private boolean await(long job, Duration longest) {
        var told = new ArrayList<Boolean>();
        actor.asks(() -> {
            try {
                told.add(actor.engine().await(job, longest).isPresent());
            } catch (InterruptedException e) {
                told.add(false);
            }
        });
        stage.until(() -> !told.isEmpty());
        return told.getFirst();
    }

    @Test
    void a_question_that_stands_is_not_asked_anew_when_the_job_comes_back_to_it() {
        var job = run((run, input) -> {
            run.map("m", List.of("a", "b"), item -> item, (each, item) -> {
                if (item.equals("a")) {
                    return each.effect("e", none(), input, String.class, (request, a) -> {
                        throw new IllegalStateException("no answer");
                    });
                }
                each.sleep("night", Duration.ofHours(1));
                return "";
            });
            return "ok";
        });
        stage.until(job, JobState.PAUSED);
        var asked = stage.question(job).id();
        stage.forAWhile(Duration.ofHours(3));
        assertThat(stage.question(job).id()).isEqualTo(asked);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.IN_DOUBT);
        assertThat(stage.apply(new Change.CancelJob(
                                Objects.requireNonNull(stage.job(job)).id(), stage.newId(), Stage.ANNA))
                        .done())
                .isTrue();
    }

    // ---- rows

    private void enrol(String key) {
        stage.apply(new Change.EnrolRows("rows", List.of(new NewRow(key, "1", "hash")), false));
    }

    private static PartSending sending(String key, String part) {
        return new PartSending("rows", part, List.of(new RowRef(key, 1)), 1);
    }

    @Test
    void rows_are_not_sent_under_a_part_that_another_job_fills_and_nothing_of_it_is_recorded() {
        enrol("r");
        stage.work(actor, W.implementedBy((run, input) -> {
            run.sendRows(named("send"), sending("r", "1"));
            return "sent";
        }));
        var first = stage.submit(W, "first", "in");
        stage.until(first, JobState.DONE);
        var second = stage.submit(W, "second", "in");
        stage.until(second, JobState.FAILED);
        assertThat(failure(second)).contains("send: part 1 is another job's");
        assertThat(stage.journal(second)).noneMatch(Entry.StepDone.class::isInstance);
    }

    @Test
    void a_job_that_was_called_off_a_moment_ago_sends_no_rows() {
        enrol("r");
        var job = new Identity("w", Key.of("x"));
        stage.work(actor, W.implementedBy((run, input) -> {
            stage.apply(new Change.CancelJob(stage.job(job).id(), stage.newId(), Stage.ANNA));
            run.sendRows(named("send"), sending("r", "1"));
            return "sent";
        }));
        stage.submit(W, "x", "in");
        stage.until(job, JobState.CANCELLED);
        assertThat(stage.journal(job)).noneMatch(Entry.StepDone.class::isInstance);
        assertThat(stage.store.parts("rows", "", 10)).isEmpty();
    }
}
