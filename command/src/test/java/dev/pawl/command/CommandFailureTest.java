package dev.pawl.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.effect.Contract;
import dev.pawl.event.Event;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command says beyond its exit code. */
class CommandFailureTest extends CommandHarness {
    private static String says(String failure) {
        return "echo run >> runs; printf '%s' '" + failure + "' > $PAWL_FAILURE; exit 1";
    }

    private int runs() throws IOException {
        return Files.readAllLines(root.resolve("runs")).size();
    }

    @Test
    void a_command_may_say_that_it_was_refused_by_whom_and_for_how_long() throws Exception {
        var job = effect(
                Contract.none(),
                call("test $PAWL_ATTEMPT = 2 || { "
                        + says(
                                "{\"class\":\"transient\",\"status\":429,\"provider\":\"github\",\"retryAfter\":\"10ms\",\"why\":\"slow"
                                        + " down\"}")
                        + "; }"));
        assertThat(result(job)).isEqualTo("null");
        assertThat(events.stream().map(Event::line).toList().toString())
                .contains(
                        "event=attempt-failed",
                        "code=http-429 provider=github status=429",
                        "github said 429: slow down");
    }

    @Test
    void a_command_may_say_that_it_will_never_succeed() throws Exception {
        var job = effect(
                Contract.none(),
                call(says("{\"class\":\"permanent\",\"provider\":\"github\",\"why\":\"no such repository\"}")));
        assertThat(failed(job)).isEqualTo("exit 1: github: no such repository");
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void an_effect_in_doubt_is_tried_again_no_sooner_than_its_command_says() throws Exception {
        var engine = engine((job, input) -> commands.effect(
                job,
                Named.named("e"),
                Contract.idempotent(),
                call(says("{\"class\":\"transient\",\"status\":503,\"retryAfter\":\"2h\"}"))));
        var began = Time.system().now();
        engine.submit(JOB, "{}");
        var job = store.find(JOB).orElseThrow();
        while (!Files.exists(root.resolve("runs")) || job.state() == JobState.RUNNING) {
            Thread.onSpinWait();
            job = store.find(JOB).orElseThrow();
        }
        assertThat(job.standing().times().due()).isAfter(began.plus(Duration.ofHours(2)));
    }

    @Test
    void what_providers_say_of_waiting_is_understood_as_they_say_it() throws Exception {
        var file = root.resolve("failure");
        for (var wait : List.of("3", "\"3\"", "\"3s\"", "3.0", "\"3.000s\"")) {
            Files.writeString(file, "{\"class\":\"Transient\",\"status\":\"429\",\"retryAfter\":" + wait + "}");
            var said = Objects.requireNonNull(FailureFile.in(file, Secrets.NONE));
            assertThat(said.retryAfter()).as(wait).isEqualTo(Duration.ofSeconds(3));
            assertThat(said.status()).isEqualTo(429);
            assertThat(said.meaning()).isEqualTo(Meaning.TRANSIENT);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 409, 500, 503})
    void after_a_status_that_tells_nothing_an_effect_stays_in_doubt_whatever_its_class(int status) throws Exception {
        var job = effect(Contract.none(), call(says("{\"class\":\"transient\",\"status\":" + status + "}")));
        assertThat(because(job)).contains("exit 1: said " + status);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void a_step_is_tried_again_after_any_status() throws Exception {
        assertThat(failed(step(call(
                        says("{\"status\":503,\"why\":\"the token is hunter22-hunter\"}"),
                        Map.of(),
                        "hunter22-hunter"))))
                .isEqualTo("exit 1: said 503: the token is ***");
        assertThat(runs()).isEqualTo(3);
    }

    @Test
    void what_is_no_failure_that_can_be_read_is_not_believed_and_the_exit_code_decides() throws Exception {
        var job = effect(Contract.none(), call(says("{\"class\":\"transitory\"}")));
        assertThat(because(job)).contains("exit 1", "PAWL_FAILURE is not believed: its class is not transient");
    }

    @Test
    void a_success_is_not_overruled_by_what_was_written_before() throws Exception {
        assertThat(result(effect(Contract.none(), call("echo '{\"class\":\"permanent\"}' > $PAWL_FAILURE"))))
                .isEqualTo("null");
    }
}
