package dev.pawl.ledger;

/**
 * A collection of rows.
 *
 * @param name what it is called
 * @param number grows with each enrolling that brought something
 */
public record LedgerCollection(String name, long number) {}
