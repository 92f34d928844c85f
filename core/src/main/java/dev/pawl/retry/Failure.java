package dev.pawl.retry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong, kept with the job.
 *
 * @param kind its class
 * @param code a short stable word: an exception's simple name, {@code http-429}, {@code timeout}
 * @param message for people; cut at 2,000 characters
 * @param retryAfter how long the other side asked to be left alone, if it did
 */
public record Failure(
        FailureClass kind,
        String code,
        String message,
        @Nullable Duration retryAfter) {

    private static final int MOST_CHARS = 2_000;

    public Failure {
        message = message.length() > MOST_CHARS ? message.substring(0, MOST_CHARS) + "…" : message;
    }

    /** A failure of {@code kind} without a wish for how long to wait. */
    public static Failure of(FailureClass kind, String code, String message) {
        return new Failure(kind, code, message, null);
    }

    /** What an exception out of a step means: transient, unless it says otherwise. */
    public static Failure ofStep(Throwable thrown) {
        return switch (thrown) {
            case AccountTrouble e -> new Failure(FailureClass.ACCOUNT, code(e), text(e), e.retryAfter());
            case NotSent e -> new Failure(FailureClass.TRANSIENT, code(e), text(e), e.retryAfter());
            case Rejected e -> new Failure(FailureClass.PERMANENT, code(e), text(e), null);
            case PermanentFailure e -> new Failure(FailureClass.PERMANENT, code(e), text(e), null);
            default -> new Failure(FailureClass.TRANSIENT, code(thrown), text(thrown), null);
        };
    }

    /** What an exception out of an effect's act means: ambiguous, unless it is the effect's own word that nothing happened. */
    public static Failure ofEffect(Throwable thrown) {
        return switch (thrown) {
            case AccountTrouble e -> new Failure(FailureClass.ACCOUNT, code(e), text(e), e.retryAfter());
            case NotSent e -> new Failure(FailureClass.TRANSIENT, code(e), text(e), e.retryAfter());
            case Rejected e -> new Failure(FailureClass.PERMANENT, code(e), text(e), null);
            default -> new Failure(FailureClass.AMBIGUOUS, code(thrown), text(thrown), null);
        };
    }

    private static String code(Throwable thrown) {
        var name = thrown.getClass().getSimpleName();
        return name.isEmpty() ? thrown.getClass().getName() : name;
    }

    private static String text(Throwable thrown) {
        var message = thrown.getMessage();
        return message == null ? thrown.getClass().getName() : message;
    }
}
