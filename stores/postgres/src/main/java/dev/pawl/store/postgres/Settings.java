package dev.pawl.store.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a store needs set, and where its tables are. On connections of its own it is set once; on others, which may be anybody's tomorrow, and
 * behind a pooler, which may give every transaction another one, each transaction sets it for itself.
 *
 * @param schema where the tables are
 * @param clock what time it is
 * @param ways how its connections are
 */
record Settings(String schema, Clock clock, Ways ways) {

    /** What time it is, where that is not the server's business. */
    @FunctionalInterface
    interface Clock {
        /** The server's own clock. */
        Clock OF_THE_SERVER = () -> null;

        /** Milliseconds since 1970; null for what the server's clock says. */
        @Nullable
        Long millis();
    }

    /**
     * How connections are.
     *
     * @param own whether they are opened and closed by the store alone
     * @param pooled whether a pooler is between us and the server, which knows nothing of prepared statements and notifications
     */
    record Ways(boolean own, boolean pooled) {

        /** Tells how connections are from one of them. */
        @FunctionalInterface
        interface WayFinder {
            Ways of(Connection connection) throws SQLException;
        }

        /** Whether a pooler is between us and the server is found out. */
        static WayFinder find(boolean own) {
            return connection -> new Ways(own, PostgresSchema.isPooled(connection));
        }
    }

    /** How long a transaction may stand still between two statements: its rows are hidden from those who claim meanwhile. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    /** How long a statement may take: less than the patience of whoever waits for it, so that it can be asked again. */
    private static final Duration STATEMENT = Duration.ofSeconds(4);

    /** How long a statement may wait for somebody else's lock: what is held for longer is asked for again later, and others go on meanwhile. */
    private static final Duration LOCK = Duration.ofSeconds(1);

    /** How long an answer may take to arrive: a wire may carry nothing, and nobody is told. */
    static final Duration ANSWER = STATEMENT.plusSeconds(2);

    /**
     * A plan is made once for a statement. One that was made while a table was empty would read the whole table later: with the other ways to join
     * switched off there is only the way through the index.
     */
    private static final List<String> NAMES = List.of(
            "enable_seqscan",
            "enable_hashjoin",
            "enable_mergejoin",
            "jit",
            "plan_cache_mode",
            "lock_timeout",
            "statement_timeout",
            "idle_in_transaction_session_timeout");

    static final SettingValues OURS = new SettingValues(List.of(
            "off",
            "off",
            "off",
            "off",
            "force_generic_plan",
            Long.toString(LOCK.toMillis()),
            Long.toString(STATEMENT.toMillis()),
            Long.toString(IDLE.toMillis())));

    private static final String DURABLE = "set_config('synchronous_commit', case current_setting('synchronous_commit')"
            + " when 'off' then 'on' else current_setting('synchronous_commit') end, %s)";

    /** What was set, in the order of their names. */
    record SettingValues(List<String> values) {
        static SettingValues of(ResultSet row) throws SQLException {
            var values = new ArrayList<String>();
            for (var i = 1; i <= NAMES.size(); i++) {
                values.add(row.getString(i));
            }
            return new SettingValues(values);
        }

        /** The same for a transaction that may take so long, also between its statements. */
        SettingValues during(Duration longest) {
            var timed = new ArrayList<>(values.subList(0, NAMES.size() - 2));
            timed.add(Long.toString(longest.toMillis()));
            timed.add(Long.toString(longest.toMillis()));
            return new SettingValues(timed);
        }

        /** Sets them until the transaction ends. */
        String sql() {
            return "select " + configs(true);
        }

        private String configs(boolean local) {
            var configs = new ArrayList<String>();
            for (var i = 0; i < values.size(); i++) {
                configs.add("set_config('" + NAMES.get(i) + "', '"
                        + values.get(i).replace("'", "''") + "', " + local + ")");
            }
            return String.join(", ", configs);
        }
    }

    /** Reads what would be set if nothing were ours: on our own connections what they began with, on others what is set now. */
    String theirs() {
        var value = ways.own() ? "(select reset_val from pg_settings where name = '%s')" : "current_setting('%s')";
        return NAMES.stream().map(value::formatted).collect(Collectors.joining(", ", "select ", ""));
    }

    /** What stands before the names of tables. */
    String prefix() {
        return "\"" + schema + "\".";
    }

    int prepareThreshold() {
        return ways.pooled() ? 0 : 1;
    }

    /** Sets everything for as long as a connection lasts. */
    static String forSession() {
        return "select " + OURS.configs(false) + ", " + DURABLE.formatted(false);
    }

    /** The first statement of a transaction that sets what it needs for itself; empty when that is not needed. */
    String forTransaction() {
        if (ways.own() && !ways.pooled()) {
            return "";
        }
        return "select " + OURS.configs(true) + ", " + DURABLE.formatted(true);
    }

    /** An expression for what time it is, in milliseconds since 1970: the same until the transaction ends. */
    String now() {
        var given = clock.millis();
        return given == null ? "(select (extract(epoch from now()) * 1000)::bigint)" : given + "::bigint";
    }
}
