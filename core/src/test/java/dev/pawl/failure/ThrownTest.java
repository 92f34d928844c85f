package dev.pawl.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What code has thrown, as it is kept: bounded, whatever was thrown. */
class ThrownTest {

    private static final class Hostile extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("no message for you");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("no stack for you");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            throw new IllegalStateException("no cause for you");
        }
    }

    private static Throwable deep(int left) {
        return new RuntimeException("x".repeat(5_000), left == 0 ? null : deep(left - 1));
    }

    @Test
    void it_reads_as_java_prints_it_and_a_cause_says_only_where_it_differs() {
        var thrown = Thrown.of(new IllegalStateException("no answer", new IOException("refused")));
        assertThat(thrown.text())
                .startsWith("java.lang.IllegalStateException: no answer\n    at dev.pawl.failure.ThrownTest.")
                .contains("\nCaused by: java.io.IOException: refused\n    at dev.pawl.failure.ThrownTest.it_reads");
        assertThat(Objects.requireNonNull(thrown.cause()).frames()).hasSize(1);
        assertThat(thrown.where()).hasValueSatisfying(frame -> assertThat(frame).contains("(ThrownTest.java:"));
    }

    @Test
    void whatever_was_thrown_it_is_bounded() {
        assertThat(Thrown.of(deep(100)).text()).hasSizeLessThan(40_000);
        var endless = new StackOverflowError();
        endless.setStackTrace(
                Collections.nCopies(100_000, endless.getStackTrace()[0]).toArray(StackTraceElement[]::new));
        assertThat(Thrown.of(endless).text()).hasSizeLessThan(20_000);
        var circle = new IllegalStateException("a");
        circle.initCause(new IllegalStateException("b", circle));
        assertThat(Thrown.of(circle).text().split("Caused by")).hasSize(2);
    }

    @Test
    void an_exception_whose_own_methods_fail_is_kept_as_far_as_it_can_be() {
        var thrown = Thrown.of(new Hostile());
        assertThat(thrown)
                .isEqualTo(new Thrown(Hostile.class.getName(), "(its message could not be read)", List.of(), null));
        assertThat(Thrown.isOfUserCode(new Hostile())).isTrue();
    }

    @Test
    void passwords_of_addresses_are_not_kept() {
        assertThat(Thrown.of(new IOException("jdbc:postgresql://anna:tulip@shop/db refuses"))
                        .message())
                .doesNotContain("tulip")
                .contains("shop/db refuses");
        var cutInTheMiddle = "x".repeat(970) + " https://anna:" + "tulip".repeat(100) + "@shop/";
        assertThat(Thrown.of(new IOException(cutInTheMiddle)).message()).doesNotContain("tulip");
        assertThat(Thrown.of(new IOException("x".repeat(999) + "\ud83d\ude00")).message())
                .isEqualTo("x".repeat(999) + "…");
    }

    @Test
    void what_a_command_has_failed_with_is_no_users_code() {
        var failed = new PermanentFailure("exit 65");
        failed.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("dev.pawl.command.CommandStep", "run", "CommandStep.java", 7),
            new StackTraceElement("java.lang.Thread", "run", "Thread.java", 1)
        });
        assertThat(Thrown.isOfUserCode(failed)).isFalse();
        assertThat(Thrown.isOfUserCode(new PermanentFailure("mine"))).isTrue();
    }

    @Test
    void it_can_be_thrown_again_with_type_message_and_frames() {
        var was = new IllegalStateException("no answer", new IOException("refused"));
        var again = new ThrownInJob(Thrown.of(was));
        assertThat(again.type()).isEqualTo("java.lang.IllegalStateException");
        assertThat(again).hasMessage("no answer").hasToString("java.lang.IllegalStateException: no answer");
        assertThat(again.getStackTrace()[0].getMethodName()).isEqualTo(was.getStackTrace()[0].getMethodName());
        assertThat(again.getStackTrace()[0].getLineNumber()).isEqualTo(was.getStackTrace()[0].getLineNumber());
        assertThat(again.getStackTrace()[0].getClassName()).isEqualTo(was.getStackTrace()[0].getClassName());
        assertThat(again).hasRootCauseMessage("refused");
        var odd = new ThrownInJob(
                new Thrown("T", null, List.of("no frame at all", "a.B.c(Native)", "a.b(C.java:99999999999)"), null));
        assertThat(odd).hasToString("T");
        assertThat(odd.getStackTrace()).hasSize(3);
    }
}
