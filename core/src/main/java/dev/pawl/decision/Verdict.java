package dev.pawl.decision;

import java.util.Locale;

/** What a person can say to a question. */
public enum Verdict {
    /** It happened; the result may be given with it. */
    DONE,
    /** It did not happen, or is mended: try again. */
    RETRY,
    /** Leave it and go on without a result. */
    SKIP,
    /** Give it up: the workflow gets a failure. */
    FAIL,
    /** Yes, it may act. */
    APPROVE,
    /** No, it may not. */
    DENY;

    /** The verdict that {@code word} says. */
    public static Verdict parse(String word) {
        for (var verdict : values()) {
            if (verdict.word().equals(word.toLowerCase(Locale.ROOT))) {
                return verdict;
            }
        }
        throw new IllegalArgumentException(
                "\"" + word + "\" is no verdict; say done, retry, skip, fail, approve or deny");
    }

    /** As on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
