package dev.pawl.decision;

import org.jspecify.annotations.Nullable;

/**
 * A person's answer to a question, kept for ever.
 *
 * @param verdict what they said
 * @param result the effect's result as JSON, where they gave one
 * @param evenNow do it before earlier attempts can no longer land
 * @param audit who, and why
 */
public record Decision(Verdict verdict, @Nullable String result, boolean evenNow, Audit audit) {

    /** The same, made there. */
    public Decision at(Origin there) {
        return new Decision(verdict, result, evenNow, audit.at(there));
    }

    /** A plain verdict. */
    public static Decision of(Verdict verdict, String who, String why) {
        return new Decision(verdict, null, false, new Audit(who, why));
    }
}
