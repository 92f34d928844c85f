package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.JobDeed;
import picocli.CommandLine.Command;

/** {@code pawl discard JOB…}. */
@Command(
        name = "discard",
        description =
                "Deal with a failed job by giving it up, or say that an effect which happened twice was dealt with."
                        + " Example: pawl discard report/2026-04 --note 'looked at it'",
        mixinStandardHelpOptions = true)
final class DiscardCommand extends ByHandCommand {

    @Override
    JobDeed deed(Pawl pawl) {
        return new JobDeed.Discard();
    }
}
