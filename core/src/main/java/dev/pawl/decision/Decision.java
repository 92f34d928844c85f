package dev.pawl.decision;

import dev.pawl.json.Values;
import org.jspecify.annotations.Nullable;

/**
 * A person's answer to a question, kept for ever: {@code Decision.done(pullRequest).by("anna", "it is on the page")}.
 *
 * @param verdict what they said
 * @param result the effect's result as JSON, where they gave one
 * @param evenNow do it before earlier attempts can no longer land
 * @param audit who, and why
 */
public record Decision(Verdict verdict, @Nullable String result, boolean evenNow, Audit audit) {

    /**
     * What is said, before anybody has signed it.
     *
     * @param verdict what is said
     * @param result the effect's result as JSON, where there is one
     * @param isEvenNow whether it is to be done before earlier attempts can no longer land
     */
    public record Unsigned(Verdict verdict, @Nullable String result, boolean isEvenNow) {
        /** The same, done at once although an earlier attempt may still land. */
        public Unsigned evenNow() {
            return new Unsigned(verdict, result, true);
        }

        /** The decision of {@code who}, and why. */
        public Decision by(String who, String why) {
            return by(new Audit(who, why));
        }

        /** The decision of somebody, and why. */
        public Decision by(Audit audit) {
            return new Decision(verdict, result, isEvenNow, audit);
        }
    }

    /** It happened, with this result: anything that can be written as JSON; null when it has none. */
    public static Unsigned done(@Nullable Object result) {
        return new Unsigned(Verdict.DONE, result == null ? null : Values.write(result), false);
    }

    /** It did not happen, or is mended: try again. */
    public static Unsigned retry() {
        return of(Verdict.RETRY);
    }

    /** Leave it and go on without a result. */
    public static Unsigned skip() {
        return of(Verdict.SKIP);
    }

    /** Give it up: the workflow gets a failure. */
    public static Unsigned fail() {
        return of(Verdict.FAIL);
    }

    /** Yes, it may act. */
    public static Unsigned approve() {
        return of(Verdict.APPROVE);
    }

    /** No, it may not. */
    public static Unsigned deny() {
        return of(Verdict.DENY);
    }

    /** This verdict, and nothing besides. */
    public static Unsigned of(Verdict verdict) {
        return new Unsigned(verdict, null, false);
    }

    /** The same, made there. */
    public Decision at(Origin there) {
        return new Decision(verdict, result, evenNow, audit.at(there));
    }
}
