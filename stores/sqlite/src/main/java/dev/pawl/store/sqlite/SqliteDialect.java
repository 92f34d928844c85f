package dev.pawl.store.sqlite;

import dev.pawl.json.Json;
import dev.pawl.store.JobPosition;
import dev.pawl.store.jdbc.Dialect;
import dev.pawl.store.jdbc.JobColumn;
import dev.pawl.store.jdbc.Statements;
import dev.pawl.store.jdbc.TableWrite;
import dev.pawl.store.jdbc.UsersTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How SQLite says it. */
enum SqliteDialect implements Dialect {
    INSTANCE;

    @Override
    public String nextEnded() {
        return "(select coalesce(max(end_number), 0) + 1 from job where end_number is not null)";
    }

    @Override
    public String insertJob() {
        return "insert into job (identity, " + JobColumn.ofNew() + ") values (?, " + JobColumn.marks() + ")"
                + " on conflict do nothing returning seq";
    }

    @Override
    public String jobsByIdentity() {
        return "job";
    }

    @Override
    public String amongTexts() {
        return " in (select value from json_each(?))";
    }

    @Override
    public String amongNumbers() {
        return amongTexts();
    }

    @Override
    public String keyText() {
        return "substr(key, instr(key, ':') + 1)";
    }

    @Override
    public NamedJobs jobsByName() {
        return new NamedJobs("pawl.job indexed by job_named", "claim_group", keyText());
    }

    @Override
    public String tallySlot() {
        return "0";
    }

    /** Of each group and each way to end a text of its own: so the index says it all, and no job is read. */
    @Override
    public List<JobPosition> ended(Statements sql, EndedOrder which, int most, List<? extends @Nullable Object> values)
            throws SQLException {
        var found = new ArrayList<JobPosition>();
        sql.each(
                "select (select group_concat(changed || '.' || seq) from (select changed, seq from job where claim_group = g.value"
                        + " and ending = e.value and ending is not null" + which.bounds() + " order by "
                        + which.order() + " limit ?)) from json_each(?) g cross join json_each(?) e",
                row -> {
                    var texts = row.getString(1);
                    if (texts != null) {
                        for (var text : texts.split(",", -1)) {
                            var dot = text.indexOf('.');
                            found.add(new JobPosition(
                                    Long.parseLong(text, 0, dot, 10),
                                    Long.parseLong(text, dot + 1, text.length(), 10)));
                        }
                    }
                },
                inTheirOrder(values));
        return found;
    }

    /** The lists stand behind what is looked for in them. */
    private static @Nullable Object[] inTheirOrder(List<? extends @Nullable Object> values) {
        var bound = new ArrayList<@Nullable Object>(values.subList(2, values.size()));
        bound.addAll(values.subList(0, 2));
        return bound.toArray();
    }

    /** Nobody else writes while we do. */
    @Override
    public String forUpdate() {
        return "";
    }

    @Override
    public String unlessLocked() {
        return "";
    }

    @Override
    public String skippingLocked() {
        return "";
    }

    @Override
    public void many(Statements sql, TableWrite write, List<@Nullable Object[]> rows) throws SQLException {
        sql.batch(write.each(), rows);
    }

    /** The order in which it is joined is the order in which it is written. */
    @Override
    public void eachOf(Statements sql, EachOf found, List<?> values, Statements.RowTaker rowTaker, Object... more)
            throws SQLException {
        sql.each(
                "select " + found.columns() + " from json_each(?) k cross join " + found.table() + " on "
                        + found.which(),
                rowTaker,
                Stream.concat(Stream.of(Json.write(values)), Arrays.stream(more))
                        .toArray());
    }

    /** Nobody else writes while we do. */
    @Override
    public List<Long> newRows(Statements sql, int many) throws SQLException {
        long from = Objects.requireNonNull(
                sql.one("select coalesce(max(id), 0) from pawl.ledger_row", row -> row.getLong(1)));
        return LongStream.rangeClosed(from + 1, from + many).boxed().toList();
    }

    @Override
    public String lockingRows() {
        return "";
    }

    @Override
    public String lockingIt() {
        return "";
    }

    @Override
    public boolean writesAlone() {
        return true;
    }

    @Override
    public boolean identitiesApart() {
        return false;
    }

    @Override
    public List<String> afterArrival(String schema) {
        return List.of(SqliteFile.resource("arrived.sql").split(";\\s*\n"));
    }

    @Override
    public UsersTable.TableSql usersTables() {
        return UsersTables.WRITING;
    }

    @Override
    public String tableIsThere() {
        return "select 1 from sqlite_master where '\"' || replace(name, '\"', '\"\"') || '\"' = ? collate nocase";
    }
}
