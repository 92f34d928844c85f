package dev.pawl.store;

import static dev.pawl.store.SampleJobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.gate.Gate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was stored while the clock was ahead waits as long as it was to, from now on, and nothing else is touched. */
class ClockAheadTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static StoredJob job(long fence, Instant created, Instant changed, @Nullable Instant due) {
        return new StoredJob(
                7,
                new Identity("w", Key.of("k")),
                new StoredJob.Given("1", Handling.usual()),
                new StoredJob.Standing(
                        fence == 0 ? JobState.READY : JobState.WAITING,
                        0,
                        fence,
                        0,
                        StoredJob.Suspicion.NONE,
                        new StoredJob.Times(created, changed, due),
                        false,
                        0),
                StoredJob.Outcome.NONE);
    }

    @Test
    void how_long_a_job_was_to_wait_counts_from_now_on() {
        var ahead = NOW.plus(YEAR);
        assertThat(ClockAhead.mended(job(3, NOW.minus(MINUTE), ahead, ahead.plus(MINUTE)), NOW))
                .isEqualTo(new StoredJob.Times(NOW.minus(MINUTE), NOW, NOW.plus(MINUTE)));
        assertThat(ClockAhead.mended(job(3, ahead, ahead, ahead.plus(MINUTE)), NOW))
                .as("nothing was made in the future")
                .isEqualTo(new StoredJob.Times(NOW, NOW, NOW.plus(MINUTE)));
        assertThat(ClockAhead.mended(job(3, ahead, ahead, ahead.minus(MINUTE)), NOW))
                .extracting(StoredJob.Times::due)
                .isEqualTo(NOW.minus(MINUTE));
    }

    @Test
    void a_job_that_is_not_to_start_before_a_certain_time_starts_then() {
        var ahead = NOW.plus(YEAR);
        var newYear = ahead.plus(MINUTE);
        assertThat(ClockAhead.mended(job(0, ahead, ahead, newYear), NOW))
                .isEqualTo(new StoredJob.Times(NOW, NOW, newYear));
        assertThat(ClockAhead.mended(job(0, ahead, ahead, ahead), NOW))
                .as("it was to start at once")
                .isEqualTo(new StoredJob.Times(NOW, NOW, NOW));
    }

    @Test
    void what_waits_for_nothing_or_was_stored_about_now_stays_as_it_is() {
        var ahead = NOW.plus(YEAR);
        assertThat(ClockAhead.mended(job(3, ahead, ahead, null), NOW)).isNull();
        assertThat(ClockAhead.mended(job(3, NOW, ahead, NOW), NOW)).isNull();
        assertThat(ClockAhead.mended(job(3, NOW, NOW.plus(ClockAhead.TOLERATED), ahead), NOW))
                .isNull();
    }

    @Test
    void a_gate_that_opens_by_itself_opens_as_long_after_now_as_it_was_to() {
        var ahead = NOW.plus(YEAR);
        var closed = Gate.closed("g", Gate.Cause.RATE, new Gate.Closing("slow", ahead, ahead.plus(MINUTE)));
        assertThat(ClockAhead.mended(closed, NOW))
                .isEqualTo(closed.closed(new Gate.Closing("slow", NOW, NOW.plus(MINUTE))));
        assertThat(ClockAhead.mended(closed.open(), NOW)).isNull();
        assertThat(ClockAhead.mended(closed.closed(new Gate.Closing("spent", ahead, null)), NOW))
                .as("a person opens it")
                .isNull();
        assertThat(ClockAhead.mended(closed.closed(new Gate.Closing("slow", NOW, ahead)), NOW))
                .isNull();
    }
}
