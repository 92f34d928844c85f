package dev.pawl.decision;

/** What a person can say to a question. */
public enum Verdict {
    /** It happened; the result may be given with it. */
    DONE,
    /** It did not happen, or is mended: try again. */
    RETRY,
    /** Leave it and go on without a result. */
    SKIP,
    /** Give it up: the workflow gets a failure. */
    FAIL;

    /** As on the command line. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
