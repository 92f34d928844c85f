package dev.pawl.failure;

/** An act has happened, and what it said as its result could not be kept: nobody does it again, and a person is asked for the result. */
public final class ResultNotKept extends Exception {

    /** Why it could not be kept. */
    public ResultNotKept(String message) {
        super(message);
    }
}
