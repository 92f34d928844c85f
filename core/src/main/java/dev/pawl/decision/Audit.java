package dev.pawl.decision;

import org.jspecify.annotations.Nullable;

/**
 * Who did something to a job by hand, and why. When is kept by the journal.
 *
 * @param who a person's or tool's name, as they claim it
 * @param why the note they left
 * @param origin where it was done, as the machine knows it; null when nobody wrote that down, as earlier states of Pawl did not
 */
public record Audit(String who, String why, @Nullable Origin origin) {

    public Audit {
        if (who.isBlank()) {
            throw new IllegalArgumentException("say who decides");
        }
        if (why.isBlank()) {
            throw new IllegalArgumentException("say why, for whoever reads this later: --note WHY");
        }
    }

    /** Of one who does it now; the store is told where that is. */
    public Audit(String who, String why) {
        this(who, why, null);
    }

    /** The same, done there, unless that is known already. */
    public Audit at(Origin there) {
        return origin == null ? new Audit(who, why, there) : this;
    }

    /** Who, as whom the machine knows them, and why: {@code anna, as deploy on build-7: the provider is back}. */
    public String text() {
        return by() + ": " + why;
    }

    /** Who, and as whom the machine knows them: {@code anna, as deploy on build-7}. */
    public String by() {
        return origin == null
                ? who
                : who + (who.equals(origin.user()) ? "" : ", as " + origin.user()) + " on " + origin.host();
    }
}
