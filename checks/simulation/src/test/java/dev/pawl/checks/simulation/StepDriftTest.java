package dev.pawl.checks.simulation;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Turn;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A record that was made of another request than the code has now is returned, and that is told. */
class StepDriftTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();

    private static Workflow.Body<String, String> body(String prompt) {
        return (job, input) -> {
            var plan = job.step(named("plan").request(prompt), String.class, () -> "made of " + prompt);
            job.step("says-nothing", String.class, () -> prompt);
            var reply = job.conversation()
                    .reply(named("r").request(List.of(prompt, plan)), () -> Turn.of("assistant", "to " + prompt));
            job.sleep("night", Duration.ofHours(1));
            return plan + ", " + reply.content();
        };
    }

    @Test
    void a_changed_prompt_replays_the_old_answer_and_an_event_tells_which_and_why() {
        var earlier = stage.actor("earlier");
        stage.work(earlier, W.implementedBy(body("old")));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        earlier.process.crash();
        stage.work(stage.actor("later"), W.implementedBy(body("new")));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"made of old, to old\"");
        assertThat(stage.events("drifted"))
                .extracting(event -> event.fields().get("step"))
                .containsExactly("plan", "conversation@r");
    }

    @Test
    void the_same_prompt_is_no_drift_and_its_fingerprint_is_kept_once_however_often_it_is_tried() {
        var tries = new int[1];
        stage.work(stage.actor("a"), W.implementedBy((job, input) -> {
            job.step(named("plan").request("same"), String.class, () -> {
                if (++tries[0] < 4) {
                    throw new IllegalStateException("not yet");
                }
                return "";
            });
            job.sleep("night", Duration.ofHours(1));
            return "";
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.events("drifted")).isEmpty();
        assertThat(stage.journal(job).stream()
                        .filter(Entry.Requested.class::isInstance)
                        .count())
                .isEqualTo(1);
    }

    @Test
    void another_prompt_at_the_next_try_is_kept_beside_its_answer_and_is_no_drift() {
        var tries = new int[1];
        stage.work(stage.actor("a"), W.implementedBy((job, input) -> {
            job.step(named("plan").request("prompt " + tries[0]), String.class, () -> {
                if (++tries[0] < 3) {
                    throw new IllegalStateException("not yet");
                }
                return "";
            });
            return "";
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.events("drifted")).isEmpty();
        assertThat(stage.journal(job))
                .filteredOn(Entry.Requested.class::isInstance)
                .extracting(entry -> ((Entry.Requested) entry).fingerprint())
                .doesNotHaveDuplicates()
                .hasSize(3);
    }

    @Test
    void code_that_says_only_now_what_a_step_is_asked_for_finds_no_drift() {
        Workflow.Body<String, String> saysNothing = (job, input) -> {
            var plan = job.step("plan", String.class, () -> "made of who knows what");
            job.sleep("night", Duration.ofHours(1));
            return plan;
        };
        var earlier = stage.actor("earlier");
        stage.work(earlier, W.implementedBy(saysNothing));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        earlier.process.crash();
        stage.work(stage.actor("later"), W.implementedBy((run, input) -> {
            var plan = run.step(named("plan").request("new"), String.class, () -> "made of new");
            run.sleep("night", Duration.ofHours(1));
            return plan;
        }));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"made of who knows what\"");
        assertThat(stage.events("drifted")).isEmpty();
    }
}
