package dev.pawl.failure;

/** An act was begun, may still be going on, and nobody here can see it: nobody concludes before its deadline that nothing more is sent. */
public final class OutOfReach extends Exception {

    /** What was seen of it last. */
    public OutOfReach(String message) {
        super(message);
    }
}
