package dev.pawl.store.postgres;

import dev.pawl.store.IncomingStore;
import dev.pawl.store.OpenMode;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.jdbc.Statements;
import dev.pawl.text.ShellWord;
import dev.pawl.text.Visible;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Makes sure that a database is one in which a store can be, and that its schema is a store of this version; or says in a sentence why not. */
final class PostgresSchema {
    /** The schema this version writes. */
    static final int VERSION = 8;

    private static final int WITH_ENDINGS = 4;
    private static final int WITH_NAMES = 5;

    private static final int OLDEST_SERVER = 140_000;

    private static final int MOST_TRIES = 10;

    /** A schema, a table, or a row of the catalogue that somebody has made meanwhile. */
    private static final Set<String> IS_THERE = Set.of("42P06", "42P07", "23505");

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

    private final String name;
    private final String server;

    PostgresSchema(String name, String server) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a schema's name has 1 to 63 of a to z, 0 to 9 and _, and begins with no digit: not \"" + name
                            + "\"");
        }
        this.name = name;
        this.server = server;
    }

    /** Whether somebody between us and the server gives every transaction another connection: then the process that answers is not the one that was asked. */
    static boolean isPooled(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1) != connection.unwrap(PGConnection.class).getBackendPID();
        }
    }

    /** Makes it a store of this version as far as {@code how} allows; returns what tells it from every other. */
    String prepare(Connection connection, OpenMode how) throws SQLException {
        refuseWhatHasLeft(connection);
        prepareAnyhow(connection, how);
        var meta = PostgresMeta.of(connection, name);
        if (how != OpenMode.MOVING_IN && meta.find(PostgresMeta.MOVING) != null) {
            throw IncomingStore.halfway(server);
        }
        return Objects.requireNonNull(meta.find("store"));
    }

    private void refuseWhatHasLeft(Connection connection) throws SQLException {
        var moved = isThere(connection) ? PostgresMeta.of(connection, name).find(PostgresMeta.MOVED_TO) : null;
        if (moved != null) {
            throw refused("was moved to " + moved + "; go on with --store " + ShellWord.of(moved)
                    + " (and if the move was interrupted, say it once more)");
        }
    }

    /** Makes sure that a store is there, and of no later version. */
    void requireKnown(Connection connection) throws SQLException {
        var there = version(connection);
        if (there == null) {
            throw refused("has no store");
        }
        refuseNewer(there);
    }

    /** Where the store is, for messages. */
    String server() {
        return server;
    }

    /** What the schema is called. */
    String name() {
        return name;
    }

    private void prepareAnyhow(Connection connection, OpenMode how) throws SQLException {
        refuseOtherServers(connection);
        refuseServersThatLose(connection);
        var there = version(connection);
        if (there == null || there < VERSION) {
            refuseToChange(there, how);
            migrate(connection);
        } else {
            refuseNewer(there);
        }
    }

    private void refuseToChange(@Nullable Integer there, OpenMode how) {
        if (how == OpenMode.TO_LOOK && there == null) {
            throw refused("has no store yet");
        }
        if (!how.bringsForward() && there != null) {
            throw refused("has schema " + there + ", and this Pawl reads " + VERSION
                    + "; pawl schema migrate"
                    + (PostgresStore.isAddress(server) ? " --store " + ShellWord.of(server) : "")
                    + " brings it forward (an earlier Pawl cannot open it then)");
        }
    }

    /** Whether {@code sql} leads to the store with this identity. A query that failed would end the transaction that it is asked in. */
    static boolean isStore(Statements sql, String identity) throws SQLException {
        return sql.one("select 1 where to_regclass('pawl.meta') is not null", row -> 1) != null
                && sql.one("select 1 from pawl.meta where name = 'store' and value = ?", row -> 1, identity) != null;
    }

    boolean isThere(Connection connection) throws SQLException {
        return version(connection) != null;
    }

    /** What only speaks PostgreSQL's language has locks and horizons of its own, and everything here stands on PostgreSQL's. */
    private void refuseOtherServers(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select version()")) {
            row.next();
            var other = ServerName.otherThanPostgres(row.getString(1));
            if (other != null) {
                throw refused("is " + Visible.of(other)
                        + ", which speaks PostgreSQL's language and is none: its locks and its order of commits differ, and effects could happen twice;"
                        + " name a PostgreSQL server");
            }
        }
    }

    private void refuseServersThatLose(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "select current_setting('server_version_num')::int, current_setting('fsync'),"
                                + " current_setting('full_page_writes'), pg_is_in_recovery(), current_setting('server_encoding')")) {
            row.next();
            if (row.getInt(1) < OLDEST_SERVER) {
                throw refused("is older than PostgreSQL 14; use a newer one");
            }
            if (row.getString(2).equals("off")) {
                throw refused("runs with fsync = off: what it acknowledges is lost when the power fails; switch it on");
            }
            if (row.getString(3).equals("off")) {
                throw refused(
                        "runs with full_page_writes = off: a page that was written in part is lost when the power fails; switch it on");
            }
            if (row.getBoolean(4)) {
                throw refused("is a replica, which takes no writes; name the primary");
            }
            if (!row.getString(5).equals("UTF8")) {
                throw refused("keeps texts as " + row.getString(5)
                        + ", which has no room for every character: a name or a result would be refused in the middle of a job;"
                        + " name a database that was made with createdb --encoding UTF8 --template template0");
            }
        }
    }

    private StoreFailure refused(String why) {
        return new StoreFailure(Move.OPERATOR, server + " " + why, null);
    }

    private void refuseNewer(int there) {
        if (there > VERSION) {
            throw refused("was written by a newer Pawl (schema " + there + ", this one knows " + VERSION
                    + "); use that version, or name another schema");
        }
    }

    /** The version of what is there; null when nothing is. */
    @Nullable
    Integer version(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("select to_regclass(?) is not null")) {
            statement.setString(1, "\"" + name + "\".meta");
            try (var row = statement.executeQuery()) {
                row.next();
                if (!row.getBoolean(1)) {
                    return null;
                }
            }
        }
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select value from \"" + name + "\".meta where name = 'schema'")) {
            return row.next() ? (Integer) Integer.parseInt(row.getString(1)) : null;
        }
    }

    /** One process migrates, and the others wait for it. Whoever had looked before may not see at once what that one has made, and looks again. */
    private void migrate(Connection connection) throws SQLException {
        for (var tries = 1; ; tries++) {
            try {
                migrateOnce(connection);
                return;
            } catch (SQLException e) {
                if (tries == MOST_TRIES || !IS_THERE.contains(String.valueOf(e.getSQLState()))) {
                    throw e;
                }
            }
        }
    }

    private void migrateOnce(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.createStatement()) {
            statement.execute("select pg_advisory_xact_lock(" + Locks.OURS + ", hashtext('" + name + "'))");
            var there = version(connection);
            if (there == null) {
                there = 0;
                makeSchema(connection);
            }
            refuseNewer(there);
            statement.execute("set local search_path to \"" + name + "\"");
            for (var version = there + 1; version <= VERSION; version++) {
                statement.execute(script(version));
            }
            statement.execute("insert into meta (name, value) values ('schema', '" + VERSION
                    + "') on conflict (name) do update set value = excluded.value");
            connection.commit();
        } catch (SQLException | StoreFailure e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    /** A role that owns nothing but the schema may not make one, not even one that is there. */
    private void makeSchema(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            var row = statement.executeQuery("select to_regnamespace('\"" + name + "\"') is null");
            row.next();
            if (row.getBoolean(1)) {
                statement.execute("create schema \"" + name + "\"");
            }
        }
    }

    static String script(int version) {
        var schema = resource("schema-" + version + ".sql");
        return switch (version) {
            case WITH_ENDINGS -> schema + endings() + resource("ended-jobs.sql");
            case WITH_NAMES -> schema + names() + resource("named-jobs.sql") + spentInAll();
            default -> schema;
        };
    }

    /** What fills the columns and the table that say how jobs ended, from the rest of what is known of them; names no schema. */
    static String endings() {
        return resource("endings.sql");
    }

    /** What fills the columns by which jobs are found by their keys; names no schema. */
    static String names() {
        return resource("names.sql");
    }

    /** What adds up what was spent on all days; names no schema. */
    static String spentInAll() {
        return resource("spent-in-all.sql");
    }

    private static String resource(String file) {
        try (var in = Objects.requireNonNull(PostgresSchema.class.getResourceAsStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("the schema is missing from the jar", e);
        }
    }
}
