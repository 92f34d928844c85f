package dev.pawl.store.jdbc;

import dev.pawl.store.FollowUp;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How many other jobs one change may touch yet, and what is left of it for the next. Not thread-safe. */
final class JdbcFollowUps {
    static final String FIRST = "select id, kind, rest from pawl.follow_up where id > ? order by id limit ?";

    private final Statements sql;
    private final String find;
    private int others;

    JdbcFollowUps(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.find = "select id, kind, rest from pawl.follow_up where id = ?" + dialect.unlessLocked();
    }

    /** Another change begins. */
    void begin() {
        others = FollowUp.MOST_OTHERS;
    }

    /** How many other jobs may be changed yet. */
    int othersLeft() {
        return others;
    }

    /** So many other jobs are changed. */
    void changesOthers(int many) {
        others -= many;
    }

    /** Keeps what is left to do, for whoever goes on with it. */
    void leave(FollowUp.Rest rest) throws SQLException {
        sql.run(
                "insert into pawl.follow_up (job, kind, rest) values (?, ?, ?)",
                rest.job(),
                rest.restCode().number(),
                rest.text());
    }

    /** What is left under this number; null when nothing is, or somebody else goes on with it just now. */
    FollowUp.@Nullable Rest find(long id) throws SQLException {
        return sql.one(find, row -> followUp(row).rest(), id);
    }

    /** What was left under this number is done, or is now left in another way. */
    void done(long id) throws SQLException {
        sql.run("delete from pawl.follow_up where id = ?", id);
    }

    /** Whether anything is left to do of a job. */
    boolean isLeftOf(long job) throws SQLException {
        return sql.one("select 1 from pawl.follow_up where job = ? and job <> 0 limit 1", row -> true, job) != null;
    }

    static FollowUp followUp(ResultSet row) throws SQLException {
        return new FollowUp(row.getLong(1), FollowUp.RestCode.read(row.getInt(2), row.getString(3)));
    }
}
