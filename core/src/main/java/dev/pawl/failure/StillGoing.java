package dev.pawl.failure;

/** An act that outlives its worker is seen to be going on, although its time is up: it is looked at again later, and nothing is concluded before. */
public final class StillGoing extends Exception {

    /** What was seen of it. */
    public StillGoing(String message) {
        super(message);
    }
}
