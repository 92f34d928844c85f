package dev.pawl.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are sent together.
 *
 * @param name what it is called in its collection; whoever sends it chooses that
 * @param job the number of the job that sends it
 * @param opened when its first rows were sent
 * @param seal what it has in all; null while more may be sent under it
 * @param provider what became of it at its destination, as JSON; null while nothing was said
 */
public record LedgerPart(
        String name,
        long job,
        Instant opened,
        @Nullable PartSeal seal,
        @Nullable String provider) {
    private static final int MOST_CHARS = 64;

    public LedgerPart {
        checkName(name);
    }

    /** Checks what a part is called. */
    public static String checkName(String name) {
        if (name.isBlank() || name.length() > MOST_CHARS || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a part's name has 1 to 64 characters and no control characters");
        }
        return name;
    }

    /**
     * What a part has in all, from then on.
     *
     * @param rows how many
     * @param hash over what is sent
     */
    public record PartSeal(long rows, String hash) {}
}
