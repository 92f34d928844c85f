package dev.pawl.store;

import dev.pawl.journal.Entry;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;

/** A store that can run a user's SQL in the commit that records it. */
public interface Transactional {

    /**
     * Runs {@code work} and appends what it returns under {@code hold}, in one commit of its own.
     *
     * @param id the id of the first entry that {@code work} returns; when it is recorded already, {@code work} does not run
     * @param longest when this has passed the statement is interrupted and nothing is committed
     * @throws Exception what {@code work} threw; nothing is committed then
     * @throws StoreFailure when nobody knows whether it was committed; ask again with the same id
     */
    Applied transact(Change.Hold hold, long id, Work work, Duration longest) throws Exception;

    /** The user's statements. */
    @FunctionalInterface
    interface Work {
        /** Runs them; what is returned is recorded with them. */
        List<Entry> run(Connection connection) throws Exception;
    }
}
