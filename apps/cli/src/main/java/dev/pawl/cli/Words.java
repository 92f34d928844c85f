package dev.pawl.cli;

import dev.pawl.store.Change;

/** What others wrote, fit for one line of a terminal. */
final class Words {
    private static final int MOST_CHARS = 160;

    private Words() {}

    /** Where and why a job failed. */
    static String of(Change.FailedAt failed) {
        var place = failed.place().toString();
        return "failed" + (place.isEmpty() ? "" : " at " + place) + ": "
                + cut(failed.failure().message());
    }

    /** {@code text} on one line, without control characters, and not longer than a line should be. */
    static String cut(String text) {
        var line = text.replaceAll("\\p{Cntrl}+", " ");
        return line.length() > MOST_CHARS ? line.substring(0, MOST_CHARS) + "…" : line;
    }
}
