package dev.pawl.ledger;

import dev.pawl.list.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of the rows of a collection.
 *
 * @param rows in the order in which they were enrolled
 * @param next from where the list goes on; null at its end
 */
public record LedgerPage(List<ListedRow> rows, @Nullable Cursor next) {
    public LedgerPage {
        rows = List.copyOf(rows);
    }
}
