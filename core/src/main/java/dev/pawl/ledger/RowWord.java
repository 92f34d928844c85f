package dev.pawl.ledger;

/** What a person says of rows. */
public sealed interface RowWord {
    /**
     * This is its result.
     *
     * @param result as JSON
     */
    record Accept(String result) implements RowWord {}

    /** It is done without it. */
    record Drop() implements RowWord {}

    /** It may be tried again, as often as before. */
    record TryAgain() implements RowWord {}

    /** As it is written down. */
    default String word() {
        return switch (this) {
            case Accept ignored -> "accept";
            case Drop ignored -> "drop";
            case TryAgain ignored -> "again";
        };
    }
}
