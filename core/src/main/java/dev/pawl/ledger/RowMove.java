package dev.pawl.ledger;

import static dev.pawl.ledger.RowState.PENDING;
import static dev.pawl.ledger.RowState.PERMANENT;
import static dev.pawl.ledger.RowState.RETRYABLE;
import static dev.pawl.ledger.RowState.SUCCEEDED;

import java.util.EnumSet;
import java.util.Set;

/** Everything that takes a row from one state to another. The diagram in the docs is drawn from this table. */
public enum RowMove {
    /** An answer says that it succeeded; also one that comes late. */
    SUCCEED("succeeded", SUCCEEDED, EnumSet.of(PENDING, RETRYABLE, PERMANENT)),
    /** An answer says that it failed and may succeed another time. */
    FAIL("failed", RETRYABLE, EnumSet.of(PENDING, RETRYABLE)),
    /** It failed so, and has no attempt left. */
    SPEND("attempts spent", PERMANENT, EnumSet.of(PENDING, RETRYABLE)),
    /** An answer says that it never will. */
    FAIL_FOR_GOOD("failed for good", PERMANENT, EnumSet.of(PENDING, RETRYABLE)),
    /** A person gives it a result. */
    ACCEPT("accepted", SUCCEEDED, EnumSet.of(PENDING, RETRYABLE, PERMANENT)),
    /** A person does without it. */
    DROP("dropped", PERMANENT, EnumSet.of(PENDING, RETRYABLE, PERMANENT)),
    /** A person lets it be tried again, as often as before. */
    AGAIN("again", RETRYABLE, EnumSet.of(PERMANENT)),
    /** It gets another payload: what was sent before counts for another generation. */
    RENEW("new generation", PENDING, EnumSet.allOf(RowState.class));

    private final String words;
    private final RowState to;
    private final Set<RowState> from;

    RowMove(String words, RowState to, Set<RowState> from) {
        this.words = words;
        this.to = to;
        this.from = from;
    }

    /** For people. */
    public String words() {
        return words;
    }

    /** Where it leads. */
    public RowState to() {
        return to;
    }

    /** From where it may be made. */
    public Set<RowState> from() {
        return EnumSet.copyOf(from);
    }

    /** Whether it may be made from there. */
    public boolean isPossible(RowState state) {
        return from.contains(state);
    }
}
