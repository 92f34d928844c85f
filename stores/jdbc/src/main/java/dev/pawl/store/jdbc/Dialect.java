package dev.pawl.store.jdbc;

import dev.pawl.store.JobPosition;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What databases say differently. */
public interface Dialect {

    /** An expression for the number that a job gets when it ends: higher than any before it. */
    String nextEnded();

    /** Inserts a job, with its identity and then the values of {@link JobColumn#ofNew} as parameters; finds its number, or nothing when the identity is there. */
    String insertJob();

    /** Where jobs are found by their {@code identity}. */
    String jobsByIdentity();

    /** What follows a column that must be among the texts of a JSON list, which is the one parameter of it. */
    String amongTexts();

    /** What follows a column that must be among the numbers of a JSON list, which is the one parameter of it. */
    String amongNumbers();

    /** The part of a job's key that begins with the text of its first part. */
    String keyText();

    /**
     * Where jobs are found by the beginning of their keys, however many there are.
     *
     * @param from tables, {@code job} among them
     * @param group the column of the claim group that leads the index
     * @param name what the index has of the key: {@link #keyText}
     */
    record NamedJobs(String from, String group, String name) {}

    /** Where jobs are found by the beginning of their keys, however many there are. */
    NamedJobs jobsByName();

    /** Which of several rows for the same thing is written on this connection, so that others need not wait. */
    String tallySlot();

    /**
     * Which of the jobs that ended, and in which order.
     *
     * @param bounds conditions, with their parameters
     * @param order by what
     */
    record EndedOrder(String bounds, String order) {}

    /**
     * The positions of jobs that ended: at least the first {@code most} of all, in whatever order.
     *
     * @param values a JSON list of the numbers of groups, one of ways to end, what the bounds want, and {@code most}
     */
    List<JobPosition> ended(Statements sql, EndedOrder which, int most, List<? extends @Nullable Object> values)
            throws SQLException;

    /** What a query of one table ends with so that it locks what it finds, and finds nothing that others have locked. */
    String unlessLocked();

    /** What a query of jobs ends with so that nobody else changes what it finds before the transaction ends. */
    String forUpdate();

    /** What a query of jobs ends with so that it locks what it finds, and does not wait for what others have locked. */
    String skippingLocked();

    /** Writes all of these rows, with a value for each column of each. */
    void many(Statements sql, TableWrite write, List<@Nullable Object[]> rows) throws SQLException;

    /**
     * Finds rows of one table by many values, each by the index that has it, and in their order.
     *
     * @param found what is read of them, the table, and which: {@code r.key = k.value} for each of the values
     * @param values texts, or numbers
     * @param more the parameters of which
     */
    void eachOf(Statements sql, EachOf found, List<?> values, Statements.RowTaker taking, Object... more)
            throws SQLException;

    /**
     * Rows of one table that are found by values.
     *
     * @param columns what is read
     * @param table with the name that the others use for it
     * @param which for each of the values, which is called {@code k.value}
     * @param locked whether nobody else changes them before the transaction ends
     */
    record EachOf(String columns, String table, String which, boolean locked) {}

    /** Numbers for so many new rows of the ledger, in order. */
    List<Long> newRows(Statements sql, int many) throws SQLException;

    /** What a query of the ledger's rows, which it calls {@code r}, ends with so that nobody else changes what it finds before the transaction ends. */
    String lockingRows();

    /** The same of a query of one table. */
    String lockingIt();

    /** Whether one transaction writes at a time: what was not there when it began does not come before it ends, but by itself. */
    boolean writesAlone();

    /** Whether identities have a table {@code identified} of their own. */
    boolean identitiesApart();

    /**
     * What makes the rest of what has arrived: how jobs ended, what they are found by, sums, and the numbers that come next.
     *
     * @param schema what stands before the names of tables
     */
    List<String> afterArrival(String schema);

    /** How tables of the store's user are written. */
    UsersTable.TableSql usersTables();

    /** Finds a row when there is a table or something like it with the written name that is the one parameter. */
    String tableIsThere();
}
