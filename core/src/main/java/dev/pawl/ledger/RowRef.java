package dev.pawl.ledger;

/**
 * Which row, as somebody saw it.
 *
 * @param key what it is called
 * @param generation which payload it had then
 */
public record RowRef(String key, int generation) {}
