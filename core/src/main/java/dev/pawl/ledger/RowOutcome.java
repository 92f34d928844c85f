package dev.pawl.ledger;

/** What became of one row of a change. */
public enum RowOutcome {
    /** It is new. */
    ENROLLED,
    /** It was there already, or this very thing was said before. */
    ALREADY,
    /** It is there with another payload, and stays as it is. */
    CHANGED,
    /** It has another payload now: a new generation. */
    RENEWED,
    /** An attempt of it is open now. */
    SENT,
    /** The answer, or a person's word, has settled it. */
    SETTLED,
    /** The answer is kept with its attempt, and changes nothing: the row is settled, or has another payload by now. */
    KEPT,
    /** It succeeded a second time: it was paid for twice. */
    DUPLICATE,
    /** It was not done: there is no such row or attempt, or it is not so any more. */
    REFUSED
}
