package dev.pawl.failure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Nothing happened because of credit, login or quota: no job is at fault, so no attempt is spent and a person is asked. */
public sealed class AccountTrouble extends NotSent permits Halted {

    /** What is wrong with the account. */
    public AccountTrouble(String message) {
        super(message);
    }

    /** What is wrong, where it may well be over after {@code lookAgain}: everybody waits until then, and for no person. */
    public AccountTrouble(String message, Duration lookAgain) {
        super(message, lookAgain, null);
    }

    /** What is wrong with the account, with the cause. */
    public AccountTrouble(String message, @Nullable Throwable cause) {
        super(message, null, cause);
    }
}
