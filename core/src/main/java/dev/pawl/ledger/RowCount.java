package dev.pawl.ledger;

/**
 * How many rows stand alike.
 *
 * @param state their state
 * @param because the class of their failure; empty when they have none
 * @param dealtWith whether a person has dealt with them
 * @param many how many
 */
public record RowCount(RowState state, String because, boolean dealtWith, long many) {}
