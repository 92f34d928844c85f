package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.store.Applied;
import dev.pawl.store.StoredJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

    /** Why it cannot be done to a job as it was seen; null when it can. */
    abstract @Nullable Applied objection(Pawl pawl, StoredJob job, Audit audit);

    /** Does it to one job. */
    abstract void apply(Pawl pawl, StoredJob job, Audit audit) throws IOException;

    /** What it is called, in the past tense. */
    abstract String done();

    /** What more there is to say about a job as it stands now. */
    String next(StoredJob now, GoingOn goingOn) throws IOException {
        return now.state().finished() ? "" : goingOn.with(now);
    }

    /** Where commands of the jobs keep what they write. */
    final List<Path> commands(Pawl pawl) {
        return store.commands(() -> pawl);
    }

    /** What a person is told, and asked, before it is done to a job; null when there is nothing to ask. */
    @Nullable
    String warning(Pawl pawl, StoredJob job) {
        return null;
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
                    .map(name -> StoreOption.find(pawl, name).identity())
                    .distinct()
                    .toList();
            for (var identity : jobs) {
                Refusal.unlessNone(objection(pawl, pawl.find(identity).orElseThrow(), note.audit()), jobs.size());
            }
            var warnings = jobs.stream()
                    .map(identity -> warning(pawl, pawl.find(identity).orElseThrow()))
                    .flatMap(Stream::ofNullable)
                    .toList();
            if (!warnings.isEmpty() && !maySo(warnings)) {
                return 2;
            }
            var goingOn = new GoingOn(store, pawl);
            for (var identity : jobs) {
                apply(pawl, pawl.find(identity).orElseThrow(), note.audit());
                var next = next(pawl.find(identity).orElseThrow(), goingOn);
                json.say(
                        identity + ": " + done() + " by " + note.audit().who() + (next.isEmpty() ? "" : "; " + next),
                        JsonOption.fields(
                                "job",
                                identity.toString(),
                                "did",
                                done(),
                                "by",
                                note.audit().who(),
                                "next",
                                next));
            }
            return 0;
        }
    }
}
