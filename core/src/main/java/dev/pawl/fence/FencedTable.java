package dev.pawl.fence;

import dev.pawl.effect.Attempt;
import dev.pawl.failure.NotSent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * A guard for tables of one's own, in a database that the store knows nothing of: a small table of effect keys and the highest fence seen of each. Asked first
 * in the very transaction that does the effect, it lets nothing through under a smaller fence. For PostgreSQL and SQLite. Thread-safe.
 */
public final class FencedTable {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]{0,126}");

    private final String name;

    private FencedTable(String name) {
        this.name = name;
    }

    /** The table of this name, with a schema before it if it has one. */
    public static FencedTable named(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is no table's name of letters, digits, _ and .");
        }
        return new FencedTable(name);
    }

    /** Makes the table when it is not there. */
    public void create(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("create table if not exists " + name + " (key text primary key, fence bigint not null)");
        }
    }

    /**
     * Lets an attempt through, and from now on none under a smaller fence. Whoever asks at the same time waits until this transaction ends.
     *
     * @param connection in the transaction that does the effect
     * @throws NotSent when the job has had another owner since, who was here: nothing happens then
     */
    public void admit(Connection connection, Attempt attempt) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "a fence must be checked in the transaction that does the effect; begin one (setAutoCommit(false))");
        }
        try (var statement = connection.prepareStatement("insert into " + name + " (key, fence) values (?, ?)"
                + " on conflict (key) do update set fence = excluded.fence where " + unqualified()
                + ".fence <= excluded.fence")) {
            statement.setString(1, attempt.key());
            statement.setLong(2, attempt.fence());
            if (statement.executeUpdate() == 0) {
                throw new NotSent("refused: somebody else has owned the job since, and was here (fence "
                        + attempt.fence() + " is old)");
            }
        }
    }

    private String unqualified() {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
