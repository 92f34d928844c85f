package dev.pawl.effect;

import dev.pawl.json.Json;
import java.util.Set;

/**
 * What tells one request from another.
 *
 * @param today the fingerprint that is recorded now
 * @param earlier fingerprints that the same request had before
 */
public record Fingerprint(String today, Set<String> earlier) {
    public Fingerprint {
        earlier = Set.copyOf(earlier);
    }

    /** Of {@code request}. */
    public static Fingerprint of(Object request) {
        return new Fingerprint(
                Json.fingerprint(Json.write(request)),
                request instanceof Reworded reworded
                        ? Set.of(Json.fingerprint(Json.write(reworded.earlier())))
                        : Set.of());
    }

    /** One that was never another. */
    public static Fingerprint exactly(String today) {
        return new Fingerprint(today, Set.of());
    }

    /** Whether {@code recorded} is of the same request. */
    public boolean is(String recorded) {
        return today.equals(recorded) || earlier.contains(recorded);
    }
}
