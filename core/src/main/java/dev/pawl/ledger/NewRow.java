package dev.pawl.ledger;

import dev.pawl.key.Encoding;
import dev.pawl.key.Key;

/**
 * A row that is to be enrolled.
 *
 * @param key what it is called in its collection
 * @param payload as canonical JSON
 * @param hash of the payload
 */
public record NewRow(String key, String payload, String hash) {
    private static final int MOST_CHARS = 1_024;

    public NewRow {
        checkKey(key);
    }

    /** A row of this key. */
    public static NewRow of(Key key, String payload) {
        return new NewRow(key.toString(), payload, Encoding.hash(payload));
    }

    static String checkKey(String key) {
        if (key.isEmpty() || key.length() > MOST_CHARS || key.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "a row's key has 1 to 1,024 characters and no control characters; write it as a job key is written");
        }
        return key;
    }
}
