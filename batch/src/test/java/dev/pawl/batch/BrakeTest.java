package dev.pawl.batch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.retry.AccountTrouble;
import org.junit.jupiter.api.Test;

/** Rows that fail alike, one after the other, stop the run. */
class BrakeTest {
    private final Brake brake = new Brake(3);

    private void fails(int row, String how) {
        brake.failed(new Identity("nightly", Key.of(row)), how, "exit 1: no route to host");
    }

    private void lets() {
        assertThatCode(brake::pass).doesNotThrowAnyException();
    }

    @Test
    void three_different_rows_that_fail_alike_stop_it() {
        fails(1, "exit 1");
        fails(2, "exit 1");
        lets();
        fails(3, "exit 1");
        assertThatExceptionOfType(AccountTrouble.class)
                .isThrownBy(brake::pass)
                .withMessageContaining("3 rows")
                .withMessageContaining("no route to host");
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
        assertThatExceptionOfType(AccountTrouble.class).isThrownBy(brake::pass);
    }

    @Test
    void without_a_number_there_is_no_brake() {
        var none = new Brake(0);
        for (var i = 0; i < 10; i++) {
            none.failed(new Identity("nightly", Key.of(i)), "exit 1", "");
        }
        assertThatCode(none::pass).doesNotThrowAnyException();
        assertThatIllegalArgumentException().isThrownBy(() -> new Brake(-1));
    }
}
