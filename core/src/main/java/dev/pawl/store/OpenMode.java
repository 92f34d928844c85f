package dev.pawl.store;

/** What may be done to a store by opening it. */
public enum OpenMode {
    /** Nothing: it is looked at. It is neither made nor brought forward, and takes no change. */
    TO_LOOK,
    /** It is worked with as it is: what an earlier version wrote is not brought forward, but refused. */
    AS_IT_IS,
    /** What an earlier version wrote is brought forward; earlier versions cannot open it then. */
    BRINGING_FORWARD,
    /** The same, also where a store was moving in and was interrupted. */
    MOVING_IN;

    /** Whether what an earlier version wrote is brought forward. */
    public boolean bringsForward() {
        return this == BRINGING_FORWARD || this == MOVING_IN;
    }
}
