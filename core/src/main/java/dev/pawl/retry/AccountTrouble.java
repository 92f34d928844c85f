package dev.pawl.retry;

/** Nothing happened because of credit, login or quota: no job is at fault, so no attempt is spent and a person is asked. */
public final class AccountTrouble extends NotSent {

    /** What is wrong with the account. */
    public AccountTrouble(String message) {
        super(message);
    }
}
