package dev.pawl.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.spring.test.AutoConfigurePawlTest;
import dev.pawl.test.PawlTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** A whole application in a test, with the clock of the test. */
@SpringBootTest
@AutoConfigurePawlTest
class ApplicationTest {
    @SpringBootConfiguration
    @ImportAutoConfiguration(PawlAutoConfiguration.class)
    @Import({Orders.Billing.class, Orders.Shipping.class})
    static class Application {}

    @Autowired
    private PawlTest pawl;

    @Autowired
    private Pawl client;

    @Autowired
    private PawlWorker worker;

    @Test
    void its_jobs_are_the_tests_and_nobody_else_works_on_them() {
        client.submit(Orders.REMIND, Key.of("8"), "8");
        pawl.advance(Duration.ofDays(15));
        assertThat(pawl.result(Orders.REMIND, new Identity("remind", Key.of("8"))))
                .isEqualTo("reminded 8");
        assertThat(worker.isRunning()).isFalse();
        assertThat(client.operator().workers()).hasSize(1);
    }
}
