package dev.pawl.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.failure.AccountTrouble;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.testkit.FakeTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Rows that fail alike, one after the other, stop the run. */
class BrakeTest {
    private final FakeTime time = new FakeTime();
    private final Brake brake = new Brake(3, Brake.Pauses.USUAL, time);

    private void fails(int row, String how) {
        brake.failed(new Identity("nightly", Key.of(row)), how, "exit 1: no route to host");
    }

    private static String name(int row) {
        return new Identity("nightly", Key.of(row)).toString();
    }

    private void lets(int row) {
        assertThatCode(() -> brake.pass(() -> name(row))).doesNotThrowAnyException();
    }

    private void lets() {
        lets(99);
    }

    private void another() {
        brake.pass(() -> name(100));
    }

    @Test
    void three_different_rows_that_fail_alike_stop_it() {
        fails(1, "exit 1");
        fails(2, "exit 1");
        lets();
        fails(3, "exit 1");
        assertThatExceptionOfType(AccountTrouble.class)
                .isThrownBy(this::another)
                .withMessageContaining("3 rows")
                .withMessageContaining("no route to host");
    }

    @Test
    void its_reason_is_the_same_however_often_a_run_begins_with_it() {
        var next = new Brake(3, Brake.Pauses.USUAL, time);
        next.startStopped("3 rows in a row failed alike: x; one row tries when the gate opens");
        next.pass(() -> name(1));
        assertThatExceptionOfType(AccountTrouble.class)
                .isThrownBy(() -> next.pass(() -> name(2)))
                .withMessage("3 rows in a row failed alike: x; one row tries when the gate opens");
    }

    @Test
    void one_row_that_fails_again_and_again_does_not() {
        for (var i = 0; i < 10; i++) {
            fails(1, "exit 1");
        }
        lets();
    }

    @Test
    void a_success_or_another_failure_begins_the_count_anew() {
        fails(1, "exit 1");
        fails(2, "exit 1");
        brake.succeeded();
        fails(3, "exit 1");
        lets();
        fails(4, "exit 2");
        fails(5, "exit 2");
        lets();
        fails(6, "exit 2");
        assertThatExceptionOfType(AccountTrouble.class).isThrownBy(this::another);
    }

    @Test
    void without_a_number_there_is_no_brake() {
        var none = new Brake(0, Brake.Pauses.USUAL, time);
        for (var i = 0; i < 10; i++) {
            none.failed(new Identity("nightly", Key.of(i)), "exit 1", "");
        }
        assertThatCode(() -> none.pass(() -> name(1))).doesNotThrowAnyException();
        assertThatIllegalArgumentException().isThrownBy(() -> new Brake(-1, Brake.Pauses.USUAL, time));
    }

    private void stops(Duration howLong) {
        assertThat(brake.stopped()).isTrue();
        assertThatExceptionOfType(AccountTrouble.class)
                .isThrownBy(this::another)
                .satisfies(trouble -> assertThat(trouble.retryAfter()).isEqualTo(howLong));
    }

    @Test
    void from_time_to_time_one_row_is_let_through_and_when_it_comes_out_well_so_are_all() {
        for (var row = 1; row <= 3; row++) {
            fails(row, "exit 1");
        }
        stops(Duration.ofSeconds(30));
        time.advance(Duration.ofSeconds(30));
        lets(4);
        stops(Duration.ofSeconds(30));
        fails(4, "exit 1");
        stops(Duration.ofMinutes(1));
        for (var i = 0; i < 10; i++) {
            time.advance(Duration.ofMinutes(15));
            lets(5 + i);
            fails(5 + i, "exit 1");
        }
        stops(Duration.ofMinutes(15));
        assertThat(brake.succeeded()).as("those who wait are released").isTrue();
        assertThat(brake.succeeded()).isFalse();
        lets();
        lets();
    }

    @Test
    void a_run_after_one_that_was_stopped_lets_one_row_through_at_once() {
        brake.startStopped("3 rows in a row failed alike: no route to host");
        lets();
        stops(Duration.ofSeconds(30));
        assertThat(brake.succeeded()).isTrue();
        lets();
    }

    @Test
    void rows_that_were_on_their_way_when_it_stopped_make_no_pause_longer() {
        for (var row = 1; row <= 14; row++) {
            fails(row, "exit 1");
        }
        stops(Duration.ofSeconds(30));
    }

    @Test
    void while_a_row_that_was_let_through_has_not_come_back_no_other_is() {
        for (var row = 1; row <= 3; row++) {
            fails(row, "exit 1");
        }
        time.advance(Duration.ofSeconds(30));
        lets(4);
        lets(4);
        time.advance(Duration.ofMinutes(5));
        stops(Duration.ofSeconds(30));
        fails(2, "exit 1");
        stops(Duration.ofSeconds(30));
        time.advance(Duration.ofMinutes(10));
        lets(5);
        fails(5, "exit 1");
        stops(Duration.ofMinutes(1));
    }
}
