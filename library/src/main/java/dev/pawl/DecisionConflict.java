package dev.pawl;

/** A person's word does not fit the job as it stands now: it asks something else, or nothing. */
public final class DecisionConflict extends RuntimeException {

    DecisionConflict(String message) {
        super(message);
    }
}
