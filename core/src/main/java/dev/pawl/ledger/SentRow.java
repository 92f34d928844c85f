package dev.pawl.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A row as a part has it.
 *
 * @param key what it is called
 * @param generation of the payload that is sent
 * @param attempt the number of the attempt
 * @param known what is known of it
 * @param payload what is sent, as JSON; null when it is no longer kept
 */
public record SentRow(
        String key,
        int generation,
        int attempt,
        AttemptState known,
        @Nullable String payload) {}
