package dev.pawl.spring;

import dev.pawl.Pawl;
import dev.pawl.Submission;
import dev.pawl.job.Handling;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;

/**
 * Submits jobs: in the transaction that is under way, if there is one, so that the job is there exactly if what else the transaction writes is. For everything else there is {@link Pawl} itself.
 */
public final class PawlTemplate {
    private final Pawl pawl;
    private final SpringTransactions transactions;

    PawlTemplate(Pawl pawl, SpringTransactions transactions) {
        this.pawl = pawl;
        this.transactions = transactions;
    }

    /**
     * Submits a job, in the transaction that is under way.
     *
     * @throws IllegalStateException when one is under way that the job cannot be part of: the store is in another database
     */
    public <I> Submission.Arrival submit(Workflow<I, ?> workflow, Key key, I input) {
        return submit(workflow, key, input, Handling.usual());
    }

    /** {@link #submit(Workflow, Key, Object)}, to be taken as {@code handling} says. */
    public <I> Submission.Arrival submit(Workflow<I, ?> workflow, Key key, I input, Handling handling) {
        return transactions.submit(
                connection -> pawl.submit(connection, workflow, key, input, handling),
                () -> submitNow(workflow, key, input, handling).how());
    }

    /** Submits a job now, whatever transaction is under way: it stays, also when that is rolled back. */
    public <I, O> Submission<O> submitNow(Workflow<I, O> workflow, Key key, I input) {
        return submitNow(workflow, key, input, Handling.usual());
    }

    /** {@link #submitNow(Workflow, Key, Object)}, to be taken as {@code handling} says. */
    public <I, O> Submission<O> submitNow(Workflow<I, O> workflow, Key key, I input, Handling handling) {
        return pawl.submit(workflow, key, input, handling);
    }
}
