package dev.pawl.cli;

import dev.pawl.job.JobState;
import java.util.Map;

/**
 * Where a person reads what a command says: a terminal, or something else that is neither cut nor coloured.
 *
 * @param terminal whether it is one
 * @param columns how wide it is
 * @param colours whether it shows them, and nobody minds
 */
record Screen(boolean terminal, int columns, boolean colours) {
    private static final int USUAL_COLUMNS = 80;
    private static final int LEAST_COLUMNS = 20;

    /** Where this process writes what was asked for. */
    static Screen ours() {
        return of(Boolean.getBoolean("pawl.terminal"), Integer.getInteger("pawl.columns", 0), System.getenv());
    }

    /** Where this process writes what happens meanwhile. */
    static Screen watched() {
        return of(Boolean.getBoolean("pawl.watched"), Integer.getInteger("pawl.columns", 0), System.getenv());
    }

    static Screen of(boolean terminal, int columns, Map<String, String> environment) {
        var wanted = environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
        // Many a terminal does not know how wide it is, and says 0.
        var wide = columns <= 0 ? USUAL_COLUMNS : Math.max(LEAST_COLUMNS, columns);
        return new Screen(terminal, wide, terminal && wanted);
    }

    /** {@code line} as far as it fits. */
    String fit(String line) {
        return terminal && line.codePointCount(0, line.length()) > columns
                ? line.substring(0, line.offsetByCodePoints(0, columns - 1)) + "…"
                : line;
    }

    /** {@code line} as far as it fits, with the state in it in its colour. */
    String fit(String line, JobState state) {
        var fitting = fit(line);
        var at = fitting.indexOf(state.name());
        return colours && at >= 0
                ? fitting.substring(0, at) + colour(state) + state + "\u001b[0m"
                        + fitting.substring(at + state.name().length())
                : fitting;
    }

    private static String colour(JobState state) {
        return switch (state) {
            case DONE -> "\u001b[32m";
            case FAILED, CANCELLED -> "\u001b[31m";
            case PAUSED -> "\u001b[33m";
            case READY, RUNNING, WAITING -> "\u001b[36m";
        };
    }
}
