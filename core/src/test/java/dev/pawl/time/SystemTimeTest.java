package dev.pawl.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Waiting on the machine's own clock. */
class SystemTimeTest {
    @Test
    void a_wait_that_is_over_does_not_wait() throws InterruptedException {
        Time.system().await(Duration.ZERO);
        Time.system().await(Duration.ofDays(-1));
    }

    @Test
    void whoever_was_interrupted_does_not_begin_to_wait() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> Time.system().await(Duration.ofDays(1)));
        assertThat(Thread.interrupted()).as("it is said once").isFalse();
    }

    @Test
    void a_wait_longer_than_anybody_lives_can_be_interrupted() throws InterruptedException {
        var interrupted = new AtomicBoolean();
        var begun = new CountDownLatch(1);
        var waits = Thread.ofVirtual().start(() -> {
            begun.countDown();
            try {
                while (true) {
                    Time.system().await(Duration.ofSeconds(Long.MAX_VALUE));
                }
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        begun.await();
        while (waits.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        waits.interrupt();
        waits.join();
        assertThat(interrupted).isTrue();
    }
}
