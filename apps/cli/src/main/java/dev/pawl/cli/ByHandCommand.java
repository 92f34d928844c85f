package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.store.StoredJob;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What a person does by hand to jobs, one after another, with a note. */
abstract sealed class ByHandCommand implements Callable<Integer>
        permits RetryCommand, ResubmitCommand, DiscardCommand, CancelCommand {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private NoteOption note;

    @Parameters(paramLabel = "JOB", arity = "1..*", description = "WORKFLOW/KEY; several, or - for stdin")
    @SuppressWarnings("NullAway.Init")
    private List<String> names;

    /** Does it to one job. */
    abstract void apply(Pawl pawl, StoredJob job, Audit audit);

    /** What it is called, in the past tense. */
    abstract String done();

    /** What more there is to say about a job as it stands now. */
    String next(StoredJob now) {
        return "";
    }

    @Override
    public final Integer call() {
        try (var pawl = store.open()) {
            for (var name : JobNames.of(names)) {
                apply(pawl, StoreOption.find(pawl, name), note.audit());
                System.out.println(
                        name + ": " + done() + " by " + note.audit().who() + next(StoreOption.find(pawl, name)));
            }
            return 0;
        }
    }
}
