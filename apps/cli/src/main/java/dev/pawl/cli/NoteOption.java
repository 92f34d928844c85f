package dev.pawl.cli;

import dev.pawl.decision.Audit;
import picocli.CommandLine.Option;

/** Who does something to a job by hand, and why. */
final class NoteOption {

    @Option(names = "--note", paramLabel = "WHY", required = true, description = "Why, for whoever reads this later.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String why;

    @Option(names = "--by", paramLabel = "NAME", description = "Who decides; else the user's name.")
    private String who = System.getProperty("user.name", "somebody");

    Audit audit() {
        return new Audit(who, why);
    }
}
