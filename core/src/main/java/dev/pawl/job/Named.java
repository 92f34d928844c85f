package dev.pawl.job;

import dev.pawl.effect.Fingerprint;
import dev.pawl.key.Names;
import dev.pawl.key.Place;
import dev.pawl.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step's or effect's name with what differs from the usual: {@code named("post").item(slug).attempts(3)}.
 *
 * @param name unique in its scope, unless it has an item
 * @param item which of many; empty when there is one
 * @param was names it had in earlier versions of the code
 * @param timeout how long one attempt may take; null for the usual
 * @param attempts the most attempts; null for the workflow's
 * @param atOnce how many items of a fan-out run at once
 * @param isDetached whether a called job goes on although this one is called off
 * @param gate the gate that each attempt passes; null for none but the workflow's own
 * @param request what tells what is asked for from everything else; null when nobody says. An effect has a request of its own
 */
public record Named(
        String name,
        String item,
        List<String> was,
        @Nullable Duration timeout,
        @Nullable Integer attempts,
        int atOnce,
        boolean isDetached,
        @Nullable String gate,
        @Nullable Fingerprint request) {
    /** How many items of a fan-out run at once, unless said. */
    public static final int USUAL_AT_ONCE = 8;

    public Named {
        if (timeout != null && (!timeout.isPositive() || timeout.compareTo(Duration.ofDays(365)) > 0)) {
            throw new IllegalArgumentException(
                    "a time-out is longer than nothing and at most a year: " + Durations.text(timeout));
        }
        if (attempts != null && attempts < 1) {
            throw new IllegalArgumentException("there is at least one attempt, not " + attempts);
        }
        if (atOnce < 1 || atOnce > 1_000) {
            throw new IllegalArgumentException("1 to 1,000 items run at once, not " + atOnce);
        }
        was = List.copyOf(was);
    }

    /** Just a name. */
    public static Named named(String name) {
        return new Named(name, "", List.of(), null, null, USUAL_AT_ONCE, false, null, null);
    }

    /** For one of many: found by this item's own key, never by its position. */
    public Named item(String key) {
        return new Named(name, key, was, timeout, attempts, atOnce, isDetached, gate, request);
    }

    /** It had this name before: its record is found under the old name too. */
    public Named was(String oldName) {
        var names = new ArrayList<>(was);
        names.add(oldName);
        return new Named(name, item, names, timeout, attempts, atOnce, isDetached, gate, request);
    }

    /** How long one attempt may take. */
    public Named timeout(Duration longest) {
        return new Named(name, item, was, longest, attempts, atOnce, isDetached, gate, request);
    }

    /** The most attempts. */
    public Named attempts(int most) {
        return new Named(name, item, was, timeout, most, atOnce, isDetached, gate, request);
    }

    /** How many items of a fan-out run at once. */
    public Named atOnce(int most) {
        return new Named(name, item, was, timeout, attempts, most, isDetached, gate, request);
    }

    /** A called job that goes on although this one is called off. */
    public Named detached() {
        return new Named(name, item, was, timeout, attempts, atOnce, true, gate, request);
    }

    /**
     * Each attempt passes this gate: trouble with the account, or a wish to be left alone, closes it for everybody who passes it, and a
     * {@link dev.pawl.gate.Rate} of that name counts it.
     */
    public Named through(String gateName) {
        return new Named(
                name, item, was, timeout, attempts, atOnce, isDetached, Names.check("gate", gateName), request);
    }

    /**
     * What a step, a transaction or a reply is asked for: a prompt, say. Its fingerprint is kept with the record; when the code asks for something else on a resume, the
     * record is returned all the same, and an event tells of it.
     */
    public Named request(Object asked) {
        return new Named(name, item, was, timeout, attempts, atOnce, isDetached, gate, Fingerprint.of(asked));
    }

    /** Where its record is found. */
    public Place place(String scope) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a step or an effect has a name");
        }
        return new Place(scope, name, item);
    }

    /** Where its record was found before, newest name first. */
    public List<Place> oldPlaces(String scope) {
        return was.reversed().stream().map(old -> new Place(scope, old, item)).toList();
    }
}
