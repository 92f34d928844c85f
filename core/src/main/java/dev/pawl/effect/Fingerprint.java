package dev.pawl.effect;

import dev.pawl.json.Json;
import dev.pawl.json.Values;
import dev.pawl.key.Encoding;
import java.util.HashSet;
import java.util.Set;

/**
 * What tells one request from another. Members that are null count as absent, so that a type may gain components that nobody has to give. How a fingerprint was
 * made stands before it; one without that is of before there were several ways, when nulls counted.
 *
 * @param today the fingerprint that is recorded now
 * @param earlier fingerprints that the same request had before
 */
public record Fingerprint(String today, Set<String> earlier) {
    private static final String SECOND = "2:";

    public Fingerprint {
        earlier = Set.copyOf(earlier);
    }

    /** Of {@code request}. */
    public static Fingerprint of(Object request) {
        var earlier = new HashSet<String>();
        addFirst(earlier, request);
        if (request instanceof Reworded reworded) {
            earlier.add(second(reworded.earlier()));
            addFirst(earlier, reworded.earlier());
        }
        return new Fingerprint(second(request), earlier);
    }

    /** One that was never another. */
    public static Fingerprint exactly(String today) {
        return new Fingerprint(today, Set.of());
    }

    private static String second(Object request) {
        return SECOND + Encoding.hash(Json.comparable(Values.write(request)));
    }

    /** As the first way made them; also without the components that are null today, and that its type did not have then. */
    private static void addFirst(Set<String> fingerprints, Object request) {
        var json = Json.write(request);
        fingerprints.add(Json.fingerprint(json));
        fingerprints.add(Json.fingerprint(Json.comparable(json)));
    }

    /** Whether {@code recorded} is of the same request. */
    public boolean is(String recorded) {
        return today.equals(recorded) || earlier.contains(recorded);
    }
}
