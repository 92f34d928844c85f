package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What was recorded under an older form of a type is a question, and no effect acts on what nobody wrote. */
class ChangedTypesTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    record Before(String to) {}

    record Renamed(String recipient) {}

    private final Stage stage = new Stage();
    private final List<String> sent = new ArrayList<>();

    /** Runs the code of yesterday until it sleeps, and the code of today after that. */
    private Identity changed(Workflow.Body<String, String> before, Workflow.Body<String, String> after) {
        var yesterday = stage.actor("yesterday");
        stage.work(yesterday, W.implementedBy((job, input) -> {
            before.run(job, input);
            job.sleep("night", Duration.ofHours(8));
            return "never";
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        yesterday.process.crash();
        stage.work(stage.actor("today"), W.implementedBy(after));
        return job;
    }

    private String mail(Job job, String recipient) {
        return job.effect("mail", none(), recipient, String.class, (request, attempt) -> {
            sent.add("to " + request);
            return "sent";
        });
    }

    private void asks(Identity job, String because) {
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.UNREADABLE);
        assertThat(stage.question(job).because()).contains(because);
        assertThat(sent).isEmpty();
    }

    @Test
    void a_renamed_component_of_a_steps_result_is_a_question_and_nothing_is_sent_to_null() {
        var job = changed(
                (run, input) ->
                        run.step("read", Before.class, () -> new Before("anna")).to(),
                (run, input) -> mail(
                        run,
                        run.step("read", Renamed.class, () -> new Renamed("bert"))
                                .recipient()));
        asks(job, "it lacks 'recipient'");
        stage.decide(job, Verdict.DONE, "{\"recipient\":\"anna\"}");
        stage.until(job, JobState.DONE);
        assertThat(sent).containsExactly("to anna");
    }

    @Test
    void a_renamed_component_of_an_effects_result_is_a_question() {
        var job = changed(
                (run, input) -> run.effect(
                                "order", none(), input, Before.class, (request, attempt) -> new Before("anna"))
                        .to(),
                (run, input) -> mail(
                        run,
                        run.effect("order", none(), input, Renamed.class, (request, attempt) -> new Renamed("bert"))
                                .recipient()));
        asks(job, "it lacks 'recipient'");
    }

    @Test
    void a_signal_without_what_the_code_wants_is_a_question() {
        stage.work(
                stage.actor("a"),
                W.implementedBy((run, input) -> mail(
                        run,
                        run.awaitSignal("paid", Renamed.class, Duration.ofDays(1))
                                .orElseThrow()
                                .recipient())));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        stage.apply(new Change.Deliver(
                stage.job(job).id(), new Message("1", Message.Kind.SIGNAL, "paid", "{\"to\":\"anna\"}")));
        asks(job, "it lacks 'recipient'");
    }

    @Test
    void what_a_called_job_returned_under_another_name_is_a_question() {
        var child = Workflow.named("child", String.class, Before.class);
        var today = Workflow.named("child", String.class, Renamed.class);
        stage.work(
                stage.actor("a"),
                child.implementedBy((run, input) -> new Before("anna")),
                W.implementedBy((run, input) ->
                        mail(run, run.call("child", today, Key.of("c"), input).recipient())));
        asks(stage.submit(W, "x", "in"), "it lacks 'recipient'");
    }

    @Test
    void an_input_of_an_older_form_fails_the_job_at_once_and_is_kept() {
        var wanting = Workflow.named("wanting", Renamed.class, String.class);
        stage.work(stage.actor("a"), wanting.implementedBy((run, input) -> mail(run, input.recipient())));
        var job = stage.submit(wanting, "x", new Before("anna"));
        stage.until(job, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(job).outcome().failure())
                        .failure()
                        .message())
                .contains("it lacks 'recipient'");
        assertThat(sent).isEmpty();
    }
}
