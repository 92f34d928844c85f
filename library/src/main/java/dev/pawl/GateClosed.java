package dev.pawl;

import dev.pawl.key.Identity;
import dev.pawl.text.Visible;

/** The job waits, with all others, at a gate that a person must open. */
public final class GateClosed extends RuntimeException {
    private final String gate;

    GateClosed(Identity identity, String gate, String store) {
        super("job " + identity + " waits at gate " + Visible.of(gate) + ", which a person must open; \"pawl gates"
                + store + "\" tells why");
        this.gate = gate;
    }

    /** The gate's name. */
    public String gate() {
        return gate;
    }
}
