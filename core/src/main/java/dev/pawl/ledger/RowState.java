package dev.pawl.ledger;

/** Where a row is in its life. */
public enum RowState {
    /** Nothing has become of it yet. */
    PENDING,
    /** It has its result, for good. */
    SUCCEEDED,
    /** It failed, and may be sent again. */
    RETRYABLE,
    /** It failed and is not sent again, unless a person says so. */
    PERMANENT;

    /** Whether it may be sent. */
    public boolean sendable() {
        return this == PENDING || this == RETRYABLE;
    }
}
