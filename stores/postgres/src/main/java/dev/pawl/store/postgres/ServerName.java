package dev.pawl.store.postgres;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a server says that it is, in answer to {@code select version()}. */
final class ServerName {
    private static final String POSTGRES = "PostgreSQL ";
    private static final int MOST_CHARS = 40;

    /** Servers that call themselves PostgreSQL for the sake of drivers, by what else they say. */
    private record Lookalike(String says, String name) {}

    private static final List<Lookalike> LOOKALIKES = List.of(
            new Lookalike("-yb-", "YugabyteDB"),
            new Lookalike("yugabyte", "YugabyteDB"),
            new Lookalike("cockroach", "CockroachDB"),
            new Lookalike("redshift", "Amazon Redshift"),
            new Lookalike("aurora dsql", "Amazon Aurora DSQL"),
            new Lookalike("greenplum", "Greenplum"),
            new Lookalike("cloudberry", "Apache Cloudberry"),
            new Lookalike("materialize", "Materialize"),
            new Lookalike("risingwave", "RisingWave"),
            new Lookalike("questdb", "QuestDB"),
            new Lookalike("cratedb", "CrateDB"),
            new Lookalike("opengauss", "openGauss"),
            new Lookalike("gaussdb", "GaussDB"),
            new Lookalike("spanner", "Cloud Spanner"));

    private ServerName() {}

    /** What it is called when it is not PostgreSQL; null when it is. */
    static @Nullable String otherThanPostgres(String version) {
        var lower = version.toLowerCase(Locale.ROOT);
        for (var lookalike : LOOKALIKES) {
            if (lower.contains(lookalike.says())) {
                return lookalike.name();
            }
        }
        if (version.startsWith(POSTGRES)) {
            return null;
        }
        return version.length() <= MOST_CHARS ? version : version.substring(0, MOST_CHARS) + "…";
    }
}
