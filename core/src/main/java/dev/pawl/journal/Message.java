package dev.pawl.journal;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Origin;
import dev.pawl.json.Json;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Encoding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that was sent to a job: kept whatever the job's state, and there when the job comes to wait for it.
 *
 * @param id what tells it from every other of its kind; sent twice it arrives once
 * @param kind what it is
 * @param name what it is about: a signal's name, or the place of a call
 * @param payload JSON
 */
public record Message(String id, Kind kind, String name, String payload) {
    /** The longest id. */
    public static final int MOST_ID_CHARS = 200;

    /** The largest payload of a signal. */
    public static final int MOST_PAYLOAD_CHARS = 1 << 20;

    private static final String EVEN_NOW = "even-now";

    /** What a message is. */
    public enum Kind {
        /** Somebody outside tells the job something. */
        SIGNAL,
        /** A job that it called has ended. */
        CHILD_ENDED,
        /** A person wants it to go on now: {@link #hurry}. */
        HURRY
    }

    public Message {
        if (id.isEmpty() || id.length() > MOST_ID_CHARS) {
            throw new IllegalArgumentException("a message has an id of 1 to " + MOST_ID_CHARS
                    + " characters: what tells it from every other, such as the webhook's own id");
        }
        if (kind == Kind.SIGNAL && payload.length() > MOST_PAYLOAD_CHARS) {
            throw new IllegalArgumentException("a signal's payload has " + payload.length()
                    + " characters; the most is " + MOST_PAYLOAD_CHARS + ": keep it in a file and send its name");
        }
    }

    /**
     * A person's word that a job is to go on now: what failed is tried again without waiting any longer.
     *
     * @param id what tells it from every other
     * @param evenNow whether a "retry" that was said before is believed although an earlier attempt may still land
     */
    public static Message hurry(String id, boolean evenNow, Audit audit) {
        var said = new LinkedHashMap<String, Object>();
        said.put("by", audit.who());
        said.put("why", audit.why());
        if (audit.origin() != null) {
            said.put("user", audit.origin().user());
            said.put("host", audit.origin().host());
        }
        return new Message(id, Kind.HURRY, evenNow ? EVEN_NOW : "now", Json.write(said));
    }

    /** Whether a person insists although an earlier attempt may still land. */
    public boolean insists() {
        return kind == Kind.HURRY && name.equals(EVEN_NOW);
    }

    /** Who wants it to go on now, and why; null of a message that is no such word. */
    public @Nullable Audit hurriedBy() {
        if (kind != Kind.HURRY) {
            return null;
        }
        var said = Objects.requireNonNull(Json.read(payload, new TypeToken<Map<String, String>>() {}));
        var audit = new Audit(said.getOrDefault("by", "somebody"), said.getOrDefault("why", "nobody wrote down why"));
        var user = said.get("user");
        return user == null ? audit : audit.at(new Origin(user, said.getOrDefault("host", "")));
    }

    /** The id of the change that delivers it: the same however often it is sent. */
    public long change() {
        return Changes.named(Encoding.encode(List.of("message", kind.name(), name, id)));
    }
}
