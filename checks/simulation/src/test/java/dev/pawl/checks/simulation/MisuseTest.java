package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pawl.decision.Audit;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.JobMisused;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Code that calls its job as it must not spoils the run, whoever swallows what is thrown at it. */
class MisuseTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Identity X = new Identity("w", Key.of("x"));

    private final Stage stage = new Stage();
    private final List<String> sent = new ArrayList<>();
    private final AtomicBoolean mended = new AtomicBoolean();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(stage.actor("a"), W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    private Failure failure(Identity job) {
        return Objects.requireNonNull(stage.job(job).outcome().failure()).failure();
    }

    /** The job has failed at its first run, with a sentence that holds {@code sentence}. */
    private void failedAtOnce(Identity job, String sentence) {
        stage.until(job, JobState.FAILED);
        assertThat(failure(job).kind()).isEqualTo(FailureClass.PERMANENT);
        assertThat(failure(job).message()).contains(sentence);
        assertThat(stage.journal(job)).noneMatch(entry -> entry instanceof Entry.StepTried);
        assertThat(stage.events("claimed")).hasSize(1);
    }

    private void retry(Identity job) {
        mended.set(true);
        stage.apply(new Change.RetryJob(stage.job(job).id(), stage.newId(), new Audit("anna", "mended")));
        stage.until(job, JobState.DONE);
    }

    /** What frameworks do with whatever a tool throws. */
    private static String swallowing(Runnable tool) {
        return catchThrowable(tool::run) == null ? "ok" : "the tool failed";
    }

    private void send(Job job, String what) {
        job.effect(what, idempotent(), what, String.class, (request, attempt) -> {
            sent.add(request);
            return request;
        });
    }

    /** Waits without letting go of its own thread: while that sleeps, days pass on the stage, and a busy machine takes its time to begin a thread. */
    private static void onAThreadOfItsOwn(Runnable tool) {
        var thread = Thread.ofPlatform().start(tool);
        while (thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void an_agent_whose_tools_call_from_foreign_threads_does_not_end_as_done_although_it_swallows_everything() {
        var job = run((job1, input) -> {
            onAThreadOfItsOwn(() -> swallowing(() -> send(job1, "mail")));
            onAThreadOfItsOwn(() -> swallowing(() -> send(job1, "post")));
            return "all sent";
        });
        failedAtOnce(job, "called from a thread that it did not start");
        assertThat(sent).isEmpty();
    }

    @Test
    void a_step_in_which_the_job_was_called_is_not_recorded_and_is_done_right_once_the_code_is_mended() {
        var job = run((run, input) -> {
            if (mended.get()) {
                send(run, "mail");
                return run.step("agent", String.class, () -> "sent");
            }
            return run.step("agent", String.class, () -> swallowing(() -> send(run, "mail")));
        });
        failedAtOnce(job, "called from inside a step or an effect");
        assertThat(stage.journal(job)).noneMatch(entry -> entry instanceof Entry.StepDone);
        assertThat(sent).isEmpty();
        retry(job);
        assertThat(sent).containsExactly("mail");
        assertThat(stage.result(job)).isEqualTo("\"sent\"");
    }

    @Test
    void an_effect_in_which_the_job_was_called_is_in_doubt_and_a_person_is_asked() {
        var acts = new AtomicInteger();
        var job = run((run, input) -> run.effect("mail", idempotent(), "x", String.class, (request, attempt) -> {
            acts.incrementAndGet();
            return mended.get() ? "sent" : run.step("inside", String.class, () -> "");
        }));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.IN_DOUBT);
        assertThat(stage.question(job).because())
                .contains("may have happened", "steps and effects stand beside each other");
        assertThat(acts).hasValue(1);
        mended.set(true);
        stage.decide(job, Verdict.RETRY, null);
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(2);
    }

    @Test
    void an_effect_that_happened_although_the_job_was_called_in_it_stays_happened() {
        var job = run((run, input) -> {
            run.effect("mail", idempotent(), "x", String.class, (request, attempt) -> {
                sent.add(request);
                return mended.get() ? "mended" : swallowing(() -> run.now("inside"));
            });
            return "end";
        });
        failedAtOnce(job, "called from inside a step or an effect");
        retry(job);
        assertThat(sent).containsExactly("x");
    }

    @Test
    void a_name_used_twice_ends_the_job_at_once() {
        var job = run((run, input) -> {
            run.step("s", String.class, () -> "1");
            return swallowing(() -> run.step("s", String.class, () -> "2"));
        });
        failedAtOnce(job, "\"s\" is used twice in this workflow");
    }

    @Test
    void an_approval_asked_for_twice_ends_the_job_at_once() {
        var job = run((run, input) -> {
            run.approve("e", "this", "may I?", Duration.ofHours(1));
            return swallowing(() -> run.approve("e", "this", "may I?", Duration.ofHours(1)));
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.FAILED);
        assertThat(failure(job).message()).contains("is asked for twice in this workflow");
    }

    @Test
    void two_items_with_one_key_end_the_job_at_once() {
        var job = run(
                (run, input) -> swallowing(() -> run.map("m", List.of("a", "a"), item -> item, (each, item) -> item)));
        failedAtOnce(job, "two items of fan-out m have the key \"a\"");
    }

    @Test
    void the_parents_handle_inside_an_item_ends_the_job_and_no_other_item_goes_on() {
        var job = run((run, input) -> run.map(
                        "m",
                        List.of("a", "b"),
                        item -> item,
                        (each, item) -> swallowing(() -> run.step(item, String.class, () -> sent(item))))
                .toString());
        failedAtOnce(job, "called from a thread that it did not start");
        assertThat(sent).isEmpty();
    }

    private String sent(String what) {
        sent.add(what);
        return what;
    }

    @Test
    void a_call_after_the_job_has_ended_is_refused_and_changes_nothing() {
        var kept = new AtomicReference<Job>();
        var job = run((run, input) -> {
            kept.set(run);
            return "end";
        });
        stage.until(job, JobState.DONE);
        assertThatThrownBy(() -> Objects.requireNonNull(kept.get()).now("n"))
                .isInstanceOf(JobMisused.class)
                .hasMessageContaining("thread that it did not start");
        assertThat(stage.job(job).state()).isEqualTo(JobState.DONE);
    }

    @Test
    void code_that_misuses_its_job_on_the_way_out_of_one_that_was_called_off_does_not_make_a_failure_of_it() {
        var job = run((run, input) -> {
            stage.apply(new Change.CancelJob(stage.job(X).id(), stage.newId(), new Audit("anna", "enough")));
            try {
                send(run, "mail");
            } finally {
                onAThreadOfItsOwn(() -> swallowing(() -> send(run, "sorry")));
            }
            return "sent";
        });
        stage.until(job, JobState.CANCELLED);
        assertThat(sent).isEmpty();
    }
}
