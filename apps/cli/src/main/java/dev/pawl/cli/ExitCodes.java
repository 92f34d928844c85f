package dev.pawl.cli;

/** What {@code pawl} says with its exit code. */
final class ExitCodes {
    static final int WELL = 0;

    /** Something failed, and stays so until somebody deals with it. */
    static final int FAILED = 1;

    /** It cannot be done as it was called. */
    static final int WRONG_CALL = 2;

    /** A person must decide. */
    static final int ASKS = 3;

    /** It had better be run again. */
    static final int UNFINISHED = 75;

    private ExitCodes() {}

    /** The first that applies. */
    static int of(boolean failed, boolean asks, boolean unfinished) {
        if (failed) {
            return FAILED;
        }
        if (asks) {
            return ASKS;
        }
        return unfinished ? UNFINISHED : WELL;
    }
}
