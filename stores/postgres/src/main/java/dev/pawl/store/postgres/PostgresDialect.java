package dev.pawl.store.postgres;

import dev.pawl.store.JobPosition;
import dev.pawl.store.jdbc.Dialect;
import dev.pawl.store.jdbc.JobColumn;
import dev.pawl.store.jdbc.Statements;
import dev.pawl.store.jdbc.TableWrite;
import dev.pawl.store.jdbc.UsersTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How PostgreSQL says it. */
enum PostgresDialect implements Dialect {
    INSTANCE;

    /** Two connections seldom share a row of the tally, and a store that is worked with by ever new ones does not gather rows without end. */
    static final String TALLY_SLOT = "pg_backend_pid() % 32";

    /** Beside {@link PostgresSchema#spentInAll}, which an earlier schema is brought forward with; names no schema. */
    private static final String CACHE_WRITTEN_IN_ALL =
            "update spent set cache_written = each.written from (select workflow, model, sum(cache_written) as written from spent"
                    + " where day >= 0 group by workflow, model) each"
                    + " where spent.day = -1 and spent.workflow = each.workflow and spent.model = each.model";

    @Override
    public String nextEnded() {
        return "nextval('pawl.ended')";
    }

    @Override
    public String insertJob() {
        return "with given (identity, " + JobColumn.ofNew() + ") as (select cast(? as text), " + JobColumn.marks()
                + "),"
                + " new as (insert into pawl.identified (identity, job, claim_group, name)"
                + " select identity, nextval('pawl.job_seq_seq'), claim_group, " + keyText()
                + " from given where pg_current_xact_id() is not null on conflict do nothing returning job)"
                + " insert into pawl.job (seq, " + JobColumn.ofNew() + ") select new.job, " + JobColumn.ofNew("given")
                + " from new cross join given returning seq";
    }

    @Override
    public String jobsByIdentity() {
        return "pawl.identified join pawl.job on job.seq = identified.job";
    }

    @Override
    public String amongTexts() {
        return " in (select jsonb_array_elements_text(cast(? as jsonb)))";
    }

    @Override
    public String amongNumbers() {
        return " in (select cast(jsonb_array_elements_text(cast(? as jsonb)) as bigint))";
    }

    @Override
    public String keyText() {
        return "substring(key from position(':' in key) + 1) collate \"C\"";
    }

    @Override
    public NamedJobs jobsByName() {
        return new NamedJobs(
                "pawl.identified join pawl.job on job.seq = identified.job",
                "identified.claim_group",
                "identified.name");
    }

    @Override
    public String tallySlot() {
        return TALLY_SLOT;
    }

    @Override
    public List<JobPosition> ended(Statements sql, EndedOrder which, int most, List<? extends @Nullable Object> values)
            throws SQLException {
        var found = new ArrayList<JobPosition>();
        var bound = new ArrayList<@Nullable Object>(values);
        bound.add(most);
        sql.each(
                "select changed, seq from jsonb_array_elements_text(cast(? as jsonb)) g(id)"
                        + " cross join jsonb_array_elements_text(cast(? as jsonb)) e(code)"
                        + " cross join lateral (select changed, seq from pawl.job where claim_group = cast(g.id as bigint)"
                        + " and ending = cast(e.code as smallint)" + which.bounds() + " order by " + which.order()
                        + " limit ?) j order by " + which.order() + " limit ?",
                row -> found.add(new JobPosition(row.getLong(1), row.getLong(2))),
                bound.toArray());
        return found;
    }

    @Override
    public String forUpdate() {
        return " for update of job";
    }

    @Override
    public String unlessLocked() {
        return " for update skip locked";
    }

    @Override
    public String skippingLocked() {
        return " for update of job skip locked";
    }

    @Override
    public void many(Statements sql, TableWrite write, List<@Nullable Object[]> rows) throws SQLException {
        if (!rows.isEmpty()) {
            sql.arrays(write.atOnce(), write.types(), rows);
        }
    }

    /** Each by itself: a plan that was made while the table was empty would read all of it for them together. */
    @Override
    public void eachOf(Statements sql, EachOf found, List<?> values, Statements.RowTaker taking, Object... more)
            throws SQLException {
        var texts = !values.isEmpty() && values.getFirst() instanceof String;
        var which = texts ? found.which().replace("k.value", "k.value collate \"C\"") : found.which();
        sql.eachOfArray(
                "select f.* from unnest(?) k(value) cross join lateral (select " + found.columns() + " from "
                        + found.table() + " where " + which + " offset 0" + (found.locked() ? " for update" : "")
                        + ") f",
                texts ? "text" : "bigint",
                values,
                taking,
                more);
    }

    @Override
    public List<Long> newRows(Statements sql, int many) throws SQLException {
        var numbers = new ArrayList<Long>();
        sql.each(
                "select nextval('pawl.ledger_row_id_seq') from generate_series(1, ?)",
                row -> numbers.add(row.getLong(1)),
                many);
        return numbers;
    }

    @Override
    public String lockingRows() {
        return " for update of r";
    }

    @Override
    public String lockingIt() {
        return " for update";
    }

    @Override
    public boolean writesAlone() {
        return false;
    }

    @Override
    public boolean identitiesApart() {
        return true;
    }

    @Override
    public List<String> afterArrival(String schema) {
        var made = new ArrayList<String>();
        for (var counted : PostgresArrival.SEQUENCES.entrySet()) {
            made.add("select setval('" + schema + counted.getKey() + "', coalesce(max("
                    + counted.getValue().getLast() + "), 0) + 1, false) from " + schema
                    + counted.getValue().getFirst());
        }
        made.add("update " + schema + "job set called = 1 where seq in (select child from " + schema + "call)");
        made.add("delete from " + schema + "tally");
        made.add("delete from " + schema + "ledger_count");
        made.add("insert into " + schema + "ledger_count (collection, state, because, dealt, slot, many)"
                + " select collection, state, because, dealt, 0, count(*) from " + schema
                + "ledger_row group by 1, 2, 3, 4");
        // These name no schema.
        made.add("select set_config('moving.path', current_setting('search_path'), true)");
        made.add("set local search_path to " + schema.substring(0, schema.length() - 1));
        made.add(PostgresSchema.endings());
        made.add(PostgresSchema.names());
        made.add(PostgresSchema.spentInAll());
        made.add(CACHE_WRITTEN_IN_ALL);
        made.add("select set_config('search_path', current_setting('moving.path'), true)");
        return made;
    }

    @Override
    public UsersTable.TableSql usersTables() {
        return PostgresUsersTables.INSTANCE;
    }

    @Override
    public String tableIsThere() {
        return "select 1 where to_regclass(?) is not null";
    }
}
