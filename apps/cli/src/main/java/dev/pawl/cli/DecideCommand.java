package dev.pawl.cli;

import dev.pawl.decision.Decision;
import dev.pawl.decision.Verdict;
import dev.pawl.json.Json;
import dev.pawl.store.StoredJob;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl decide JOB VERDICT}: answers the question a job asks. */
@Command(
        name = "decide",
        description =
                "Answer a job's question. Example: pawl decide announce/1 done --result '\"url\"' --note 'I see it'",
        mixinStandardHelpOptions = true)
final class DecideCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private NoteOption note;

    @Parameters(
            arity = "2..*",
            paramLabel = "JOB… VERDICT",
            description = "WORKFLOW/KEY, several, or - for stdin; then done, retry, skip, fail, approve or deny;"
                    + " \"pawl show JOB\" says what each will do")
    @SuppressWarnings("NullAway.Init")
    private List<String> words;

    @Option(names = "--result", paramLabel = "JSON", description = "The effect's result, with done.")
    private @Nullable String result;

    @Option(names = "--even-now", description = "With retry: do not wait until earlier attempts can no longer land.")
    private boolean evenNow;

    @Override
    public Integer call() {
        var verdict = Verdict.parse(words.getLast());
        var said = result == null ? null : Json.canonical(result);
        refuseWhatDoesNotFit(verdict);
        try (var pawl = store.open()) {
            for (var name : JobNames.of(words.subList(0, words.size() - 1))) {
                var job = StoreOption.find(pawl, name);
                pawl.decide(job, new Decision(verdict, said, evenNow, note.audit()));
                System.out.println(job.identity() + ": " + verdict.word() + ", by "
                        + note.audit().who() + "; " + next(verdict, StoreOption.find(pawl, name), job));
            }
            return 0;
        }
    }

    private void refuseWhatDoesNotFit(Verdict verdict) {
        if (verdict == Verdict.DONE && result == null) {
            throw new IllegalArgumentException(
                    "say with --result what the effect returned, as JSON; --result null if it returns nothing");
        }
        if (result != null && verdict != Verdict.DONE) {
            throw new IllegalArgumentException("--result goes with done, not with " + verdict.word());
        }
        if (evenNow && verdict != Verdict.RETRY) {
            throw new IllegalArgumentException("--even-now goes with retry, not with " + verdict.word());
        }
    }

    /** What becomes of the job now that it was answered. */
    private String next(Verdict verdict, StoredJob now, StoredJob asked) {
        if (now.state().finished()) {
            return "it has ended";
        }
        var question = asked.outcome().question();
        var waits = verdict == Verdict.RETRY
                && !evenNow
                && question != null
                && question.kind().closedByAnswer();
        var workflow = asked.identity().workflow();
        return (now.standing().cancelling() ? "it ends" : "whoever works " + workflow + " goes on with it")
                + (waits ? " once no earlier attempt can still land" : "");
    }
}
