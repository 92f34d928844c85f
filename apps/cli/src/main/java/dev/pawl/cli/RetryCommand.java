package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.store.StoredJob;
import picocli.CommandLine.Command;

/** {@code pawl retry JOB…}. */
@Command(
        name = "retry",
        description =
                "Try a failed job again, with a new budget. Example: pawl retry report/2026-04 --note 'looked at it'",
        mixinStandardHelpOptions = true)
final class RetryCommand extends ByHandCommand {

    @Override
    void apply(Pawl pawl, StoredJob job, Audit audit) {
        pawl.retry(job, audit);
    }

    @Override
    String done() {
        return "retried";
    }
}
