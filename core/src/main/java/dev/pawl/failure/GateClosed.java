package dev.pawl.failure;

import dev.pawl.key.Identity;
import dev.pawl.text.Visible;

/** The job waits, with all others, at a gate that a person must open. */
public final class GateClosed extends RuntimeException {
    private final String gate;

    /**
     * The job waits at {@code gate}.
     *
     * @param store how commands name the store, with a space before it; may be empty
     */
    public GateClosed(Identity identity, String gate, String store) {
        super("job " + identity + " waits at gate " + Visible.of(gate) + ", which a person must open; \"pawl gates"
                + store + "\" tells why");
        this.gate = gate;
    }

    /** The gate's name. */
    public String gate() {
        return gate;
    }
}
