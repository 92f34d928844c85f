package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.JobDeed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pawl retry JOB…}. */
@Command(
        name = "retry",
        description = "Try a failed job again, with a new budget; or now, one that waits to be tried again."
                + " Example: pawl retry report/2026-04 --note 'looked at it'",
        mixinStandardHelpOptions = true)
final class RetryCommand extends ByHandCommand {

    @Option(
            names = "--now",
            description =
                    "Of a job that waits to be tried again: do not wait any longer. It gets no attempt more, and a sleep is not cut short.")
    private boolean now;

    @Override
    JobDeed deed(Pawl pawl) {
        return new JobDeed.Retry(now);
    }
}
