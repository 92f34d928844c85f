package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.Fields;
import dev.pawl.desk.GoingOn;
import dev.pawl.desk.JobDeed;
import dev.pawl.desk.JobLookup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What a person does by hand to jobs, one after another, with a note: to all of them, or to none when one of them is seen not to be for it. */
abstract sealed class ByHandCommand implements Callable<Integer>
        permits RetryCommand, ResubmitCommand, DiscardCommand, CancelCommand {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private NoteOption note;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(paramLabel = "JOB", arity = "1..*", description = "WORKFLOW/KEY; several, or - for stdin")
    @SuppressWarnings("NullAway.Init")
    private List<String> names;

    /** Whether it deals with what a person is asked, or told that it failed. */
    boolean answers() {
        return true;
    }

    /** What is done. */
    abstract JobDeed deed(Pawl pawl);

    /** Where commands of the jobs keep what they write. */
    final List<Path> commands(Pawl pawl) {
        return store.commands(() -> pawl);
    }

    /** Whether what was warned of may be done. */
    boolean maySo(List<String> warnings) throws IOException {
        return true;
    }

    @Override
    public final Integer call() throws IOException {
        if (answers()) {
            InsideCommand.refuseToAnswer();
        }
        try (var pawl = store.open()) {
            // Only their names are kept: there may be very many.
            var jobs = JobNames.of(names).stream()
                    .map(name -> JobLookup.find(pawl, name).identity())
                    .distinct()
                    .toList();
            var deed = deed(pawl);
            var warnings = deed.prepare(pawl, jobs, note.audit());
            if (!warnings.isEmpty() && !maySo(warnings)) {
                return 2;
            }
            var goingOn = new GoingOn(new TypedHere(store, pawl), pawl);
            for (var identity : jobs) {
                var next = deed.to(pawl, identity, note.audit(), goingOn);
                json.say(
                        identity + ": " + deed.done() + " by " + note.audit().who()
                                + (next.isEmpty() ? "" : "; " + next),
                        Fields.of(
                                "job",
                                identity.toString(),
                                "did",
                                deed.done(),
                                "by",
                                note.audit().who(),
                                "next",
                                next));
            }
            return 0;
        }
    }
}
