package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.effect.Verification;
import dev.pawl.failure.NotSent;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Costs;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conversations, artifacts and what was used. */
class KeepingTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger calls = new AtomicInteger();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    // ---- conversations

    @Test
    void a_conversation_survives_a_crash_and_no_reply_is_asked_for_twice() {
        Workflow.Body<String, String> body = (run, input) -> {
            var chat = run.conversation();
            chat.say("system", "system", "be brief");
            for (var i = 1; i <= 4; i++) {
                chat.say("question-" + i, "user", "question " + i);
                chat.reply("answer-" + i, "assistant", () -> {
                    actor.pause(Duration.ofSeconds(5));
                    return "answer " + calls.incrementAndGet() + " after "
                            + chat.turns().size();
                });
            }
            return chat.turns().getLast().content() + ", " + chat.turns().size() + " turns";
        };
        var job = run(body);
        stage.forAWhile(Duration.ofSeconds(12));
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"answer 4 after 8, 9 turns\"");
        assertThat(calls).hasValue(4);
    }

    @Test
    void a_conversation_of_a_thousand_turns_grows_by_what_is_added_and_is_not_written_again() {
        var job = run((run, input) -> {
            var chat = run.conversation("long");
            for (var i = 0; i < 500; i++) {
                chat.say("q" + i, "user", "x".repeat(100));
                chat.reply("a" + i, "assistant", () -> "y".repeat(100));
            }
            return chat.turns().size() + " turns";
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"1000 turns\"");
        var chars = stage.journal(job).stream()
                .mapToLong(entry -> EntryText.of(entry).body().length())
                .sum();
        assertThat(stage.journal(job)).hasSize(1_000);
        assertThat(chars).isLessThan(1_000 * 200);
    }

    // ---- artifacts

    @Test
    void an_artifact_is_kept_once_in_the_store_when_it_is_small_and_as_a_hashed_path_when_it_is_not(
            @TempDir Path folder) throws Exception {
        var large = folder.resolve("large.bin");
        Files.write(large, new byte[(1 << 20) + 1]);
        var job = run((run, input) -> {
            var page = run.artifact(
                    "page", "text/html", ("<html>" + calls.incrementAndGet()).getBytes(StandardCharsets.UTF_8));
            run.sleep("night", Duration.ofHours(1));
            var video = run.artifact(named("video"), "video/mp4", large);
            return page.size() + " " + video.size() + " " + video.path();
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"7 1048577 " + large + "\"");
        assertThat(stage.store
                        .artifact(stage.job(job).id(), new Place("", "page", ""))
                        .orElseThrow()
                        .toArray())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("<html>1");
        assertThat(stage.store.artifact(stage.job(job).id(), new Place("", "video", "")))
                .isEmpty();
    }

    @Test
    void bytes_that_are_too_many_are_refused_before_anything_is_kept() {
        var job = run((run, input) -> {
            try {
                run.artifact("big", "text/plain", new byte[(1 << 20) + 1]);
                return "kept";
            } catch (IllegalArgumentException e) {
                return String.valueOf(e.getMessage());
            }
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).contains("write a file and give its path");
    }

    // ---- what was used

    @Test
    void what_every_attempt_used_is_kept_with_it_failed_ones_too() {
        var job = run((run, input) -> {
            run.step(named("think").attempts(3), String.class, () -> {
                run.use("m", 100, 10, 0, 1);
                actor.pause(Duration.ofSeconds(2));
                if (calls.incrementAndGet() < 3) {
                    throw new IllegalStateException("nonsense");
                }
                return "";
            });
            run.effect("send", none(), "x", String.class, (request, a) -> {
                run.use("m", 5, 5, 5, 0);
                if (a.number() == 1) {
                    throw new NotSent("refused");
                }
                return "";
            });
            return "";
        });
        stage.until(job, JobState.DONE);
        var costs = Costs.of(stage.store.journal(stage.job(job).id()));
        assertThat(costs.attempts())
                .extracting(one -> one.place() + " " + one.number())
                .containsExactly("think 1", "think 2", "think 3", "send 1", "send 2");
        assertThat(costs.total().tokens().input()).isEqualTo(310);
        assertThat(costs.total().toolCalls()).isEqualTo(3);
        assertThat(costs.wall()).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(7));
        assertThat(costs.total()).as("nobody gave prices").hasToString("unknown");
    }

    @Test
    void who_dies_in_no_step_leaves_nothing_unknown_and_who_dies_in_one_does() {
        Workflow.Body<String, String> body = (run, input) -> {
            run.step("first", String.class, () -> "");
            actor.pause(Duration.ofMinutes(1));
            run.effect("send", none(), "x", String.class, (request, a) -> "");
            run.step("last", String.class, () -> {
                actor.pause(Duration.ofMinutes(1));
                return "";
            });
            return "";
        };
        var job = run(body);
        stage.forAWhile(Duration.ofSeconds(10));
        actor.process.crash();
        var second = stage.actor("b");
        stage.work(second, W.implementedBy(body));
        stage.until(() -> stage.journal(job).stream().anyMatch(e -> e instanceof Entry.Answered));
        assertThat(Costs.of(stage.store.journal(stage.job(job).id())).total())
                .as("it had come to no step and no effect that is not recorded")
                .hasToString("0.00USD");
        stage.forAWhile(Duration.ofSeconds(10));
        second.process.crash();
        stage.work(stage.actor("c"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(Costs.of(stage.store.journal(stage.job(job).id())).total()).hasToString("unknown");
    }

    @Test
    void an_attempt_that_died_is_unknown_and_what_is_told_outside_an_attempt_is_refused() {
        Workflow.Body<String, String> body = (run, input) -> {
            try {
                run.use("m", 1, 1, 0, 0);
            } catch (IllegalStateException e) {
                run.now("refused");
            }
            return run.step("slow", String.class, () -> {
                run.use("m", 1, 1, 0, 0);
                actor.pause(Duration.ofMinutes(1));
                return "";
            });
        };
        var job = run(body);
        stage.forAWhile(Duration.ofSeconds(10));
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        var costs = Costs.of(stage.store.journal(stage.job(job).id()));
        assertThat(costs.total().unknown().lost()).isEqualTo(1);
        assertThat(costs.attempts()).hasSize(1);
        assertThat(stage.journal(job)).anyMatch(e -> e instanceof Entry.Noted);
        assertThat(stage.result(job)).isEqualTo("\"\"");
    }

    @Test
    void what_a_look_up_used_says_nothing_about_what_the_attempt_used_that_it_asks_about() {
        Workflow.Body<String, String> body = (run, input) -> run.effect(
                "pay",
                verifiable(a -> {
                    run.use("m", 1, 1, 0, 0);
                    return Verification.happened("paid");
                }),
                "x",
                String.class,
                (request, a) -> {
                    run.use("m", 1_000, 1_000, 0, 0);
                    actor.pause(Duration.ofMinutes(1));
                    return "";
                });
        var job = run(body);
        stage.forAWhile(Duration.ofSeconds(10));
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"paid\"");
        var costs = Costs.of(stage.store.journal(stage.job(job).id()));
        assertThat(costs.total().unknown().lost())
                .as("what the attempt used died with its process")
                .isEqualTo(1);
        assertThat(costs.attempts())
                .singleElement()
                .satisfies(one -> assertThat(one.number()).isEqualTo(Entry.Used.LOOK_UP));
    }
}
