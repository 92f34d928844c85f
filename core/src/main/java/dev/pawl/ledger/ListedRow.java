package dev.pawl.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A row with its values.
 *
 * @param row as it stands
 * @param payload as JSON; null when it was not asked for, or is no longer kept
 * @param result as JSON; null when it was not asked for, there is none, or it is no longer kept
 */
public record ListedRow(
        LedgerRow row, @Nullable String payload, @Nullable String result) {}
