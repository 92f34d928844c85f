package dev.pawl.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.spring.test.WorkflowTest;
import dev.pawl.test.PawlTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;

/** Workflows of an application, with the clock of a test. */
@WorkflowTest
@Import(Orders.Billing.class)
class SliceTest {
    @SpringBootConfiguration
    static class Application {}

    @Autowired
    private PawlTest pawl;

    @Autowired
    private PawlTemplate template;

    @Autowired
    private ApplicationContext context;

    @Test
    void a_fortnight_passes_at_once_also_for_what_the_application_submits() {
        template.submitNow(Orders.REMIND, Key.of("7"), "7");
        var job = new Identity("remind", Key.of("7"));
        pawl.advance(Duration.ofDays(13));
        assertThat(pawl.job(job).state()).isEqualTo(JobState.WAITING);
        pawl.advance(Duration.ofDays(2));
        assertThat(pawl.result(Orders.REMIND, job)).isEqualTo("reminded 7");
        assertThat(context.getBeanNamesForType(javax.sql.DataSource.class)).isEmpty();
        assertThat(context.containsBean("ship")).as("it was not imported").isFalse();
    }
}
