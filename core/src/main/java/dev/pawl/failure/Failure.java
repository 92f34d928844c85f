package dev.pawl.failure;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong, kept with the job.
 *
 * @param kind its class
 * @param code a short stable word: an exception's simple name, {@code http-429}, {@code timeout}
 * @param message for people; cut at 2,000 characters
 * @param retryAfter how long the other side asked to be left alone, if it did
 * @param status what the other side said, as HTTP has it; null when nobody tells
 * @param provider who the other side is; null when nobody tells
 */
public record Failure(
        FailureClass kind,
        String code,
        String message,
        @Nullable Duration retryAfter,
        @Nullable Integer status,
        @Nullable String provider) {

    private static final int MOST_CHARS = 2_000;

    /** The code of what was not begun because of a {@link Halted}. */
    private static final String HALTED = "halted";

    private static final String OURS = "dev.pawl.";

    private static final String NOT_ENDED = "not-ended";

    /** The code of what a person has decided. */
    private static final String DECIDED = "decided";

    public Failure {
        message = message.length() > MOST_CHARS ? message.substring(0, end(message)) + "…" : message;
    }

    /** A failure of which nobody tells who the other side is. */
    public Failure(FailureClass kind, String code, String message, @Nullable Duration retryAfter) {
        this(kind, code, message, retryAfter, null, null);
    }

    /** A failure of {@code kind} without a wish for how long to wait. */
    public static Failure of(FailureClass kind, String code, String message) {
        return new Failure(kind, code, message, null);
    }

    /** What an exception out of a step means: transient, unless it says otherwise. */
    public static Failure ofStep(Throwable thrown) {
        var itself = ofItsOwnWord(thrown);
        if (itself != null) {
            return itself;
        }
        var kind = thrown instanceof PermanentFailure ? FailureClass.PERMANENT : FailureClass.TRANSIENT;
        return of(kind, thrown, null);
    }

    /** What an exception out of an effect's act means: ambiguous, unless it is the effect's own word that nothing happened. */
    public static Failure ofEffect(Throwable thrown) {
        var itself = ofItsOwnWord(thrown);
        return itself == null ? of(FailureClass.AMBIGUOUS, thrown, wishOf(thrown)) : itself;
    }

    /** What an exception says by itself, wherever it comes from: that nothing happened. Null when it says no such thing. */
    private static @Nullable Failure ofItsOwnWord(Throwable thrown) {
        return switch (thrown) {
            case AccountTrouble e -> of(FailureClass.ACCOUNT, e, e.retryAfter());
            case NotSent e -> of(FailureClass.TRANSIENT, e, e.retryAfter());
            case Rejected e -> of(FailureClass.PERMANENT, e, null);
            default -> null;
        };
    }

    /** What a person has decided, as a failure of {@code kind}. */
    public static Failure decided(FailureClass kind, String message) {
        return of(kind, DECIDED, message);
    }

    /** Whether it is what a person has decided. */
    public boolean isDecided() {
        return code.equals(DECIDED);
    }

    /** Where a message that is too long is cut: between two characters. */
    private static int end(String message) {
        return Character.isHighSurrogate(message.charAt(MOST_CHARS - 1)) ? MOST_CHARS - 1 : MOST_CHARS;
    }

    /** Something that goes on elsewhere could not be ended there. */
    public static Failure notEnded(String why) {
        return of(FailureClass.PERMANENT, NOT_ENDED, "what goes on elsewhere could not be ended: " + why);
    }

    /** Whether something that goes on elsewhere could not be ended there. */
    public boolean isNotEnded() {
        return code.equals(NOT_ENDED);
    }

    /** Whether it was not begun because so much has failed alike before it. */
    public boolean isHalted() {
        return code.equals(HALTED);
    }

    private static @Nullable Duration wishOf(Throwable thrown) {
        return thrown.getCause() instanceof ProviderSaid said ? said.retryAfter() : null;
    }

    private static Failure of(FailureClass kind, Throwable thrown, @Nullable Duration retryAfter) {
        if (thrown.getCause() instanceof ProviderSaid said) {
            var code = said.status() == null ? code(thrown) : "http-" + said.status();
            return new Failure(kind, code, text(thrown), retryAfter, said.status(), said.provider());
        }
        return new Failure(kind, code(thrown), text(thrown), retryAfter);
    }

    private static String code(Throwable thrown) {
        if (thrown instanceof Halted) {
            return HALTED;
        }
        var name = thrown.getClass().getSimpleName();
        return name.isEmpty() ? thrown.getClass().getName() : name;
    }

    /** What it says; what is not a word of Pawl's is named, because its class says what its message does not. */
    private static String text(Throwable thrown) {
        var message = thrown.getMessage();
        var named = !thrown.getClass().getName().startsWith(OURS);
        if (message == null || message.isBlank()) {
            return (named ? code(thrown) : words(code(thrown))) + ", without a message";
        }
        return named ? code(thrown) + ": " + message : message;
    }

    /** A name of code as people read it: {@code NullPointerException} is "null pointer exception". */
    private static String words(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
