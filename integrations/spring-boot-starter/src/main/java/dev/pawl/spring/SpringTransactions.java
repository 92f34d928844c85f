package dev.pawl.spring;

import dev.pawl.Submission;
import dev.pawl.store.StoreFailure;
import java.sql.Connection;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** The transaction that is under way on this thread, as Spring knows it, and whether a job can be part of it. */
final class SpringTransactions {
    private static final boolean KNOWN = ClassUtils.isPresent(
                    "org.springframework.transaction.support.TransactionSynchronizationManager",
                    SpringTransactions.class.getClassLoader())
            && ClassUtils.isPresent(
                    "org.springframework.jdbc.datasource.DataSourceUtils", SpringTransactions.class.getClassLoader());

    private final @Nullable Object source;
    private final String store;

    /**
     * Transactions of an application.
     *
     * @param source its {@link DataSource}, whose transactions may lead to where jobs are kept; null when it has none, or several
     * @param store where jobs are kept, for people
     */
    SpringTransactions(@Nullable Object source, String store) {
        this.source = source;
        this.store = store;
    }

    /** Submits within what is under way, or at once when nothing is. */
    Submission.Arrival submit(Function<Connection, Submission.Arrival> within, Supplier<Submission.Arrival> atOnce) {
        return KNOWN && WithSpringJdbc.underWay() ? WithSpringJdbc.submit(source, store, within) : atOnce.get();
    }

    private static IllegalStateException noPart(String store, @Nullable StoreFailure why) {
        return new IllegalStateException(
                "a transaction is under way, and jobs are kept in " + store + ", which is no part of it"
                        + (why == null ? "" : " (" + why.getMessage() + ")")
                        + ": the job would stay if it is rolled back. Submit in a transaction of the DataSource that Pawl uses, after the commit (@TransactionalEventListener), or say submitNow",
                why);
    }

    /** What needs Spring's classes for transactions, which not every application has. */
    private static final class WithSpringJdbc {
        static boolean underWay() {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }

        static Submission.Arrival submit(
                @Nullable Object source, String store, Function<Connection, Submission.Arrival> within) {
            if (!(source instanceof DataSource own) || !TransactionSynchronizationManager.hasResource(own)) {
                throw noPart(store, null);
            }
            var connection = DataSourceUtils.getConnection(own);
            try {
                return within.apply(connection);
            } catch (StoreFailure elsewhere) {
                if (elsewhere.move() == StoreFailure.Move.OPERATOR) {
                    throw noPart(store, elsewhere);
                }
                throw elsewhere;
            } finally {
                DataSourceUtils.releaseConnection(connection, own);
            }
        }
    }
}
