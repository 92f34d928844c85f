package dev.pawl.retry;

/** Whose fault a failure is, and so what may be done about it. */
public enum FailureClass {
    /** May pass by itself: try again, within the budget. */
    TRANSIENT,
    /** Will not pass by itself: trying again is waste. */
    PERMANENT,
    /** May have happened: nobody may act again before that is settled. */
    AMBIGUOUS,
    /** Credit, login or quota: no job is at fault, no attempt is spent. */
    ACCOUNT
}
