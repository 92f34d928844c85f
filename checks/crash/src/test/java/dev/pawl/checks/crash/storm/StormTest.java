package dev.pawl.checks.crash.storm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The short form of {@code ./verify postgres}. */
class StormTest {
    private static final int JOBS = 50;
    private static final int TROUBLES = 3;

    @Test
    void whatever_happens_to_three_workers_and_their_server_nothing_is_lost_repeated_in_silence_or_stuck()
            throws Exception {
        var report = Storm.run(JOBS, TROUBLES, 3);
        assertThat(report.broken()).isEmpty();
        assertThat(report.jobs()).isGreaterThanOrEqualTo(JOBS);
        assertThat(report.done()).as("most of it went well").isGreaterThan(report.jobs() / 2);
        assertThat(report.troubles().values().stream().mapToInt(many -> many).sum())
                .isEqualTo(TROUBLES);
    }
}
