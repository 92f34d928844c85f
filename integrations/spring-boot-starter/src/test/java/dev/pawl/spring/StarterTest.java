package dev.pawl.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.JobState;
import dev.pawl.key.Key;
import dev.pawl.opentelemetry.PawlTelemetry;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Pawl in a Spring Boot application, on a real PostgreSQL and on SQLite. */
class StarterTest {
    private static PostgresServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The events of an application are its log's. */
    @Configuration(proxyBeanMethods = false)
    static class Quiet {
        @Bean
        PawlOptionsCustomizer quiet() {
            return options -> options.log(Events.NOWHERE);
        }
    }

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        PawlAutoConfiguration.class))
                .withUserConfiguration(Quiet.class, Orders.Shipping.class, Orders.Billing.class);
    }

    private static ApplicationContextRunner onPostgres() {
        return application()
                .withPropertyValues(
                        "spring.datasource.url=" + server.url(), "spring.datasource.hikari.maximum-pool-size=5");
    }

    private ApplicationContextRunner onFile() {
        return application().withPropertyValues("pawl.store=" + folder.resolve("pawl.db"));
    }

    private static void until(java.util.function.BooleanSupplier so) throws InterruptedException {
        while (!so.getAsBoolean()) {
            Time.system().await(Duration.ofMillis(10));
        }
    }

    @Test
    void workflows_are_beans_of_any_module_and_a_job_is_there_exactly_if_its_transaction_is() {
        onPostgres().withUserConfiguration(Orders.OrderDesk.class).run(context -> {
            var pawl = context.getBean(Pawl.class);
            context.getBean(JdbcTemplate.class).execute("create table orders (number text primary key)");
            var desk = context.getBean(Orders.Desk.class);
            desk.order("1", false);
            assertThat(pawl.submit(Orders.SHIP, Key.of("1"), "1").join()).isEqualTo("packed 1");
            assertThatIllegalStateException().isThrownBy(() -> desk.order("2", true));
            assertThat(pawl.find(Orders.SHIP, Key.of("2"))).isEmpty();
            assertThat(context.getBean(JdbcTemplate.class).queryForList("select number from orders", String.class))
                    .containsExactly("1");
            assertThatIllegalStateException()
                    .isThrownBy(() -> desk.orderNow("3"))
                    .withMessage("rolled back");
            assertThat(pawl.submit(Orders.SHIP, Key.of("3"), "3").join()).isEqualTo("packed 3");
            assertThat(pawl.submit(Orders.BILL, Key.of("1"), "1").join()).isEqualTo("billed 1");
        });
    }

    @Test
    void who_keeps_jobs_elsewhere_is_told_that_they_are_no_part_of_a_transaction() {
        onFile().withPropertyValues("spring.datasource.url=" + server.url())
                .withUserConfiguration(Orders.OrderDesk.class)
                .run(context -> {
                    context.getBean(JdbcTemplate.class).execute("create table if not exists elsewhere (number text)");
                    var pawl = context.getBean(PawlTemplate.class);
                    assertThatIllegalStateException()
                            .isThrownBy(() -> context.getBean(Orders.Desk.class).order("9", false))
                            .withMessageContaining("a transaction is under way, and jobs are kept in SQLite file")
                            .withMessageContaining("submitNow");
                    assertThat(pawl.submit(Orders.SHIP, Key.of("9"), "9")).hasToString("NEW");
                });
    }

    @Test
    void a_job_in_the_applications_own_sqlite_file_is_part_of_its_transactions_too() {
        onFile().withPropertyValues(
                        "spring.datasource.url=jdbc:sqlite:" + folder.resolve("pawl.db"),
                        "spring.datasource.hikari.maximum-pool-size=2")
                .withUserConfiguration(Orders.OrderDesk.class)
                .run(context -> {
                    var pawl = context.getBean(Pawl.class);
                    context.getBean(JdbcTemplate.class).execute("create table orders (number text primary key)");
                    var desk = context.getBean(Orders.Desk.class);
                    desk.order("1", false);
                    assertThat(pawl.submit(Orders.SHIP, Key.of("1"), "1").join())
                            .isEqualTo("packed 1");
                    assertThatIllegalStateException()
                            .isThrownBy(() -> desk.order("2", true))
                            .withMessage("the stock is wrong");
                    assertThat(pawl.find(Orders.SHIP, Key.of("2"))).isEmpty();
                });
    }

    @Test
    void working_stops_and_begins_while_the_client_stays_and_ends_with_the_application() {
        onFile().run(context -> {
            var pawl = context.getBean(Pawl.class);
            var worker = context.getBean(PawlWorker.class);
            assertThat(worker.isRunning()).isTrue();
            worker.stop();
            var job = context.getBean(PawlTemplate.class).submitNow(Orders.SHIP, Key.of("1"), "1");
            assertThat(pawl.find(Orders.SHIP, Key.of("1")).orElseThrow().state())
                    .isEqualTo(JobState.READY);
            assertThat(pawl.health().works()).isFalse();
            worker.start();
            assertThat(job.join()).isEqualTo("packed 1");
        });
        onFile().withPropertyValues("pawl.worker.enabled=false").run(context -> {
            assertThat(context.getBean(PawlWorker.class).isRunning()).isFalse();
            assertThat(context.getBean(Pawl.class).operator().workers())
                    .as("the other application said good-bye")
                    .isEmpty();
        });
    }

    @Test
    void health_is_down_only_when_the_store_fails_and_questions_are_a_detail() throws Exception {
        try (var own = PostgresServer.start()) {
            application()
                    .withPropertyValues("spring.datasource.url=" + own.url())
                    .run(context -> {
                        var indicator = context.getBean("pawlHealthIndicator", HealthIndicator.class);
                        until(() -> Objects.requireNonNull(indicator.health())
                                .getStatus()
                                .equals(Status.UP));
                        assertThat(Objects.requireNonNull(indicator.health()).getDetails())
                                .containsEntry("questions", 0L)
                                .containsEntry("works", true);
                        own.crash();
                        var down = Objects.requireNonNull(indicator.health());
                        assertThat(down.getStatus()).isEqualTo(Status.DOWN);
                        assertThat(down.getDetails()).containsKey("store");
                        own.startAgain();
                        until(() -> Objects.requireNonNull(indicator.health())
                                .getStatus()
                                .equals(Status.UP));
                    });
        }
    }

    @Test
    void info_says_which_workflows_are_worked_and_meters_are_there_where_a_registry_is() {
        onFile().withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            var info = new Info.Builder();
            context.getBean("pawlInfoContributor", InfoContributor.class).contribute(info);
            assertThat(info.build().get("pawl"))
                    .asString()
                    .contains("works=true", "SQLite file", "ship", "bill", "remind");
            context.getBean(PawlTemplate.class)
                    .submitNow(Orders.SHIP, Key.of("1"), "1")
                    .join();
            var registry = context.getBean(MeterRegistry.class);
            until(() -> registry.find("pawl.job.duration").timer() != null);
            assertThat(registry.get("pawl.question.open").gauge().value()).isZero();
        });
    }

    @Test
    void traces_are_there_where_opentelemetry_is() {
        onFile().withBean(OpenTelemetry.class, OpenTelemetry::noop).run(context -> {
            var listeners = context.getBean(PawlOptions.class).hearing().attempts();
            assertThat(listeners).contains(context.getBean(PawlTelemetry.class));
            assertThat(context).hasBean("pawlTelemetryWatch");
            assertThat(context.getBean(PawlTemplate.class)
                            .submitNow(Orders.SHIP, Key.of("1"), "1")
                            .join())
                    .isEqualTo("packed 1");
        });
    }

    @Test
    void what_keeps_it_from_starting_is_said_with_what_to_do() {
        application()
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:x")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("the application's database is H2")
                        .hasMessageContaining("pawl.store=FILE"));
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(PawlAutoConfiguration.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Pawl needs a place for its jobs: say pawl.store=FILE"));
        onPostgres()
                .withPropertyValues("pawl.migrate=false", "pawl.schema=nobody_made_it")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("there is no store in schema nobody_made_it"));
    }

    @Test
    void beans_of_the_applications_own_are_taken() {
        var own = PawlOptions.usual().slots(3).log(Events.NOWHERE);
        onFile().withBean(PawlOptions.class, () -> own)
                .run(context -> assertThat(context.getBean(PawlOptions.class)).isSameAs(own));
        onFile().withPropertyValues("pawl.worker.slots=5", "pawl.worker.queues=a,b", "pawl.worker.grace=3s")
                .run(context -> {
                    var options = context.getBean(PawlOptions.class).engineOptions();
                    assertThat(options.slots()).isEqualTo(5);
                    assertThat(options.queues()).containsExactlyInAnyOrder("a", "b");
                    assertThat(options.toString()).contains("PT3S");
                });
    }

    @Test
    void every_property_is_described_for_who_types_it() throws IOException {
        try (var file = Objects.requireNonNull(
                getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            var text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text).contains("\"pawl.store\"", "\"pawl.worker.slots\"", "How many jobs run at once.");
            assertThat(Map.of("described", text.split("\"description\"", -1).length - 1)
                            .get("described"))
                    .isGreaterThanOrEqualTo(9);
        }
    }
}
