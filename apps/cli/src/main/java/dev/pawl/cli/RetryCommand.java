package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.job.Transition;
import dev.pawl.journal.Message;
import dev.pawl.store.Applied;
import dev.pawl.store.Delivering;
import dev.pawl.store.Reopening;
import dev.pawl.store.StoredJob;
import org.jspecify.annotations.Nullable;
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
    @Nullable
    Applied objection(Pawl pawl, StoredJob job, Audit audit) {
        return now
                ? Delivering.objection(job, Message.hurry("now", false, audit))
                : Reopening.objection(job, Transition.RETRY);
    }

    @Override
    void apply(Pawl pawl, StoredJob job, Audit audit) {
        if (now) {
            pawl.hurry(job, false, audit);
        } else {
            pawl.retry(job, audit);
        }
    }

    @Override
    String done() {
        return now ? "hurried" : "retried";
    }
}
