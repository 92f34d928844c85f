package dev.pawl.failure;

/** A person's word does not fit the job as it stands now: it asks something else, or nothing. */
public final class DecisionConflict extends RuntimeException {

    /** How the job stands, and what to do. */
    public DecisionConflict(String message) {
        super(message);
    }
}
