package dev.pawl.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** The one table of a job's life. */
class TransitionTest {
    @Test
    void what_cannot_be_is_not_done() {
        var identity = new Identity("w", Key.of("k"));
        assertThat(Transition.CLAIM.next(identity, JobState.READY)).isEqualTo(JobState.RUNNING);
        assertThatIllegalStateException()
                .isThrownBy(() -> Transition.CLAIM.next(identity, JobState.DONE))
                .withMessage("job w/k is DONE and cannot CLAIM");
    }

    @Test
    void the_diagram_in_the_docs_is_drawn_from_the_table() throws IOException {
        var page = Files.readString(Path.of("../docs/life-of-a-job.md"));
        assertThat(page)
                .as("put this into docs/life-of-a-job.md:\n" + diagram())
                .contains(diagram());
    }

    @Test
    void every_state_can_be_reached_and_every_unfinished_one_can_be_left() {
        var reached = EnumSet.of(JobState.READY);
        var left = EnumSet.noneOf(JobState.class);
        for (var transition : Transition.values()) {
            reached.add(transition.to());
            left.addAll(transition.from());
        }
        assertThat(reached).containsExactlyInAnyOrder(JobState.values());
        assertThat(left).containsExactlyInAnyOrder(JobState.values());
    }

    @Test
    void a_finished_job_goes_on_only_when_a_person_asks() {
        var bySomeone = EnumSet.of(Transition.RETRY, Transition.RESUBMIT, Transition.DISCARD, Transition.DISCARD_OWING);
        for (var transition : Transition.values()) {
            var fromFinished = transition.from().stream().anyMatch(JobState::finished);
            assertThat(fromFinished).as(transition.name()).isEqualTo(bySomeone.contains(transition));
        }
    }

    private static String diagram() {
        var text = new StringBuilder("```mermaid\nstateDiagram-v2\n    [*] --> READY: submit\n");
        for (var transition : Transition.values()) {
            for (var from : transition.from()) {
                text.append("    ")
                        .append(from)
                        .append(" --> ")
                        .append(transition.to())
                        .append(": ")
                        .append(transition.why())
                        .append('\n');
            }
        }
        Arrays.stream(JobState.values())
                .filter(JobState::finished)
                .forEach(state -> text.append("    ").append(state).append(" --> [*]\n"));
        return text.append("```\n").toString();
    }
}
