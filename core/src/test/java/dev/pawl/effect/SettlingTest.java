package dev.pawl.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The recorded contract settles doubt; a table. */
class SettlingTest {

    private static final Instant T0 = Instant.parse("2026-04-12T02:00:00Z");
    private static final Duration SETTLE = Duration.ofSeconds(60);
    private static final Duration LASTS = Duration.ofMinutes(2);
    private static final Terms NONE = new Terms(null, false, SETTLE);
    private static final Terms IDEMPOTENT = new Terms(Duration.ofHours(24), false, SETTLE);
    private static final Terms VERIFIABLE = new Terms(null, true, SETTLE);
    private static final Terms BOTH = new Terms(Duration.ofHours(24), true, SETTLE);

    private static Tried tried(int number, Terms terms, Instant at) {
        return new Tried(number, "f", terms, new Tried.Window(number, at, at.plusSeconds(120)), null);
    }

    private static Settling decide(Terms terms, Duration age, boolean canVerify, int cannotTell) {
        return Settling.decide(List.of(tried(1, terms, T0)), T0.plus(age), LASTS, canVerify, cannotTell);
    }

    @Test
    void idempotent_acts_again_while_the_key_is_remembered() {
        assertThat(decide(IDEMPOTENT, Duration.ofHours(23), false, 0)).isInstanceOf(Settling.ActAgain.class);
        assertThat(decide(IDEMPOTENT, Duration.ofHours(24), false, 0)).isInstanceOf(Settling.AskAPerson.class);
        var lastMoment = Duration.ofHours(24).minus(LASTS).minus(SETTLE);
        assertThat(decide(IDEMPOTENT, lastMoment.minusMillis(1), false, 0))
                .isEqualTo(new Settling.ActAgain(T0.plus(lastMoment)));
        assertThat(decide(IDEMPOTENT, lastMoment, false, 0))
                .as("it could land after the key is forgotten")
                .isInstanceOf(Settling.AskAPerson.class);
        assertThat(decide(BOTH, Duration.ofHours(23), true, 0)).isInstanceOf(Settling.ActAgain.class);
        assertThat(decide(BOTH, Duration.ofHours(25), true, 0)).isInstanceOf(Settling.Ask.class);
        assertThat(decide(BOTH, Duration.ofHours(25), false, 0)).isInstanceOf(Settling.AskAPerson.class);
    }

    @Test
    void the_shortest_memory_and_the_weakest_contract_of_all_open_attempts_count() {
        var hour = new Terms(Duration.ofHours(1), false, SETTLE);
        var attempts = List.of(tried(1, IDEMPOTENT, T0), tried(2, hour, T0), tried(3, IDEMPOTENT, T0));
        assertThat(Settling.decide(attempts, T0.plusSeconds(60), LASTS, false, 0))
                .isEqualTo(new Settling.ActAgain(
                        T0.plus(Duration.ofHours(1)).minus(LASTS).minus(SETTLE)));
        assertThat(Settling.decide(
                        List.of(tried(1, IDEMPOTENT, T0), tried(2, NONE, T0)), T0.plusSeconds(60), LASTS, true, 0))
                .isInstanceOf(Settling.AskAPerson.class);
        assertThat(Settling.decide(
                        List.of(tried(1, VERIFIABLE, T0), tried(2, NONE, T0)), T0.plusSeconds(60), LASTS, true, 0))
                .isInstanceOf(Settling.AskAPerson.class);
    }

    @Test
    void the_memory_is_counted_from_the_first_attempt() {
        var attempts = List.of(tried(1, IDEMPOTENT, T0), tried(2, IDEMPOTENT, T0.plus(Duration.ofHours(20))));
        assertThat(Settling.decide(attempts, T0.plus(Duration.ofHours(25)), LASTS, false, 0))
                .isInstanceOf(Settling.AskAPerson.class);
    }

    @Test
    void verifiable_is_asked_and_believed_when_nothing_can_land() {
        assertThat(decide(VERIFIABLE, Duration.ZERO, true, 0)).isEqualTo(new Settling.Ask(T0.plusSeconds(180)));
        assertThat(decide(VERIFIABLE, Duration.ZERO, true, 3)).isInstanceOf(Settling.AskAPerson.class);
        assertThat(decide(VERIFIABLE, Duration.ZERO, false, 0)).isInstanceOf(Settling.AskAPerson.class);
        assertThat(decide(NONE, Duration.ZERO, true, 0)).isInstanceOf(Settling.AskAPerson.class);
    }

    @Test
    void an_attempt_whose_process_is_gone_can_land_for_the_settle_time_only() {
        var gone = tried(1, VERIFIABLE, T0).notSentAfter(T0.plusSeconds(5));
        assertThat(gone.settledFrom()).isEqualTo(T0.plusSeconds(65));
        assertThat(gone.notSentAfter(T0.plusSeconds(500)).settledFrom())
                .as("never later")
                .isEqualTo(T0.plusSeconds(65));
    }

    @Test
    void the_slowest_open_attempt_decides_and_answered_ones_do_not_count() {
        var answered = tried(3, VERIFIABLE, T0.plusSeconds(900))
                .answered(new Answer.DidNotHappen(Failure.of(FailureClass.TRANSIENT, "x", "x")));
        var attempts = List.of(tried(1, VERIFIABLE, T0), tried(2, VERIFIABLE, T0.plusSeconds(30)), answered);
        assertThat(Settling.decide(attempts, T0, LASTS, true, 0)).isEqualTo(new Settling.Ask(T0.plusSeconds(210)));
    }

    @Test
    void an_attempt_sends_once_and_knows_how_long_it_may() {
        var attempt = new Attempt("k", 7, 2, Duration.ofSeconds(60), Time.system());
        assertThat(attempt.left()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
        attempt.sending();
        assertThatIllegalStateException().isThrownBy(attempt::sending).withMessageContaining("one request");
        assertThat(new Attempt("k", 7, 2, Duration.ofSeconds(-1), Time.system()).left())
                .isZero();
    }

    @Test
    void contracts_say_what_they_are() {
        assertThat(Contract.none().terms()).hasToString("none");
        assertThat(Contract.idempotent().terms()).hasToString("idempotent");
        assertThat(Contract.verifiable(a -> Verification.didNotHappen())
                        .settle(Duration.ZERO)
                        .terms())
                .hasToString("verifiable");
        assertThat(Contract.idempotent()
                        .orVerifiable(a -> Verification.didNotHappen())
                        .terms())
                .hasToString("idempotent, verifiable");
        assertThatIllegalArgumentException().isThrownBy(() -> Contract.idempotent(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> Contract.none().settle(Duration.ofSeconds(-1)));
    }
}
