package dev.pawl.cli;

import dev.pawl.command.CommandEnvironment;
import java.util.Optional;

/** Whether this very call is typed by a command that some Pawl runs. It stops accidents: whoever wants to can take the mark away. */
final class InsideCommand {
    private InsideCommand() {}

    /** The job or guard whose command this is. */
    static Optional<String> job() {
        return Optional.ofNullable(System.getenv(CommandEnvironment.JOB)).filter(job -> !job.isBlank());
    }

    /** What people are asked is not answered by what they are asked about. */
    static void refuseToAnswer() {
        job().ifPresent(job -> {
            throw new IllegalArgumentException(
                    "this is a command of " + job
                            + " (PAWL_JOB is set), and what a person is asked is not answered by a command: type it at a shell of your own");
        });
    }
}
