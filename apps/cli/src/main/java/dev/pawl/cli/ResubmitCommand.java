package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.store.StoredJob;
import picocli.CommandLine.Command;

/** {@code pawl resubmit JOB…}. */
@Command(
        name = "resubmit",
        description =
                "Do a finished job again from the start, on purpose. Its effects get new keys and happen again. Example: pawl resubmit report/2026-04 --note 'looked at it'",
        mixinStandardHelpOptions = true)
final class ResubmitCommand extends ByHandCommand {

    @Override
    void apply(Pawl pawl, StoredJob job, Audit audit) {
        pawl.resubmit(job, audit);
    }

    @Override
    String done() {
        return "resubmitted";
    }
}
