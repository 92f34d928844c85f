package dev.pawl.effect;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The contract as it is kept with an attempt.
 *
 * @param memory how long the destination remembers keys; null when it does not deduplicate
 * @param verifiable whether the destination could be asked
 * @param settle how long an attempt can still land after it can no longer be sent
 */
public record Terms(@Nullable Duration memory, boolean verifiable, Duration settle) {

    /** In words, for questions and logs. */
    @Override
    public String toString() {
        var idempotent = memory != null;
        if (idempotent && verifiable) {
            return "idempotent, verifiable";
        }
        return idempotent ? "idempotent" : verifiable ? "verifiable" : "none";
    }
}
