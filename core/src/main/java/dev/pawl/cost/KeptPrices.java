package dev.pawl.cost;

import dev.pawl.decision.Audit;
import java.time.Instant;

/**
 * The prices that every worker goes by that was given no table of its own.
 *
 * @param number grows with each table that takes the place of the one before
 * @param at when it was imported, by the store's clock
 * @param audit who imported it, as they and as the machine say it in one text, and why
 * @param prices the table
 */
public record KeptPrices(long number, Instant at, Audit audit, Prices prices) {}
