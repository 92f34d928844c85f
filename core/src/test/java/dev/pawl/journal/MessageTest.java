package dev.pawl.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Origin;
import org.junit.jupiter.api.Test;

/** A word that makes a job go on says who said it, and is told from a signal that only looks like one. */
class MessageTest {
    private static final Audit ANNA = new Audit("anna", "the provider is back");

    @Test
    void who_wants_a_job_to_go_on_is_read_back_with_where_they_were_if_anybody_wrote_that_down() {
        var there = ANNA.at(new Origin("deploy", "build-7"));
        assertThat(Message.hurry("1", false, ANNA).hurriedBy()).isEqualTo(ANNA);
        assertThat(Message.hurry("1", true, there).hurriedBy()).isEqualTo(there);
        assertThat(new Message("1", Message.Kind.HURRY, "now", "{\"why\":\"it is back\"}").hurriedBy())
                .extracting(Audit::who)
                .isEqualTo("somebody");
        assertThat(new Message("1", Message.Kind.SIGNAL, "paid", "{}").hurriedBy())
                .isNull();
    }

    @Test
    void only_a_person_insists_and_no_signal_that_is_called_so() {
        assertThat(Message.hurry("1", true, ANNA).insists()).isTrue();
        assertThat(Message.hurry("1", false, ANNA).insists()).isFalse();
        assertThat(new Message("1", Message.Kind.SIGNAL, "even-now", "1").insists())
                .isFalse();
    }

    @Test
    void the_payload_of_a_signal_is_bounded_and_that_of_an_ended_job_is_not() {
        var much = "x".repeat(Message.MOST_PAYLOAD_CHARS + 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Message("1", Message.Kind.SIGNAL, "paid", much))
                .withMessageContaining("keep it in a file");
        assertThat(new Message("1", Message.Kind.CHILD_ENDED, "c", much).payload())
                .hasSize(Message.MOST_PAYLOAD_CHARS + 1);
    }

    @Test
    void who_hurried_a_job_is_read_although_nobody_wrote_down_why() {
        assertThat(new Message("1", Message.Kind.HURRY, "now", "{}").hurriedBy())
                .isNotNull();
    }
}
