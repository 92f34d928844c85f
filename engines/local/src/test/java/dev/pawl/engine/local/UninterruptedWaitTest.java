package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An interrupt does not end a quiet wait, and is not lost. */
class UninterruptedWaitTest {
    @Test
    void an_interrupt_is_kept_until_the_wait_is_over() throws InterruptedException {
        var signal = new Signal();
        var waits = Thread.currentThread();
        var raises = Thread.ofVirtual().start(() -> {
            while (waits.isInterrupted() || waits.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
            signal.raise();
        });
        waits.interrupt();
        UninterruptedWait.await(signal, Time.system(), 0, Duration.ofDays(1));
        assertThat(signal.count()).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
        raises.join();
    }
}
