package dev.pawl.store.jdbc;

import dev.pawl.ledger.LedgerRow;
import dev.pawl.ledger.LedgerRow.RowStanding;
import dev.pawl.ledger.LedgerRow.RowTries;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of the ledger as the table has it.
 *
 * @param id its number
 * @param part the number of the part under which an attempt is open; 0 when none is
 * @param row the row
 */
record KeptRow(long id, long part, LedgerRow row) {
    /** What the row's own table says of it. */
    static final String OWN_COLUMNS =
            "r.id, r.part, r.key, r.generation, r.hash, r.state, r.because, r.dealt, r.changed, r.made, r.spent, r.won";

    /** What {@link #of} reads. */
    static final String COLUMNS =
            "r.id, r.part, r.key, r.generation, r.hash, r.state, r.because, r.dealt, r.changed, r.made, r.spent, p.name, r.won";

    /** How many columns that are. */
    static final int MANY = 13;

    /** Where it is read from. */
    static final String FROM = " from pawl.ledger_row r left join pawl.ledger_part p on p.id = r.part ";

    static KeptRow of(ResultSet row) throws SQLException {
        return of(row, row.getString(12), row.getInt(13));
    }

    /** The row in {@link #OWN_COLUMNS}, of which an attempt is open in {@code part}. */
    static KeptRow of(ResultSet row, @Nullable String part) throws SQLException {
        return of(row, part, row.getInt(12));
    }

    private static KeptRow of(ResultSet row, @Nullable String part, int won) throws SQLException {
        return new KeptRow(
                row.getLong(1),
                row.getLong(2),
                new LedgerRow(
                        row.getString(3),
                        row.getInt(4),
                        row.getString(5),
                        new RowStanding(
                                LedgerCodes.ROW_STATES.constant(row.getInt(6)),
                                row.getString(7),
                                row.getInt(8) != 0,
                                Instant.ofEpochMilli(row.getLong(9))),
                        new RowTries(row.getInt(10), row.getInt(11), part, won)));
    }
}
