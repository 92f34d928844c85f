package dev.pawl.store;

import dev.pawl.journal.Entry;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;

/** What a store in a SQL database can do besides: the user's own statements and the store's in one commit. */
public interface SqlStore {

    /**
     * Runs {@code work} and appends what it returns under {@code hold}, in one commit of its own.
     *
     * @param id the id of the first entry that {@code work} returns; when it is recorded already, {@code work} does not run
     * @param longest when this has passed the statement is interrupted and nothing is committed
     * @throws Exception what {@code work} threw; nothing is committed then
     * @throws StoreFailure when nobody knows whether it was committed; ask again with the same id
     */
    Applied transact(Change.Hold hold, long id, Work work, Duration longest) throws Exception;

    /**
     * Submits a job in the caller's own transaction: it is there when that commits, and never was when it does not.
     *
     * @param connection to the store's own database, in a transaction
     * @throws StoreFailure when it does not lead there, or the database refuses
     */
    Applied submitWithin(Connection connection, Change.SubmitJob submission);

    /** The user's statements. */
    @FunctionalInterface
    interface Work {
        /** Runs them; what is returned is recorded with them. */
        List<Entry> run(Connection connection) throws Exception;
    }
}
