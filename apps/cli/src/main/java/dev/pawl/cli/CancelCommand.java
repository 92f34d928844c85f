package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.JobDeed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pawl cancel JOB…}. */
@Command(
        name = "cancel",
        description =
                "Call a job off, with those it called; it stops at its next boundary. Example: pawl cancel report/2026-04 --note 'no longer wanted'",
        mixinStandardHelpOptions = true)
final class CancelCommand extends ByHandCommand {

    @Option(
            names = "--kill",
            description =
                    "End its command too, if one runs on this machine: TERM, and KILL after ten seconds. An effect that is ended so may have happened, and asks")
    private boolean kill;

    @Override
    boolean answers() {
        return false;
    }

    @Override
    JobDeed deed(Pawl pawl) {
        return new JobDeed.Cancel(kill ? commands(pawl) : null);
    }
}
