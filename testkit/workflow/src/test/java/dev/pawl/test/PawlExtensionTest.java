package dev.pawl.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Parameters of tests. */
class PawlExtensionTest {
    private static final Workflow<String, String> REMIND = Workflow.named("remind", String.class, String.class);
    private static final List<PawlTest> SEEN = new ArrayList<>();

    @RegisterExtension
    private final PawlExtension works = PawlExtension.on(REMIND.implementedBy((job, who) -> {
        job.sleep("three-days", Duration.ofDays(3));
        return "reminded " + who;
    }));

    @Test
    void a_test_gets_one_that_works(PawlTest pawl, Outside outside) {
        var job = pawl.submit(REMIND, Key.of("1"), "anna");
        assertThat(pawl.job(job).state()).isEqualTo(JobState.WAITING);
        pawl.advance(Duration.ofDays(3));
        assertThat(pawl.result(REMIND, job)).isEqualTo("reminded anna");
        outside.happened("a reminder");
        assertThat(outside.times("a reminder")).isEqualTo(1);
    }

    @RepeatedTest(2)
    void each_test_has_its_own(PawlTest pawl) {
        assertThat(SEEN).doesNotContain(pawl);
        SEEN.add(pawl);
        var job = pawl.submit(REMIND, Key.of("1"), "bo");
        assertThat(pawl.job(job).id()).isPositive();
    }
}
