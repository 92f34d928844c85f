package dev.pawl.decision;

/**
 * Who did something to a job by hand, and why. When is kept by the journal.
 *
 * @param who a person's or tool's name
 * @param why the note they left
 */
public record Audit(String who, String why) {

    public Audit {
        if (who.isBlank()) {
            throw new IllegalArgumentException("say who decides");
        }
        if (why.isBlank()) {
            throw new IllegalArgumentException("say why, for whoever reads this later: --note WHY");
        }
    }
}
