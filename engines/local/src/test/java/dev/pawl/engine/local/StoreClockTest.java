package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.FakeTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The store's time as far as it can be told: at least so late, and at the latest so late. */
class StoreClockTest {
    private final FakeTime time = new FakeTime();
    private final StoreClock clock = new StoreClock(time);

    @Test
    void before_the_store_has_told_our_own_clock_counts() {
        assertThat(clock.now()).isEqualTo(time.now());
        assertThat(clock.atTheLatest()).isEqualTo(time.now());
    }

    @Test
    void afterwards_the_stores_does() {
        var told = time.now().plusSeconds(3_600);
        clock.told(told);
        time.advance(Duration.ofSeconds(5));
        assertThat(clock.now()).isEqualTo(told.plusSeconds(5));
        assertThat(clock.atTheLatest()).isEqualTo(told.plusSeconds(5));
    }
}
