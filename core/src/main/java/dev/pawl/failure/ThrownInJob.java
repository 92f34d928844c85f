package dev.pawl.failure;

import java.util.regex.Pattern;

/** What a job's code has thrown, as it was kept: perhaps on another machine, and of a class that is not here. It has that class's name, message and frames. */
public final class ThrownInJob extends Exception {
    private static final Pattern FRAME = Pattern.compile("(.+)\\.([^.(]+)\\(([^:)]*)(?::(\\d{1,9}))?\\)");

    private final String type;

    /** The same, to be thrown or to be a cause. */
    public ThrownInJob(Thrown kept) {
        super(kept.message(), kept.cause() == null ? null : new ThrownInJob(kept.cause()));
        this.type = kept.type();
        setStackTrace(kept.frames().stream().map(ThrownInJob::frame).toArray(StackTraceElement[]::new));
    }

    private static StackTraceElement frame(String text) {
        var parts = FRAME.matcher(text);
        return parts.matches()
                ? new StackTraceElement(
                        parts.group(1),
                        parts.group(2),
                        parts.group(3),
                        parts.group(4) == null ? -1 : Integer.parseInt(parts.group(4)))
                : new StackTraceElement(text, "", null, -1);
    }

    /** The name of the class that was thrown. */
    public String type() {
        return type;
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // traces show it as what was thrown, and its message stays its own
    public String toString() {
        return getMessage() == null ? type : type + ": " + getMessage();
    }
}
