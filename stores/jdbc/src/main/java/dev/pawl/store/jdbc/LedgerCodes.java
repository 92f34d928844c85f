package dev.pawl.store.jdbc;

import dev.pawl.ledger.AttemptState;
import dev.pawl.ledger.RowState;
import java.util.List;

/** The numbers under which what is known of rows stands in columns, for ever. */
final class LedgerCodes {
    static final ColumnCodes<RowState> ROW_STATES = ColumnCodes.of(
            RowState.class, List.of(RowState.PENDING, RowState.SUCCEEDED, RowState.RETRYABLE, RowState.PERMANENT));

    static final ColumnCodes<AttemptState> ATTEMPT_STATES = ColumnCodes.of(
            AttemptState.class,
            List.of(
                    AttemptState.OPEN,
                    AttemptState.SUCCEEDED,
                    AttemptState.FAILED,
                    AttemptState.NEVER_SENT,
                    AttemptState.ABANDONED));

    private LedgerCodes() {}
}
