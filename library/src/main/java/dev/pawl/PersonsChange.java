package dev.pawl;

import dev.pawl.decision.Audit;
import dev.pawl.failure.DecisionConflict;
import dev.pawl.store.Applied;

/** What a person's change of a store is, and what it came to. */
final class PersonsChange {
    private PersonsChange() {}

    /** A name is claimed; the user and the machine are what they are. */
    static Audit here(Audit audit) {
        return audit.at(ThisProcess.origin());
    }

    /**
     * Makes sure that it is done.
     *
     * @throws DecisionConflict when it does not fit what is stored
     * @throws IllegalArgumentException when it can never be done
     */
    static void checked(Applied applied) {
        switch (applied) {
            case Applied.Conflict conflict -> throw new DecisionConflict(conflict.why());
            case Applied.Refused refused -> throw new IllegalArgumentException(refused.why());
            default -> {
                if (!applied.done()) {
                    throw new IllegalStateException("a person's word needs no lease and passes no gate: " + applied);
                }
            }
        }
    }
}
