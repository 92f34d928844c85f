package dev.pawl.store.jdbc;

import dev.pawl.export.LineSums;
import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.ClaimGroup;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.StoreFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes everything in that another store has told, in the transaction that runs on one connection, and compares what is there then with what was told. What was
 * there before is gone. Not thread-safe.
 */
public final class JdbcArrival {
    private static final int AT_ONCE = 500;
    private static final long MOST_AT_ONCE = 8L << 20;
    private static final String IDENTIFIED = "identified";
    private static final String QUEUE = "queue";
    private static final String PRINCIPAL = "on_behalf_of";
    private static final String VERSION = "version";

    private final Connection connection;
    private final String schema;
    private final Dialect dialect;
    private final Map<ClaimGroup, Long> groups = new HashMap<>();
    private final List<UsersTable> usersTables = new ArrayList<>();
    private final LineSums told = new LineSums();
    private final List<Inserting> inserting = new ArrayList<>();
    private @Nullable StoreKind current;

    /**
     * Takes in where {@code connection} leads.
     *
     * @param schema what stands for {@code pawl.} before the names of tables
     */
    public JdbcArrival(Connection connection, String schema, Dialect dialect) {
        this.connection = connection;
        this.schema = schema;
        this.dialect = dialect;
    }

    /** Rows on their way into a table. */
    private final class Inserting implements AutoCloseable {
        private final PreparedStatement statement;
        private int waiting;
        private long size;

        Inserting(String table, List<String> columns) throws SQLException {
            this.statement = connection.prepareStatement("insert into " + table + " (" + String.join(", ", columns)
                    + ") values (" + String.join(", ", Collections.nCopies(columns.size(), "?")) + ")");
        }

        void row(List<? extends @Nullable Object> values) throws SQLException {
            for (var i = 0; i < values.size(); i++) {
                var value = values.get(i);
                statement.setObject(i + 1, value);
                size += value instanceof String text ? text.length() : value instanceof byte[] bytes ? bytes.length : 8;
            }
            statement.addBatch();
            if (++waiting == AT_ONCE || size > MOST_AT_ONCE) {
                flush();
            }
        }

        private void flush() throws SQLException {
            statement.executeBatch();
            waiting = 0;
            size = 0;
        }

        @Override
        public void close() throws SQLException {
            try (statement) {
                flush();
            }
        }
    }

    /** Somebody who tells has no word for what a database throws. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final SQLException why;

        Refused(SQLException why) {
            super(why);
            this.why = why;
        }
    }

    /**
     * Takes all of it in.
     *
     * @return how many lines of each lineKind arrived, with the sums of their hashes
     * @throws dev.pawl.store.StoreFailure when something else is there then than was told
     */
    public Map<String, LineSums.Sum> take(IncomingStore arriving) throws SQLException {
        for (var lineKind : StoreKind.values()) {
            if (LineTable.isThere(lineKind)) {
                run("delete from " + schema + LineTable.of(lineKind).name());
            }
        }
        if (dialect.identitiesApart()) {
            run("delete from " + schema + IDENTIFIED);
        }
        try {
            arriving.lines().to(storeLine -> {
                told.add(storeLine);
                try {
                    take(storeLine);
                } catch (SQLException e) {
                    throw new Refused(e);
                }
            });
            next(null);
        } catch (Refused e) {
            throw e.why;
        }
        for (var made : dialect.afterArrival(schema)) {
            run(made);
        }
        for (var table : usersTables) {
            for (var made : table.indexing(dialect.usersTables())) {
                run(made);
            }
            for (var made : dialect.usersTables().afterRows(table)) {
                run(made);
            }
        }
        var there = new LineSums();
        new JdbcExport(connection, schema).to(there::add);
        for (var table : usersTables) {
            new UsersRows(connection, table, dialect.usersTables()).tell(there::add);
        }
        IncomingStore.requireWhole(told, there);
        return there.byWord();
    }

    private void take(StoreLine storeLine) throws SQLException {
        switch (storeLine.kind()) {
            case TABLE -> {
                next(null);
                var table = UsersTable.parse(storeLine.text("definition"));
                usersTables.add(table);
                refuseToReplace(table);
                run(table.definition(dialect.usersTables()));
            }
            case TABLE_ROW -> {
                var table = usersTables.getLast();
                if (current == null) {
                    current = StoreKind.TABLE_ROW;
                    inserting.add(new Inserting(
                            dialect.usersTables().name(table.name()),
                            table.columns().stream()
                                    .map(column -> dialect.usersTables().name(column.name()))
                                    .toList()));
                }
                inserting.getFirst().row(UsersRows.values(table, storeLine));
            }
            case JOB -> {
                begin(storeLine.kind());
                job(storeLine);
            }
            default -> {
                begin(storeLine.kind());
                inserting.getFirst().row(values(storeLine, LineTable.of(storeLine.kind())));
            }
        }
    }

