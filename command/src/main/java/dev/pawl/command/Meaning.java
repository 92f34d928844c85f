package dev.pawl.command;

import dev.pawl.failure.FailureClass;
import dev.pawl.text.EnumWords;
import java.util.List;
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

    /** The words for those that a person can teach. */
    public static final EnumWords<Meaning> WORDS =
            EnumWords.of("meaning of an exit code", List.of(DONE, TRANSIENT, PERMANENT, ACCOUNT, IN_DOUBT));

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

    /** What an effect says that fails like {@code kind}. */
    static Meaning of(FailureClass kind) {
        return switch (kind) {
            case TRANSIENT -> TRANSIENT;
            case PERMANENT -> PERMANENT;
            case ACCOUNT -> ACCOUNT;
            case AMBIGUOUS -> IN_DOUBT;
        };
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
        return WORDS.parse(word);
    }

    /** What people call it. */
    public String word() {
        return EnumWords.word(this);
    }
}
