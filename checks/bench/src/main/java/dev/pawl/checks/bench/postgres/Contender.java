package dev.pawl.checks.bench.postgres;

import java.sql.SQLException;

/** Somebody who runs jobs durably on PostgreSQL. */
interface Contender {

    /** Steps in a job of W1. */
    int STEPS = 5;

    /** A step's result: as JSON 200 bytes. */
    String VALUE = "x".repeat(198);

    String name();

    /** Ready to run jobs of W1, so many at once. */
    Runs stepping(Database database, int inFlight) throws Exception;

    /** Runs jobs, each to its end. */
    interface Runs extends AutoCloseable {

        /** Runs job {@code number}: returns when its end is durable. Called by as many threads as there are jobs in flight. */
        void job(long number) throws Exception;

        @Override
        void close() throws SQLException;
    }
}
