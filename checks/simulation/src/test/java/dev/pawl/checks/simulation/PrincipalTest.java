package dev.pawl.checks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job is run only by those who may act for whom it acts, and one that nobody may run is an alert. */
class PrincipalTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();

    @Test
    void a_job_that_nobody_may_claim_is_an_alert_once_and_goes_on_when_somebody_may() {
        var bob = stage.actor("bob");
        stage.work(bob, options -> options.principals(List.of("bob")), W.implementedBy((run, input) -> "by bob"));
        var job = new Identity("w", Key.of("x"));
        stage.apply(new Change.SubmitJob(
                job, new StoredJob.Given("\"in\"", Handling.usual().principal("anna")), null));
        stage.forAWhile(Duration.ofMinutes(10));
        assertThat(stage.job(job).state()).isEqualTo(JobState.READY);
        assertThat(stage.events("nobody-takes")).hasSize(1);
        assertThat(stage.events("nobody-takes").getFirst().line())
                .contains("principal=anna")
                .contains("workflow=w");
        stage.work(
                stage.actor("anna"),
                options -> options.principals(List.of("anna")),
                W.implementedBy((run, input) -> "by anna"));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"by anna\"");
        stage.forAWhile(Duration.ofMinutes(2));
        assertThat(stage.events("nobody-takes")).hasSize(1);
    }

    @Test
    void a_workflow_that_nobody_works_is_an_alert_too() {
        stage.work(stage.actor("a"), W.implementedBy((run, input) -> "done"));
        stage.apply(new Change.SubmitJob(new Identity("unknown", Key.of("x")), "1", null));
        stage.forAWhile(Duration.ofMinutes(2));
        assertThat(stage.events("nobody-takes").getFirst().line()).contains("workflow=unknown");
    }
}
