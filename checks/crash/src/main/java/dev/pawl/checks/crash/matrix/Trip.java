package dev.pawl.checks.crash.matrix;

import java.util.Locale;

/**
 * Where a process is tripped up, and how.
 *
 * @param change the kind of change at which it happens
 * @param when before or after the store has made it
 * @param how what happens
 */
record Trip(String change, When when, How how) {
    /** Nothing happens. */
    static final Trip NONE = new Trip("-", When.BEFORE, How.KILL);

    /** Which side of a change. */
    enum When {
        BEFORE,
        AFTER
    }

    /** What happens to the process. */
    enum How {
        /** It waits to be killed. */
        KILL,
        /** It waits to be stopped past its lease, and goes on afterwards. */
        STOP,
        /** It gets an error instead of an answer. */
        ERROR
    }

    static Trip parse(String text) {
        var parts = text.split(":", -1);
        return new Trip(parts[0], When.valueOf(parts[1]), How.valueOf(parts[2]));
    }

    @Override
    public String toString() {
        return change + ":" + when + ":" + how;
    }

    /** For people. */
    String words() {
        return how.name().toLowerCase(Locale.ROOT) + " " + when.name().toLowerCase(Locale.ROOT) + " " + change;
    }
}
