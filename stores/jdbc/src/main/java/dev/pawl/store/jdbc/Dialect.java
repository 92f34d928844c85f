package dev.pawl.store.jdbc;

/** What databases say differently. */
public interface Dialect {

    /** An expression for the number that a job gets when it ends: higher than any before it. */
    String nextEnded();

    /** Inserts a job, with its identity and then the values of {@link JobColumn#ofNew} as parameters; finds its number, or nothing when the identity is there. */
    String insertJob();

    /** Where jobs are found by their {@code identity}. */
    String jobsByIdentity();

    /** What follows a column that must be among the texts of a JSON list, which is the one parameter of it. */
    String amongTexts();

    /** What a query of jobs ends with so that it locks what it finds, and does not wait for what others have locked. */
    String skippingLocked();
}
