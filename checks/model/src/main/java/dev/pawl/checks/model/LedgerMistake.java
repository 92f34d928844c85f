package dev.pawl.checks.model;

/** A mistake in the model of the ledger. */
enum LedgerMistake {
    /** None. */
    NONE,
    /** Whoever believes to own the job sends. */
    NO_FENCE,
    /** An answer settles whatever generation there is. */
    NO_GENERATION,
    /** Enrolling moves a row that is there. */
    MOVES_BACK
}
