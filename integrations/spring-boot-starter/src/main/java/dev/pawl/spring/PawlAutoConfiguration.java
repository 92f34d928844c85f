package dev.pawl.spring;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.StoreAddress;
import dev.pawl.job.Workflow;
import dev.pawl.micrometer.PawlMeters;
import dev.pawl.opentelemetry.PawlTelemetry;
import dev.pawl.store.OpenMode;
import dev.pawl.store.postgres.PostgresStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes {@link Pawl} and what belongs to it of an application's properties and beans. Each of them gives way to a bean of the application's own. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration"
        })
@EnableConfigurationProperties(PawlProperties.class)
public class PawlAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    PawlOptions pawlOptions(PawlProperties properties, ObjectProvider<PawlOptionsCustomizer> customizers) {
        var worker = properties.worker();
        var options =
                PawlOptions.usual().slots(worker.slots()).term(worker.term()).grace(worker.grace());
        if (!worker.queues().isEmpty()) {
            options = options.queues(worker.queues().toArray(String[]::new));
        }
        if (!worker.principals().isEmpty()) {
            options = options.principals(worker.principals().toArray(String[]::new));
        }
        for (var customizer : customizers.orderedStream().toList()) {
            options = customizer.customize(options);
        }
        return options;
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Pawl pawl(PawlProperties properties, PawlOptions options, ObjectProvider<DataSource> sources) {
        var mode = properties.migrate() ? OpenMode.BRINGING_FORWARD : OpenMode.AS_IT_IS;
        var address = properties.store();
        if (address != null) {
            var there = StoreAddress.of(address);
            return Pawl.over(properties.migrate() ? there.open(mode) : there.openThere(mode), options);
        }
        var source = ofApplication(sources);
        requirePostgres(source);
        if (!properties.migrate() && !PostgresStore.isThere(source, properties.schema())) {
            throw new IllegalStateException(
                    "there is no store in schema " + properties.schema()
                            + " of the application's database, and pawl.migrate=false says that none is made: let the owner of the schema make it (Pawl.openOrCreate), or say pawl.migrate=true once");
        }
        return Pawl.over(PostgresStore.open(source, properties.schema(), mode), options);
    }

    private static DataSource ofApplication(ObjectProvider<DataSource> sources) {
        var source = sources.getIfUnique();
        if (source == null) {
            throw new IllegalStateException(
                    sources.stream().findAny().isEmpty()
                            ? "Pawl needs a place for its jobs: say pawl.store=FILE (SQLite) or pawl.store=jdbc:postgresql://…, or give the application a DataSource (spring.datasource.url)"
                            : "the application has several DataSources, and none of them is primary: mark one with @Primary, or say pawl.store=…");
        }
        return source;
    }

    private static void requirePostgres(DataSource source) {
        try (var connection = source.getConnection()) {
            var product = connection.getMetaData().getDatabaseProductName();
            if (!product.equals("PostgreSQL")) {
                throw new IllegalStateException(
                        "the application's database is " + product
                                + ", and Pawl keeps jobs in PostgreSQL or in an SQLite file of its own: say pawl.store=FILE or pawl.store=jdbc:postgresql://…");
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the application's database cannot be reached: " + e.getMessage(), e);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    PawlTemplate pawlTemplate(Pawl pawl, ObjectProvider<DataSource> sources) {
        return new PawlTemplate(
                pawl,
                new SpringTransactions(sources.getIfUnique(), pawl.operator().describe()));
    }

    @Bean
    @ConditionalOnMissingBean
    PawlWorker pawlWorker(
            Pawl pawl, PawlProperties properties, ObjectProvider<Workflow.Implementation<?, ?>> workflows) {
        return new PawlWorker(
                pawl, workflows.orderedStream().toList(), properties.worker().enabled());
    }

    /** Health, for who has the actuator's. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class HealthConfiguration {
        @Bean
        @ConditionalOnEnabledHealthIndicator("pawl")
        @ConditionalOnMissingBean(name = "pawlHealthIndicator")
        HealthIndicator pawlHealthIndicator(Pawl pawl) {
            return new PawlHealthIndicator(pawl);
        }
    }

    /** Which workflows are worked here, for who has the actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
    static class InfoConfiguration {
        @Bean
        @ConditionalOnEnabledInfoContributor("pawl")
        @ConditionalOnMissingBean(name = "pawlInfoContributor")
        InfoContributor pawlInfoContributor(Pawl pawl, PawlWorker worker) {
            return new PawlInfoContributor(pawl, worker);
        }
    }

    /** Meters, for who has a registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterRegistry.class, PawlMeters.class})
    @ConditionalOnBean(MeterRegistry.class)
    static class MetersConfiguration {
        @Bean
        @ConditionalOnMissingBean
        PawlMeters pawlMeters(MeterRegistry registry) {
            return PawlMeters.in(registry);
        }

        @Bean
        PawlOptionsCustomizer pawlMetersCustomizer(PawlMeters meters) {
            return meters::on;
        }

        @Bean
        SmartInitializingSingleton pawlMetersWatch(PawlMeters meters, Pawl pawl) {
            return () -> meters.watch(pawl);
        }
    }

    /** Traces, for who has OpenTelemetry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({OpenTelemetry.class, PawlTelemetry.class})
    @ConditionalOnBean(OpenTelemetry.class)
    static class TracesConfiguration {
        @Bean
        @ConditionalOnMissingBean
        PawlTelemetry pawlTelemetry(OpenTelemetry openTelemetry) {
            return PawlTelemetry.through(openTelemetry);
        }

        @Bean
        PawlOptionsCustomizer pawlTelemetryCustomizer(PawlTelemetry telemetry) {
            return telemetry::on;
        }

        @Bean
        SmartInitializingSingleton pawlTelemetryWatch(PawlTelemetry telemetry, Pawl pawl) {
            return () -> telemetry.watch(pawl);
        }
    }
}
