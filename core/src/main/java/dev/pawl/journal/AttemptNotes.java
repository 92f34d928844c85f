package dev.pawl.journal;

import org.jspecify.annotations.Nullable;

/**
 * What is written down with an attempt for people. Nothing is decided by it.
 *
 * @param by the worker that acts, as people know it; null when nobody wrote it down
 * @param request what is sent, as people may see it ({@link dev.pawl.effect.RequestText}); null when an earlier attempt of the place has noted the same
 * @param most how many attempts there are at most, counted from where the budget began; null when nobody wrote it down
 */
public record AttemptNotes(
        @Nullable String by,
        @Nullable String request,
        @Nullable Integer most) {
    /** Nothing was. */
    public static final AttemptNotes NONE = new AttemptNotes(null, null, null);
}
