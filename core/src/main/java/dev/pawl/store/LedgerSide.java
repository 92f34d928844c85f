package dev.pawl.store;

import dev.pawl.ledger.LedgerCollection;
import dev.pawl.ledger.LedgerPage;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowHistory;
import dev.pawl.ledger.SentPage;
import dev.pawl.list.Cursor;
import java.util.List;
import java.util.Optional;

/** What can be seen of the ledger. Looking changes nothing. Thread-safe. */
public interface LedgerSide {

    /** All collections, by name. */
    List<LedgerCollection> collections();

    /** How the rows of a collection stand, in as many lines as there are states and classes of failure; none when there is no such collection. */
    List<RowCount> rowCounts(String collection);

    /** Some rows of a collection. What a page costs does not grow with how many there are. */
    LedgerPage rows(LedgerQuery rowQuery);

    /** Everything that is known of a row. */
    Optional<RowHistory> row(String collection, String key);

    /** The parts of a collection, in the order in which they were opened: so many at the most, behind the one that is called so; from the first when that is empty. */
    List<LedgerPart> parts(String collection, String behind, int most);

    /** The rows of a part with what is sent, in the same order whenever it is asked, behind {@code behind}, at most {@code most}. */
    SentPage sent(String collection, String part, Cursor behind, int most);
}
