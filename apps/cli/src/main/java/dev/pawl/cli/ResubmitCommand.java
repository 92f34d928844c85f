package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.effect.Answer;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.store.Applied;
import dev.pawl.store.Reopening;
import dev.pawl.store.StoredJob;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pawl resubmit JOB…}. */
@Command(
        name = "resubmit",
        description =
                "Do a finished job again from the start, on purpose. Its effects get new keys and happen again. Example: pawl resubmit report/2026-04 --note 'looked at it'",
        mixinStandardHelpOptions = true)
final class ResubmitCommand extends ByHandCommand {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private SureOption sure;

    @Override
    boolean maySo(List<String> warnings) throws IOException {
        return sure.maySo(warnings);
    }

    @Override
    @Nullable
    Applied objection(Pawl pawl, StoredJob job, Audit audit) {
        return Reopening.objection(job, Transition.RESUBMIT);
    }

    @Override
    void apply(Pawl pawl, StoredJob job, Audit audit) {
        pawl.resubmit(job, audit);
    }

    /** Each effect that has happened, and will again. */
    @Override
    String warning(Pawl pawl, StoredJob job) {
        // Nothing is announced that cannot be.
        pawl.requireResubmittable(job);
        var repeated = pawl.journal(job).stream()
                .filter(line -> line.resubmission() == job.standing().resubmission())
                .map(JournalLine::entry)
                .filter(ResubmitCommand::happened)
                .map(entry -> entry.place().toString())
                .distinct()
                .toList();
        return job.identity() + " is done again from the start; "
                + (repeated.isEmpty()
                        ? "no effect of it is known to have happened"
                        : "these effects have happened, and happen again: " + String.join(", ", repeated));
    }

    private static boolean happened(Entry entry) {
        return entry instanceof Entry.Answered answered && answered.answer() instanceof Answer.Happened;
    }

    @Override
    String done() {
        return "resubmitted";
    }
}
