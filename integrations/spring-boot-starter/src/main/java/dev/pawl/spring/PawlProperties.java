package dev.pawl.spring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where jobs are kept, and how this application works on them.
 *
 * @param store Where jobs are kept: a file (SQLite) or an address (jdbc:postgresql://…). Without it they are in the application's own database, its DataSource.
 * @param schema The schema of the application's database in which they are.
 * @param migrate Whether a store is made where there is none, and brought forward where an earlier version has made it; else it is refused.
 * @param worker How this application works.
 */
@ConfigurationProperties("pawl")
public record PawlProperties(
        @Nullable String store,
        @DefaultValue("pawl") String schema,
        @DefaultValue("true") boolean migrate,
        @DefaultValue Worker worker) {

    /**
     * How this application works.
     *
     * @param enabled Whether it works at all; else it submits, and others work.
     * @param slots How many jobs run at once.
     * @param term For how long a lease is good.
     * @param grace How long jobs have to come to a boundary when the application stops.
     * @param queues Jobs of these queues only; all unless said.
     * @param principals Jobs on behalf of these only; all unless said.
     */
    public record Worker(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("16") int slots,
            @DefaultValue("30s") Duration term,
            @DefaultValue("30s") Duration grace,
            @DefaultValue List<String> queues,
            @DefaultValue List<String> principals) {}
}
