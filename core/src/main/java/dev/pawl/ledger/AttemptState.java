package dev.pawl.ledger;

/** What is known of an attempt of a row. */
public enum AttemptState {
    /** Nothing yet. */
    OPEN,
    /** It succeeded. */
    SUCCEEDED,
    /** It failed. */
    FAILED,
    /** It was certainly never sent. */
    NEVER_SENT,
    /** Nobody waits for it any more. */
    ABANDONED
}
