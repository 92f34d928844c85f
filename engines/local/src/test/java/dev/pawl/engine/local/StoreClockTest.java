package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.FakeTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
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
        clock.told(told, clock.ours());
        time.advance(Duration.ofSeconds(5));
        assertThat(clock.now()).isEqualTo(told.plusSeconds(5));
        assertThat(clock.atTheLatest()).isEqualTo(told.plusSeconds(5));
    }

    /** An exchange that takes so long, after which the store's clock says that. */
    private @Nullable Duration step(Duration taking, Instant store) {
        var askedAt = clock.ours();
        time.advance(taking);
        clock.told(store, askedAt);
        return clock.takeStep();
    }

    @Test
    void a_store_whose_clock_was_set_is_noticed_by_the_time_that_passed_here() {
        var store = time.now().plusSeconds(7);
        assertThat(step(Duration.ZERO, store)).isNull();
        time.advance(Duration.ofSeconds(60));
        store = store.plusSeconds(60);
        assertThat(step(Duration.ZERO, store)).as("as much has passed there").isNull();
        time.advance(Duration.ofSeconds(60));
        store = store.plusSeconds(3_660);
        assertThat(step(Duration.ZERO, store)).isEqualTo(Duration.ofHours(1));
        assertThat(clock.takeStep()).as("it is told once").isNull();
        time.advance(Duration.ofHours(2));
        store = store.plusSeconds(3_600);
        assertThat(step(Duration.ZERO, store))
                .as("it went on, but by too little")
                .isEqualTo(Duration.ofHours(-1));
        assertThat(step(Duration.ZERO, store.minusSeconds(30))).isNull();
        assertThat(step(Duration.ZERO, store.minusSeconds(61))).isEqualTo(Duration.ofSeconds(-31));
    }

    @Test
    void neither_a_machine_that_slept_nor_an_exchange_that_took_long_is_taken_for_that() {
        var store = time.now();
        assertThat(step(Duration.ZERO, store)).isNull();
        time.sleepMachine(Duration.ofHours(8));
        store = store.plus(Duration.ofHours(8));
        assertThat(step(Duration.ZERO, store)).isNull();
        assertThat(step(Duration.ofMinutes(5), store))
                .as("it was frozen before it heard")
                .isNull();
        assertThat(step(Duration.ZERO, store.plus(Duration.ofMinutes(5)))).isNull();
        assertThat(clock.now()).isEqualTo(store.plus(Duration.ofMinutes(5)));
    }
}
