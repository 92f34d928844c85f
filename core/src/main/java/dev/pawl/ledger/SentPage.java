package dev.pawl.ledger;

import dev.pawl.list.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the rows of a part.
 *
 * @param rows in the order in which they were enrolled, the same whenever it is asked
 * @param next from where the list goes on; null at its end
 */
public record SentPage(List<SentRow> rows, @Nullable Cursor next) {
    public SentPage {
        rows = List.copyOf(rows);
    }
}
