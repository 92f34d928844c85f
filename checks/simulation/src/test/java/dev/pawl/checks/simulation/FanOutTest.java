package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Verdict;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a fan-out is promised. */
class FanOutTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final List<String> ABC = List.of("a", "b", "c");

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final Map<String, Integer> runs = new HashMap<>();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    private int count(String what) {
        return runs.merge(what, 1, Integer::sum);
    }

    @Test
    void each_item_is_a_scope_of_its_own_and_results_come_in_order() {
        var keys = new HashSet<String>();
        var job = run((run, input) -> run.map("send", ABC, item -> item, (each, item) -> {
                    var text = each.step("write", String.class, () -> "text " + item);
                    return each.effect("post", idempotent(), text, String.class, (request, a) -> {
                        keys.add(a.key());
                        return item + " " + count(item);
                    });
                })
                .toString());
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"[a 1, b 1, c 1]\"");
        assertThat(keys)
                .hasSize(3)
                .contains(EffectKey.of(job, new Place(new Place("", "send", "b").inside(), "post", ""), 0));
    }

    @Test
    void no_more_items_run_at_once_than_said() {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        var items = IntStream.range(0, 20).boxed().toList();
        var job = run((run, input) -> run.map(named("m").atOnce(3), items, String::valueOf, (each, item) -> {
                    each.step("s", String.class, () -> {
                        most.accumulateAndGet(now.incrementAndGet(), Math::max);
                        actor.pause(Duration.ofSeconds(1));
                        now.decrementAndGet();
                        return "";
                    });
                    return item;
                })
                .toString());
        stage.until(job, JobState.DONE);
        assertThat(most).hasValue(3);
    }

    @Test
    void one_items_question_does_not_stop_the_others() {
        var job = run((run, input) -> run.map("m", ABC, item -> item, (each, item) -> {
                    if (item.equals("a")) {
                        each.effect("mail", none(), item, String.class, (request, a) -> {
                            throw new IllegalStateException("no answer");
                        });
                    }
                    if (item.equals("b")) {
                        each.step(named("flaky").attempts(4), String.class, () -> {
                            if (count("flaky") < 4) {
                                throw new IllegalStateException("not yet");
                            }
                            return "";
                        });
                        each.sleep("nap", Duration.ofHours(2));
                    }
                    return each.step("last", String.class, () -> item + count("last " + item));
                })
                .toString());
        stage.until(job, JobState.PAUSED);
        var question = stage.question(job);
        assertThat(question.place()).hasToString("m@a/mail");
        stage.until(() -> runs.containsKey("last b"));
        assertThat(runs).containsEntry("flaky", 4).containsEntry("last c", 1);
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job))
                .as("the question stands as it was asked")
                .isEqualTo(question);
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.Asked))
                .hasSize(1);
        stage.decide(job, Verdict.DONE, "\"sent\"");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"[a1, b1, c1]\"");
    }

    @Test
    void a_decision_made_while_other_items_run_is_heard() {
        var job = run((run, input) -> run.map("m", List.of("a", "b"), item -> item, (each, item) -> {
                    if (item.equals("a")) {
                        return each.effect("mail", none(), item, String.class, (request, a) -> {
                            throw new IllegalStateException("no answer");
                        });
                    }
                    each.sleep("nap", Duration.ofMinutes(10));
                    return each.step("slow", String.class, () -> {
                        actor.pause(Duration.ofMinutes(5));
                        return item;
                    });
                })
                .toString());
        stage.until(job, JobState.PAUSED);
        stage.forAWhile(Duration.ofMinutes(12));
        assertThat(stage.job(job).state()).isEqualTo(JobState.RUNNING);
        stage.decide(job, Verdict.DONE, "\"sent\"");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"[sent, b]\"");
    }

    @Test
    void each_item_waits_out_its_own_backoff_although_another_wakes_the_job() {
        var times = new ArrayList<Long>();
        var job = run((run, input) -> run.map("m", List.of("slow", "fast"), item -> item, (each, item) -> {
                    if (item.equals("fast")) {
                        for (var i = 0; i < 10; i++) {
                            each.sleep("nap-" + i, Duration.ofSeconds(1));
                        }
                        return item;
                    }
                    return each.step(named("s").attempts(3), String.class, () -> {
                        times.add(actor.process.nanos());
                        if (times.size() < 2) {
                            throw new dev.pawl.failure.NotSent("wait", Duration.ofMinutes(1), null);
                        }
                        return item;
                    });
                })
                .toString());
        stage.until(job, JobState.DONE);
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void a_failure_of_one_item_comes_after_all_others_have_done_what_they_could() {
        var job = run((run, input) -> {
            try {
                run.map("m", ABC, item -> item, (each, item) -> {
                    if (!item.equals("c")) {
                        each.step("s", String.class, () -> {
                            throw new PermanentFailure("hopeless " + item);
                        });
                    }
                    return each.step("t", String.class, () -> item + count(item));
                });
                return "";
            } catch (StepFailed failed) {
                return failed.place() + " and " + failed.getSuppressed().length + " more";
            }
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"m@a/s and 1 more\"");
        assertThat(runs).containsOnlyKeys("c");
    }

    @Test
    void items_are_found_by_their_key_after_a_crash_whatever_their_order_then() {
        var order = new ArrayList<>(List.of("a", "b", "c", "d"));
        Workflow.Body<String, String> body =
                (run, input) -> run.map(named("m").atOnce(1), List.copyOf(order), item -> item, (each, item) -> {
                            each.effect("send", none(), item, String.class, (request, a) -> item + count(item));
                            each.step("slow", String.class, () -> {
                                actor.pause(Duration.ofMinutes(1));
                                return "";
                            });
                            return item;
                        })
                        .toString();
        var job = run(body);
        stage.until(() -> runs.containsKey("c"));
        stage.forAWhile(Duration.ofSeconds(5));
        actor.process.crash();
        order.addFirst("e");
        order.remove("d");
        order.addLast("d");
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(runs.values()).containsOnly(1);
        assertThat(runs).hasSize(5);
    }

    @Test
    void an_item_that_the_code_no_longer_has_is_not_forgotten_in_doubt() {
        var items = new ArrayList<>(ABC);
        Workflow.Body<String, String> body =
                (run, input) -> run.map("m", List.copyOf(items), item -> item, (each, item) -> {
                            each.effect("mail", none(), item, String.class, (request, a) -> {
                                if (item.equals("c")) {
                                    actor.pause(Duration.ofHours(1));
                                }
                                return item;
                            });
                            return item;
                        })
                        .toString();
        var job = run(body);
        stage.forAWhile(Duration.ofSeconds(10));
        actor.process.crash();
        items.remove("c");
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).place()).hasToString("m@c/mail");
        stage.decide(job, Verdict.SKIP, null);
        stage.until(job, JobState.DONE);
    }

    @Test
    void a_backoff_of_one_item_does_not_keep_a_signal_from_another() {
        var job = run((run, input) -> run.map("m", List.of("a", "b"), item -> item, (each, item) -> {
                    if (item.equals("a")) {
                        return each.step("s", String.class, () -> {
                            if (count("s") == 1) {
                                throw new dev.pawl.failure.NotSent("later", Duration.ofHours(20), null);
                            }
                            return item;
                        });
                    }
                    each.awaitSignal("go", String.class, Duration.ofDays(3));
                    return each.step("t", String.class, () -> item + count("t"));
                })
                .toString());
        stage.until(job, JobState.WAITING);
        stage.apply(new dev.pawl.store.Change.Deliver(
                stage.job(job).id(),
                new dev.pawl.journal.Message("1", dev.pawl.journal.Message.Kind.SIGNAL, "go", "\"now\"")));
        stage.forAWhile(Duration.ofMinutes(1));
        assertThat(runs).containsEntry("t", 1);
        stage.until(job, JobState.DONE);
    }

    @Test
    void each_items_approval_has_all_its_time_when_it_is_asked_for() {
        var job = run((run, input) -> run.map("m", List.of("a", "b"), item -> item, (each, item) -> {
                    each.approve("send", item, "Send " + item + "?", Duration.ofHours(1));
                    return each.effect("send", none(), item, String.class, (request, a) -> item + count(item));
                })
                .toString());
        for (var i = 0; i < 2; i++) {
            stage.until(job, JobState.PAUSED);
            stage.forAWhile(Duration.ofMinutes(50));
            stage.decide(job, Verdict.APPROVE, null);
            stage.forAWhile(Duration.ofSeconds(5));
        }
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"[a1, b1]\"");
    }

    @Test
    void what_an_item_tried_is_not_forgotten_by_a_polite_stop() {
        Workflow.Body<String, String> body = (run, input) -> run.map(
                        named("m").atOnce(1),
                        List.of("a", "b"),
                        item -> item,
                        (each, item) -> each.step(named("s").attempts(2), String.class, () -> {
                            if (item.equals("a")) {
                                actor.shutDown();
                                throw new IllegalStateException("down");
                            }
                            return item;
                        }))
                .toString();
        var job = run(body);
        stage.until(() -> stage.journal(job).stream().anyMatch(e -> e instanceof Entry.Released));
        assertThat(stage.journal(job)).anyMatch(e -> e instanceof Entry.StepTried);
    }

    @Test
    void what_items_tried_beside_questions_is_recorded_in_a_fan_out_in_a_fan_out_too() {
        var job = run((run, input) -> run.map("outer", List.of("x", "y"), item -> item, (outer, x) -> {
                    outer.map("inner", List.of("p", "q"), item -> item, (inner, item) -> {
                        if (item.equals("p")) {
                            inner.approve("e", x, "may I?", Duration.ofHours(1));
                            return "";
                        }
                        return inner.step(named("s").attempts(2), String.class, () -> {
                            throw new IllegalStateException("always");
                        });
                    });
                    return x;
                })
                .toString());
        stage.until(job, JobState.PAUSED);
        assertThat(stage.journal(job).stream()
                        .filter(entry -> entry instanceof Entry.StepTried)
                        .map(entry -> entry.place().toString()))
                .containsExactlyInAnyOrder("outer@x/inner@q/s", "outer@y/inner@q/s");
    }

    @Test
    void a_fan_out_in_a_fan_out_has_places_of_its_own() {
        var job = run((run, input) -> run.map(
                        "outer",
                        List.of("x/1", "y"),
                        item -> item,
                        (each, item) -> each.map(
                                        "inner",
                                        List.of("p@q", "r"),
                                        inner -> inner,
                                        (deep, inner) ->
                                                deep.step("s", String.class, () -> item + inner + count(item + inner)))
                                .toString())
                .toString());
        stage.until(job, JobState.DONE);
        assertThat(runs).hasSize(4);
        assertThat(stage.journal(job)).extracting(e -> e.place().toString()).contains("outer@x%2F1/inner@p%40q/s");
    }

    @Test
    void shutting_down_in_a_fan_out_lets_acts_finish_and_repeats_none() {
        Workflow.Body<String, String> body = (run, input) -> run.map(
                        named("m").atOnce(2),
                        List.of("a", "b", "c", "d", "e"),
                        item -> item,
                        (each, item) -> each.effect("send", none(), item, String.class, (request, a) -> {
                            actor.pause(Duration.ofSeconds(4));
                            return item + count(item);
                        }))
                .toString();
        var job = run(body);
        stage.forAWhile(Duration.ofSeconds(6));
        actor.shutDown();
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(runs.values()).containsOnly(1);
    }

    @Test
    void a_value_that_was_drawn_before_a_fan_out_is_recorded_before_an_item_shows_it() {
        var sent = new ArrayList<String>();
        Workflow.Body<String, String> body = (job, input) -> {
            var id = job.uuid("id");
            job.map(
                    "m",
                    List.of("x"),
                    item -> item,
                    (each, item) -> each.effect("post", idempotent(), id + item, String.class, (request, a) -> {
                        sent.add(request);
                        if (sent.size() == 1) {
                            actor.process.crash();
                            actor.pause(Duration.ofSeconds(1));
                        }
                        return request;
                    }));
            return "";
        };
        stage.work(actor, W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> !sent.isEmpty());
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(
                () -> stage.job(job).state() == JobState.DONE || stage.job(job).state() == JobState.PAUSED);
        assertThat(stage.job(job).outcome().question()).isNull();
        assertThat(sent).hasSize(2).containsOnly(sent.getFirst());
    }
}
