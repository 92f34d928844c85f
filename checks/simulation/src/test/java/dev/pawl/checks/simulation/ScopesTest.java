package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Verdict;
import dev.pawl.failure.JobParked;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Turn;
import dev.pawl.key.Identity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A scope of its own without a fan-out. */
class ScopesTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger calls = new AtomicInteger();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    private String send(Job job, String what) {
        return job.effect("send", idempotent(), what, String.class, (request, a) -> request + calls.incrementAndGet());
    }

    @Test
    void one_piece_of_code_is_used_twice_and_its_records_are_found_by_the_scopes_names() {
        Workflow.Body<String, String> body = (job, input) -> {
            var first = job.scope("first", inner -> send(inner, "a"));
            job.step("pause", String.class, () -> {
                actor.pause(Duration.ofSeconds(20));
                return "";
            });
            return first + job.scope(named("second").item("7"), inner -> send(inner, "b")) + send(job, "c");
        };
        var job = run(body);
        stage.forAWhile(Duration.ofSeconds(10));
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"a1b2c3\"");
        assertThat(stage.journal(job).stream()
                        .filter(Entry.Intended.class::isInstance)
                        .map(entry -> entry.place().toString()))
                .containsExactly("first/send", "second@7/send", "send");
    }

    @Test
    void what_is_said_inside_takes_the_job_along_whatever_the_code_makes_of_it() {
        var job = run((outer, input) -> {
            var result = "";
            try {
                result = outer.scope("ask", inner -> {
                    try {
                        return inner.effect("post", none(), "x", String.class, (request, a) -> {
                            throw new IllegalStateException("who knows");
                        });
                    } catch (JobParked swallowed) {
                        return "as if nothing had happened";
                    }
                });
            } catch (JobParked swallowed) {
                return "nor here";
            }
            return result;
        });
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).place()).hasToString("ask/post");
        stage.decide(job, Verdict.DONE, "\"posted\"");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"posted\"");
    }

    @Test
    void a_failure_inside_is_the_codes_to_catch_and_the_same_on_every_resume() {
        var seen = new ArrayList<String>();
        var job = run((outer, input) -> {
            try {
                return outer.scope(
                        "may-fail",
                        inner -> inner.step("s", String.class, () -> {
                            throw new PermanentFailure("no");
                        }));
            } catch (StepFailed failed) {
                seen.add(failed.place().toString());
            }
            outer.sleep("night", Duration.ofHours(1));
            return "amended";
        });
        stage.until(job, JobState.DONE);
        assertThat(seen).isEqualTo(List.of("may-fail/s", "may-fail/s"));
    }

    @Test
    void waits_inside_are_waits_and_an_effect_that_the_code_no_longer_comes_to_is_asked_about_at_the_scopes_end() {
        Workflow.Body<String, String> body = (outer, input) -> {
            outer.scope("nap", inner -> {
                inner.sleep("a-while", Duration.ofHours(2));
                return "";
            });
            return outer.scope("changing", inner -> {
                if (calls.incrementAndGet() == 1) {
                    inner.effect("post", none(), "x", String.class, (request, a) -> {
                        actor.process.crash();
                        actor.pause(Duration.ofSeconds(1));
                        return "";
                    });
                }
                return "went on";
            });
        };
        var job = run(body);
        stage.until(() -> calls.get() == 1);
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).place()).hasToString("changing/post");
        assertThat(stage.question(job).because()).contains("no longer comes to it");
        assertThat(stage.now()).isAfter(Instant.parse("2026-04-12T04:00:00Z"));
    }

    @Test
    void a_name_is_used_once_inside_and_a_step_within_a_step_of_another_scope_is_refused() {
        var twice = run((outer, input) -> outer.scope("s", inner -> {
            inner.step("a", String.class, () -> "");
            return inner.step("a", String.class, () -> "");
        }));
        stage.until(twice, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(twice).outcome().failure())
                        .failure()
                        .message())
                .contains("\"s/a\" is used twice");

        var other = stage.actor("b");
        var nested = Workflow.named("nested", String.class, String.class);
        stage.work(
                other,
                nested.implementedBy((outer, input) -> outer.scope(
                        "s", inner -> inner.step("a", String.class, () -> outer.step("b", String.class, () -> "")))));
        var job = stage.submit(nested, "x", "in");
        stage.until(job, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(job).outcome().failure())
                        .failure()
                        .message())
                .contains("called from inside a step or an effect");
    }

    @Test
    void what_is_used_inside_counts_and_what_rides_inside_is_recorded() {
        var job = run((outer, input) -> {
            var when = outer.scope("s", inner -> inner.now("when") + "/" + inner.random("r"));
            outer.sleep("night", Duration.ofHours(1));
            return when;
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job).stream()
                        .filter(Entry.Noted.class::isInstance)
                        .map(entry -> entry.place().toString()))
                .containsExactly("s/when", "s/r");
    }

    @Test
    void a_value_that_was_drawn_outside_is_recorded_before_an_effect_inside_shows_it() {
        var sent = new ArrayList<String>();
        Workflow.Body<String, String> body = (outer, input) -> {
            var id = outer.uuid("id");
            outer.conversation().say("task", "user", "about " + id);
            return outer.scope(
                    "s",
                    inner -> inner.scope(
                            "deep",
                            deeper -> deeper.effect(
                                    "post",
                                    idempotent(),
                                    id + " at " + deeper.now("when"),
                                    String.class,
                                    (request, a) -> {
                                        sent.add(request);
                                        if (sent.size() == 1) {
                                            actor.process.crash();
                                            actor.pause(Duration.ofSeconds(1));
                                        }
                                        return request;
                                    })));
        };
        var job = run(body);
        stage.until(() -> !sent.isEmpty());
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(
                () -> stage.job(job).state() == JobState.DONE || stage.job(job).state() == JobState.PAUSED);
        assertThat(stage.job(job).outcome().question()).isNull();
        assertThat(sent).hasSize(2).containsOnly(sent.getFirst());
    }

    @Test
    void what_leaves_inside_leaves_outside_too_whatever_the_code_makes_of_it() {
        var job = run((outer, input) -> outer.scope("s", inner -> {
            try {
                inner.effect("charge", none(), "x", String.class, (request, a) -> {
                    throw new IllegalStateException("who knows");
                });
            } catch (Exception | Error swallowed) {
                // as a framework does
            }
            return send(outer, "a mail about a charge that nobody knows of");
        }));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).place()).hasToString("s/charge");
        assertThat(calls).hasValue(0);
    }

    @Test
    void a_value_that_was_drawn_inside_is_recorded_before_an_effect_outside_shows_it() {
        var sent = new ArrayList<String>();
        Workflow.Body<String, String> body = (outer, input) -> outer.scope(
                "s",
                inner -> outer.effect("post", idempotent(), "id " + inner.uuid("id"), String.class, (request, a) -> {
                    sent.add(request);
                    if (sent.size() == 1) {
                        actor.process.crash();
                        actor.pause(Duration.ofSeconds(1));
                    }
                    return request;
                }));
        var job = run(body);
        stage.until(() -> !sent.isEmpty());
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(
                () -> stage.job(job).state() == JobState.DONE || stage.job(job).state() == JobState.PAUSED);
        assertThat(stage.job(job).outcome().question()).isNull();
        assertThat(sent).hasSize(2).containsOnly(sent.getFirst());
    }

    @Test
    void a_handle_that_is_kept_beyond_its_scope_is_refused() {
        var job = run((outer, input) -> {
            var kept = new ArrayList<Job>();
            outer.scope("s", inner -> kept.add(inner));
            return kept.getFirst().step("late", String.class, () -> "");
        });
        stage.until(job, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(job).outcome().failure())
                        .failure()
                        .message())
                .contains("in scope s, which has ended");
    }

    @Test
    void an_effect_that_is_moved_into_a_scope_is_not_done_again_in_silence() {
        var earlier = stage.actor("earlier");
        stage.work(earlier, W.implementedBy((job, input) -> {
            var charged = send(job, "charge");
            job.sleep("night", Duration.ofHours(1));
            return charged;
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        earlier.process.crash();
        stage.work(
                stage.actor("later"),
                W.implementedBy((run, input) -> run.scope("billing", inner -> send(inner, "charge"))));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).because()).contains("is this new");
        assertThat(calls).hasValue(1);
    }

    @Test
    void where_a_record_is_is_known_under_the_name_that_it_had() {
        var earlier = stage.actor("earlier");
        stage.work(earlier, W.implementedBy((job, input) -> {
            job.step("found", String.class, () -> "it");
            job.sleep("night", Duration.ofHours(1));
            return "";
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        earlier.process.crash();
        stage.work(stage.actor("later"), W.implementedBy((run, input) -> {
            run.step(named("looked-up").was("found"), String.class, () -> "another");
            return run.place(named("looked-up").was("found")) + " "
                    + run.conversation()
                            .say(
                                    "a",
                                    Turn.of("tool", "")
                                            .referringTo(
                                                    run.place(named("looked-up").was("found"))))
                            .content();
        }));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"found it\"");
    }

    @Test
    void a_request_is_refused_where_none_is_kept() {
        var job = run((outer, input) -> {
            try {
                outer.sleep(named("nap").request("why"), Duration.ofHours(1));
                return "slept";
            } catch (IllegalArgumentException refused) {
                return String.valueOf(refused.getMessage());
            }
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).contains("is no step, transaction or reply");
    }

    @Test
    void of_several_names_that_a_record_had_the_one_counts_under_which_something_was_done() {
        var job = run((run, input) -> {
            var before = run.place(named("c").was("a").was("b"));
            run.step("b", String.class, () -> "done");
            var old = run.place(named("c").was("a").was("b"));
            run.step("d", String.class, () -> "done");
            var today = run.place(named("d").was("b"));
            return before + " " + old + " " + today;
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"c b d\"");
    }

    @Test
    void a_name_under_which_only_something_was_asked_does_not_count() {
        var job = run((run, input) -> {
            run.step("before", String.class, () -> "done");
            try {
                run.approve("asked", "it", "may it?", Duration.ofHours(1));
            } catch (StepFailed nobody) {
                return "nobody said anything";
            }
            return run.place(named("asked").was("before")) + " "
                    + run.place(named("renamed").was("asked"));
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"before renamed\"");
    }
}
