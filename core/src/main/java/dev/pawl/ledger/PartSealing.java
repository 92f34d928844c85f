package dev.pawl.ledger;

/**
 * Which part nothing more is sent under, and what it has.
 *
 * @param collection whose
 * @param part which
 * @param seal what it has in all
 */
public record PartSealing(String collection, String part, LedgerPart.PartSeal seal) {}