    private void refuseToReplace(UsersTable usersTable) throws SQLException {
        var name = dialect.usersTables().name(usersTable.name());
        try (var there = connection.prepareStatement(dialect.tableIsThere())) {
            there.setString(1, name);
            try (var found = there.executeQuery()) {
                if (found.next()) {
                    throw new StoreFailure(
                            StoreFailure.Move.OPERATOR,
                            "there is a table " + name
                                    + " already where the store is going; drop or rename it there, and say it once more",
                            null);
                }
            }
        }
    }

    private void begin(StoreKind lineKind) throws SQLException {
        if (lineKind == current) {
            return;
        }
        if (current != null && lineKind.compareTo(current) < 0) {
            throw new IllegalArgumentException(
                    "a line of kind " + lineKind.word() + " comes after one of kind " + current.word());
        }
        next(lineKind);
        var table = LineTable.of(lineKind);
        inserting.add(new Inserting(schema + table.name(), columns(lineKind, table)));
        if (lineKind == StoreKind.JOB && dialect.identitiesApart()) {
            inserting.add(new Inserting(schema + IDENTIFIED, List.of("identity", "job")));
        }
    }

    private List<String> columns(StoreKind lineKind, LineTable table) {
        var columns = new ArrayList<>(table.columns());
        if (lineKind == StoreKind.JOB) {
            columns.removeAll(List.of(QUEUE, PRINCIPAL, VERSION));
            columns.add("claim_group");
            if (!dialect.identitiesApart()) {
                columns.add("identity");
            }
        } else if (lineKind == StoreKind.PRICES) {
            columns.add("id");
        }
        return columns;
    }

    private void next(@Nullable StoreKind lineKind) throws SQLException {
        for (var rows : inserting) {
            rows.close();
        }
        inserting.clear();
        current = lineKind;
    }

    private void job(StoreLine storeLine) throws SQLException {
        var table = LineTable.of(StoreKind.JOB);
        var values = values(storeLine, table);
        // Queue and principal stand side by side, and the version behind everything.
        var queue = table.columns().indexOf(QUEUE);
        values.remove(table.columns().indexOf(VERSION));
        values.remove(queue + 1);
        values.remove(queue);
        values.add(group(new ClaimGroup(
                storeLine.text("workflow"),
                storeLine.text(QUEUE),
                storeLine.text("principal"),
                storeLine.text(VERSION))));
        var identity = new Identity(storeLine.text("workflow"), Key.decode(storeLine.text("key"))).hash();
        if (dialect.identitiesApart()) {
            var identified = new ArrayList<@Nullable Object>(List.of(identity, storeLine.number("number")));
            inserting.getLast().row(identified);
        } else {
            values.add(identity);
        }
        inserting.getFirst().row(values);
    }

    private long group(ClaimGroup group) throws SQLException {
        var known = groups.get(group);
        if (known != null) {
            return known;
        }
        try (var insert = connection.prepareStatement(
                "insert into " + schema + "claim_group (workflow, queue, on_behalf_of, version) values (?, ?, ?, ?)"
                        + " on conflict (workflow, queue, on_behalf_of, version) do update set workflow = excluded.workflow returning id")) {
            insert.setString(1, group.workflow());
            insert.setString(2, group.queue());
            insert.setString(3, group.principal());
            insert.setString(4, group.version());
            try (var row = insert.executeQuery()) {
                row.next();
                groups.put(group, row.getLong(1));
                return row.getLong(1);
            }
        }
    }

    private static List<@Nullable Object> values(StoreLine storeLine, LineTable table) {
        var fields = storeLine.kind().fields();
        var values = new ArrayList<@Nullable Object>();
        for (var i = 0; i < fields.size(); i++) {
            var value = storeLine.values().get(i);
            var codes = table.words().get(fields.get(i));
            if (value instanceof String word && codes != null) {
                values.add(codes.code(word));
            } else if (value instanceof String text && table.columns().get(i).equals("bytes")) {
                values.add(Base64.getDecoder().decode(text));
            } else {
                values.add(value);
            }
        }
        if (storeLine.kind() == StoreKind.PRICES) {
            // There is one table of prices.
            values.add(1);
        }
        return values;
    }

    private void run(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
