package dev.pawl.command;

import dev.pawl.retry.FailureClass;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an exit code says of an attempt. */
public enum Meaning {
    /** It is done; of an effect: it happened. */
    DONE(null),
    /** Nothing happened; another attempt may. */
    TRANSIENT(FailureClass.TRANSIENT),
    /** Nothing happened, and nothing will. */
    PERMANENT(FailureClass.PERMANENT),
    /** Credit, login or quota: nothing happened, and nobody's row is at fault. */
    ACCOUNT(FailureClass.ACCOUNT),
    /** It may have happened. */
    IN_DOUBT(FailureClass.AMBIGUOUS),
    /** The code says nothing that all programs mean: free to repeat for a step, in doubt for an effect. */
    UNKNOWN(FailureClass.AMBIGUOUS);

    static final int SIGNALS = 128;

    private final @Nullable FailureClass ofEffect;

    Meaning(@Nullable FailureClass ofEffect) {
        this.ofEffect = ofEffect;
    }

    /** How an effect fails that ends so; null when it does not. */
    @Nullable
    FailureClass ofEffect() {
        return ofEffect;
    }

    /** What {@code exit} means for a program of which {@code taught} says more. */
    public static Meaning of(Exit exit, Map<Integer, Meaning> taught) {
        if (exit.code() == Exit.NOT_STARTED) {
            return PERMANENT;
        }
        if (exit.timedOut()) {
            return IN_DOUBT;
        }
        var told = taught.get(exit.code());
        if (told != null) {
            return told;
        }
        return exit.code() >= SIGNALS ? IN_DOUBT : usual(exit.code());
    }

    private static Meaning usual(int code) {
        return switch (code) {
            case 0 -> DONE;
            case 75 -> TRANSIENT;
            case 64, 65, 66, 77, 78 -> PERMANENT;
            case 69 -> ACCOUNT;
            case 79 -> IN_DOUBT;
            default -> UNKNOWN;
        };
    }

    /** The meaning that people call {@code word}. */
    public static Meaning named(String word) {
        for (var meaning : values()) {
            if (meaning != UNKNOWN && meaning.word().equals(word)) {
                return meaning;
            }
        }
        throw new IllegalArgumentException(
                "\"" + word + "\" is no meaning of an exit code; say done, transient, permanent, account or in-doubt");
    }

    /** What people call it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
