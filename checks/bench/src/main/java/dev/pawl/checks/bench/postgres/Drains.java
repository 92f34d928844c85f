package dev.pawl.checks.bench.postgres;

import java.sql.SQLException;

/** Somebody who drains W2: one-step jobs that are there before anybody works. */
interface Drains {

    String name();

    /** How many jobs are about a window's work. */
    int jobs();

    /** Puts jobs there; nobody works yet. */
    Draining fill(Database database, int jobs) throws Exception;

    /** Works from {@link #start} on. */
    interface Draining extends AutoCloseable {
        void start() throws Exception;

        /** Finds the number of jobs whose end is not durable yet. */
        String left();

        @Override
        void close() throws SQLException;
    }
}
