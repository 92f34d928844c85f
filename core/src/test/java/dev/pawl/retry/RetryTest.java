package dev.pawl.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.Rejected;
import dev.pawl.retry.Retry.Judgement;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Retries are bounded, jittered, and respect what the other side asks for. */
class RetryTest {

    private static final Failure DOWN = Failure.of(FailureClass.TRANSIENT, "down", "down");
    private final Retry retry = new Retry(4, Duration.ofSeconds(1), Duration.ofSeconds(3));

    private Duration delay(Failure failure, int spent, long seed) {
        return ((Judgement.TryAgain) retry.judge(failure, spent, new Random(seed))).after();
    }

    @Test
    void the_wait_is_anything_up_to_the_doubled_ceiling_and_never_above_the_cap() {
        for (var seed = 0; seed < 500; seed++) {
            assertThat(delay(DOWN, 1, seed)).isBetween(Duration.ZERO, Duration.ofSeconds(1));
            assertThat(delay(DOWN, 2, seed)).isBetween(Duration.ZERO, Duration.ofSeconds(2));
            assertThat(delay(DOWN, 3, seed)).isBetween(Duration.ZERO, Duration.ofSeconds(3));
        }
        assertThat(new Random(1)
                        .longs(500)
                        .mapToObj(seed -> delay(DOWN, 3, seed))
                        .filter(d -> d.toMillis() < 1_000)
                        .count())
                .as("full jitter: short waits are as likely as long ones")
                .isBetween(100L, 240L);
    }

    @Test
    void the_budget_ends() {
        assertThat(retry.judge(DOWN, 3, new Random(1))).isInstanceOf(Judgement.TryAgain.class);
        assertThat(retry.judge(DOWN, 4, new Random(1))).isEqualTo(new Judgement.GiveUp(DOWN));
        assertThat(new Retry(1_000, Duration.ofSeconds(1), Duration.ofDays(1)).judge(DOWN, 999, new Random(1)))
                .isInstanceOf(Judgement.TryAgain.class);
    }

    @Test
    void permanent_gives_up_at_once_and_account_asks() {
        var permanent = Failure.of(FailureClass.PERMANENT, "no", "no");
        var account = Failure.of(FailureClass.ACCOUNT, "credit", "credit");
        assertThat(retry.judge(permanent, 1, new Random(1))).isEqualTo(new Judgement.GiveUp(permanent));
        assertThat(retry.judge(account, 99, new Random(1))).isEqualTo(new Judgement.WaitWithAll(account));
    }

    @Test
    void a_retry_after_is_a_floor_and_is_bounded() {
        var wish = new Failure(FailureClass.TRANSIENT, "429", "slow down", Duration.ofMinutes(2));
        assertThat(delay(wish, 1, 1))
                .isBetween(Duration.ofMinutes(2), Duration.ofMinutes(2).plusSeconds(1));
        var hardly = new Failure(FailureClass.TRANSIENT, "429", "slow down", Duration.ZERO);
        assertThat(delay(hardly, 1, 1)).isEqualTo(delay(DOWN, 1, 1));
        var absurd = new Failure(FailureClass.TRANSIENT, "429", "slow down", Duration.ofDays(4_000));
        assertThat(delay(absurd, 1, 1)).isLessThan(Duration.ofHours(25));
    }

    @Test
    void what_an_exception_means_depends_on_where_it_came_from() {
        assertThat(Failure.ofStep(new IllegalStateException("x")).kind()).isEqualTo(FailureClass.TRANSIENT);
        assertThat(Failure.ofEffect(new IllegalStateException("x")).kind()).isEqualTo(FailureClass.AMBIGUOUS);
        assertThat(Failure.ofEffect(new PermanentFailure("x")).kind()).isEqualTo(FailureClass.AMBIGUOUS);
        assertThat(Failure.ofStep(new PermanentFailure("x")).kind()).isEqualTo(FailureClass.PERMANENT);
        assertThat(Failure.ofEffect(new Rejected("x")).kind()).isEqualTo(FailureClass.PERMANENT);
        assertThat(Failure.ofEffect(new NotSent("x")).kind()).isEqualTo(FailureClass.TRANSIENT);
        assertThat(Failure.ofEffect(new AccountTrouble("x")).kind()).isEqualTo(FailureClass.ACCOUNT);
        assertThat(Failure.ofStep(new Error()).message()).isEqualTo("Error, without a message");
        assertThat(Failure.ofStep(new Error("x".repeat(9_000))).message()).hasSizeLessThan(2_100);
    }

    @Test
    void the_edges_of_a_backoff_are_where_they_are_said_to_be() {
        assertThat(retry.attempts(7).attempts()).isEqualTo(7);
        assertThat(retry.backoff(Duration.ofSeconds(2), Duration.ofSeconds(2)).first())
                .as("it may stay the same")
                .isEqualTo(Duration.ofSeconds(2));
        var year = retry.backoff(Duration.ZERO, Duration.ofDays(365));
        assertThat(year.judge(DOWN, 3, new Random(1))).isEqualTo(new Judgement.TryAgain(Duration.ZERO));
        assertThat(new Retry(3, Duration.ofNanos(1), Duration.ofNanos(1)).judge(DOWN, 1, () -> 0L))
                .isEqualTo(new Judgement.TryAgain(Duration.ZERO));
        var day = new Failure(FailureClass.TRANSIENT, "429", "slow down", Duration.ofHours(24));
        assertThat(year.judge(day, 1, new Random(1))).isEqualTo(new Judgement.TryAgain(Duration.ofHours(24)));
        assertThat(Failure.ofStep(new PermanentFailure("x".repeat(2_000))).message())
                .hasSize(2_000);
        assertThat(Failure.ofStep(new Error()).code()).isEqualTo("Error");
        assertThat(Failure.ofStep(new Error() {}).code()).startsWith("dev.pawl.retry.RetryTest$");
        assertThat(Failure.ofStep(new NotSent("x")).kind()).isEqualTo(FailureClass.TRANSIENT);
        assertThat(Failure.ofStep(new Rejected("x")).kind()).isEqualTo(FailureClass.PERMANENT);
        assertThat(Failure.ofStep(new AccountTrouble("x")).kind()).isEqualTo(FailureClass.ACCOUNT);
    }

    @Test
    void nonsense_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> retry.attempts(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> retry.backoff(Duration.ofSeconds(9), Duration.ofSeconds(1)));
    }

    @Test
    void what_commands_meet_unless_said_survives_an_outage_of_five_minutes() {
        var random = new Random(7);
        var outage = Duration.ofMinutes(5);
        var failure = Failure.of(FailureClass.TRANSIENT, "exit-75", "no route to host");
        var givenUp = 0;
        for (var row = 0; row < 10_000; row++) {
            var passed = Duration.ZERO;
            var spent = 1;
            while (passed.compareTo(outage) < 0
                    && Retry.OF_COMMANDS.judge(failure, spent, random) instanceof Retry.Judgement.TryAgain again) {
                passed = passed.plus(again.after());
                spent++;
            }
            givenUp += passed.compareTo(outage) < 0 ? 1 : 0;
        }
        assertThat(givenUp).as("of 10,000 rows").isLessThan(50);
    }
}
