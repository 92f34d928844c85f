package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.failure.ResultNotKept;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.Turn;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Turns of which there is more to say than words: tool calls, and their answers by reference. */
class TurnsTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger calls = new AtomicInteger();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    @Test
    void tool_calls_are_recorded_before_any_tool_runs_and_are_the_same_after_a_crash() {
        var large = "found ".repeat(2_000);
        Workflow.Body<String, String> body = (job, input) -> {
            var chat = job.conversation();
            chat.say("task", "user", "find it");
            var reply = chat.reply(
                    named("r1").request("find it"),
                    () -> Turn.of("assistant", "let me look")
                            .calling("random-" + calls.incrementAndGet(), "search", "{\"q\":1}"));
            var call = reply.toolCalls().getFirst();
            job.effect("search", idempotent(), call.arguments(), String.class, (request, a) -> {
                if (calls.get() == 1) {
                    actor.pause(Duration.ofMinutes(1));
                }
                return large;
            });
            var answer = chat.say("a1", Turn.of("tool", "").answering(call.id()).referringTo(job.place("search")));
            job.sleep("night", Duration.ofHours(1));
            assertThat(answer.content()).isEqualTo(large);
            assertThat(chat.turns())
                    .extracting(Turn::role, turn -> turn.content().length())
                    .containsExactly(tuple("user", 7), tuple("assistant", 11), tuple("tool", large.length()));
            return call.id() + " " + chat.turns().getLast().answers();
        };
        var job = run(body);
        stage.forAWhile(Duration.ofSeconds(10));
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).as("asked once").isEqualTo("\"random-1 random-1\"");
        assertThat(stage.journal(job).stream()
                        .filter(entry -> EntryText.of(entry).body().contains("found found"))
                        .count())
                .as("kept once")
                .isEqualTo(1);
    }

    @Test
    void a_turn_refers_to_the_result_of_a_tool_that_ran_in_a_scope_or_a_fan_out() {
        var job = run((run, input) -> {
            var places = run.map("tools", List.of("a", "b"), item -> item, (each, item) -> {
                each.step("look", Integer.class, item::length);
                return each.place("look");
            });
            var inner = run.scope("once", each -> {
                each.step("look", String.class, () -> "deep");
                return each.place("look");
            });
            var chat = run.conversation();
            var said = new ArrayList<String>();
            for (var place : places) {
                said.add(chat.say(place.toString(), Turn.of("tool", "").referringTo(place))
                        .content());
            }
            said.add(chat.say("deep", Turn.of("tool", "").referringTo(inner)).content());
            return String.join(" ", said);
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"1 1 deep\"");
    }

    @Test
    void a_turn_that_refers_to_no_result_is_refused() {
        var job = run((run, input) -> {
            try {
                run.conversation().say("a", Turn.of("tool", "").referringTo(run.place("never")));
                return "taken";
            } catch (IllegalArgumentException refused) {
                return String.valueOf(refused.getMessage());
            }
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).contains("refers to never, where no result is recorded");
    }

    @Test
    void a_turn_refers_to_no_tool_that_failed() {
        var job = run((run, input) -> {
            try {
                run.step(named("tool").attempts(1), String.class, () -> {
                    throw new IllegalStateException("broken");
                });
            } catch (StepFailed failed) {
                try {
                    run.conversation().say("a", Turn.of("tool", "").referringTo(run.place("tool")));
                } catch (IllegalArgumentException refused) {
                    return String.valueOf(refused.getMessage());
                }
            }
            return "taken";
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).contains("refers to tool, where no result is recorded");
    }

    @Test
    void a_reply_that_a_person_goes_on_without_is_null_and_no_turn_of_the_conversation() {
        stage.work(actor, W.implementedBy((run, input) -> {
            run.step(named("conversation").item("r"), Integer.class, () -> 7);
            run.sleep("night", Duration.ofHours(1));
            return "";
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            var chat = run.conversation();
            var reply = chat.reply("r", "assistant", () -> "asked again " + calls.incrementAndGet());
            chat.say("task", "user", "find it");
            return reply + ", " + chat.turns().size();
        }));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.UNREADABLE);
        stage.decide(job, Verdict.SKIP, null);
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"null, 1\"");
        assertThat(calls).hasValue(0);
    }

    @Test
    void a_turn_is_found_by_its_key_alone() {
        var said = new ArrayList<String>();
        var job = run((run, input) -> {
            for (var odd : List.of(named("a").item("1"), named("a").was("b"), named(""))) {
                try {
                    run.conversation().reply(odd, () -> Turn.of("assistant", "x"));
                } catch (IllegalArgumentException refused) {
                    said.add(String.valueOf(refused.getMessage()));
                }
            }
            return "";
        });
        stage.until(job, JobState.DONE);
        assertThat(said).hasSize(3).allMatch(why -> why.contains("key"));
    }

    @Test
    void a_reply_has_what_differs_from_the_usual_as_any_step_does() {
        var job = run((run, input) -> {
            run.conversation().reply(named("r").attempts(2).through("model"), () -> {
                throw new IllegalStateException("nonsense " + calls.incrementAndGet());
            });
            return "";
        });
        stage.until(job, JobState.FAILED);
        assertThat(calls).hasValue(2);
        assertThat(Objects.requireNonNull(stage.job(job).outcome().failure()).place())
                .hasToString("conversation@r");
        assertThat(stage.journal(job).stream()
                        .filter(Entry.StepTried.class::isInstance)
                        .count())
                .isEqualTo(2);
    }

    @Test
    void a_reply_that_refers_to_a_record_is_an_error_of_the_code_and_no_model_is_asked_again_for_it() {
        var job = run((run, input) -> {
            run.step("s", String.class, () -> "it");
            run.conversation().reply(named("r"), () -> {
                calls.incrementAndGet();
                return Turn.of("assistant", "").referringTo(run.place("s"));
            });
            return "";
        });
        stage.until(job, JobState.FAILED);
        assertThat(calls).hasValue(1);
    }

    @Test
    void a_turn_refers_to_no_tool_whose_result_was_not_kept() {
        var places = new ArrayList<Place>();
        var refused = new ArrayList<String>();
        var job = run((run, input) ->
                String.join(" ", run.map(named("tools").atOnce(1), List.of("1", "2"), item -> item, (each, item) -> {
                    if (item.equals("1")) {
                        places.add(each.place("tool"));
                        return each.effect("tool", idempotent(), item, String.class, (request, a) -> {
                            throw new ResultNotKept("the disk is full");
                        });
                    }
                    try {
                        each.conversation().say("a", Turn.of("tool", "").referringTo(places.getFirst()));
                    } catch (IllegalArgumentException why) {
                        refused.add(String.valueOf(why.getMessage()));
                    }
                    return "";
                })));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
        assertThat(refused).singleElement().asString().contains("refers to tools@1/tool, where no result is recorded");
    }
}
