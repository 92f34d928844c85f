package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.store.Applied;
import dev.pawl.store.Reopening;
import dev.pawl.store.StoredJob;
import org.jspecify.annotations.Nullable;
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
    @Nullable
    Applied objection(Pawl pawl, StoredJob job, Audit audit) {
        return pawl.journal(job).stream().anyMatch(line -> line.entry() instanceof Entry.Duplicated)
                ? null
                : Reopening.objection(job, Transition.DISCARD);
    }

    @Override
    void apply(Pawl pawl, StoredJob job, Audit audit) {
        pawl.discard(job, audit);
    }

    @Override
    String done() {
        return "discarded";
    }
}
