package dev.pawl.effect;

import dev.pawl.failure.Failure;
import dev.pawl.json.Json;
import org.jspecify.annotations.Nullable;

/** What became of an attempt. An attempt without one may have happened. */
public sealed interface Answer {

    /**
     * It happened.
     *
     * @param result its result as JSON; of one that could not be kept, why, as a JSON text, or null
     * @param kept false when it happened but its result could not be kept
     */
    record Happened(@Nullable String result, boolean kept) implements Answer {}

    /** This attempt did nothing, and will do nothing. It says nothing about other attempts. */
    record DidNotHappen(Failure why) implements Answer {}

    /** Nobody knows, and a person said to go on regardless. */
    record Waived(String by) implements Answer {}

    /**
     * Nobody knows still, and it may have been sent after its time, when others had ceased to wait for it. Said by a worker whose act ended in doubt that late:
     * it stood still between its last check and its send, or its machine did.
     */
    record Late() implements Answer {}

    /** It happened, with this result as JSON. */
    static Answer happened(@Nullable String result) {
        return new Happened(result, true);
    }

    /** It happened, and its result could not be kept because of {@code why}. */
    static Answer notKept(String why) {
        return new Happened(Json.write(why), false);
    }

    /** Who an answer comes from. */
    enum Source {
        /** The worker that acted, or acted long ago and was late. */
        WORKER,
        /** The destination, when it was asked. */
        VERIFY,
        /** A person. */
        PERSON
    }
}
