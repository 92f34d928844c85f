package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Verdict;
import dev.pawl.desk.AskingAlike;
import dev.pawl.desk.EvidenceText;
import dev.pawl.desk.Fields;
import dev.pawl.desk.GoingOn;
import dev.pawl.desk.JobLookup;
import dev.pawl.desk.PersonsAnswer;
import dev.pawl.json.Json;
import dev.pawl.look.StoredJob;
import dev.pawl.text.Many;
import java.io.IOException;
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

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private SureOption sure;

    @Parameters(
            arity = "2..*",
            paramLabel = "JOB… VERDICT",
            hideParamSyntax = true,
            description = "WORKFLOW/KEY, several, or - for stdin; then done, retry, skip, fail, approve or deny;"
                    + " \"pawl show JOB\" says what each will do")
    @SuppressWarnings("NullAway.Init")
    private List<String> words;

    @Option(names = "--result", paramLabel = "JSON", description = "The effect's result, with done.")
    private @Nullable String result;

    @Option(names = "--even-now", description = "With retry: do not wait until earlier attempts can no longer land.")
    private boolean evenNow;

    @Option(
            names = "--alike",
            description =
                    "Also every other job that asks the same: of the same workflow, about the same, for the same reason.")
    private boolean alike;

    @Option(
            names = "--expect",
            paramLabel = "N",
            description = "With --alike: how many are answered; if there are more or fewer, nothing is done.")
    private @Nullable Integer expected;

    @Override
    public Integer call() throws IOException {
        InsideCommand.refuseToAnswer();
        var verdict = Verdict.parse(words.getLast());
        var said = result == null ? null : Json.canonical(Json.exact(result));
        refuseWhatDoesNotFit(verdict);
        try (var pawl = store.open()) {
            var named = JobNames.of(words.subList(0, words.size() - 1)).stream()
                    .map(name -> JobLookup.find(pawl, name))
                    .toList();
            var jobs = alike ? allAlike(pawl, named, verdict) : named;
            var answer = new PersonsAnswer(new Decision(verdict, said, evenNow, note.audit()));
            answer.requireFitting(pawl, jobs);
            if (sure.asks()
                    && !sure.maySo(jobs.stream()
                            .map(job -> shown(pawl, jobs) + PersonsAnswer.willHappen(job, verdict))
                            .toList())) {
                return 2;
            }
            var goingOn = new GoingOn(new TypedHere(store, pawl), pawl);
            for (var job : jobs) {
                var next = answer.to(pawl, job, goingOn);
                json.say(
                        job.identity() + ": " + verdict.word() + ", by "
                                + note.audit().who() + "; " + next,
                        Fields.of(
                                "job",
                                job.identity().toString(),
                                "verdict",
                                verdict.word(),
                                "by",
                                note.audit().who(),
                                "next",
                                next));
            }
            return 0;
        }
    }

    /** All that ask what the one asks that was named; tells which, and refuses when they are not as many as expected. */
    private List<StoredJob> allAlike(Pawl pawl, List<StoredJob> named, Verdict verdict) {
        if (named.size() != 1) {
            throw new IllegalArgumentException("--alike takes one job, and answers all that ask the same");
        }
        var jobs = AskingAlike.as(pawl, named.getFirst());
        if (!sure.asks()) {
            jobs.forEach(job -> Warnings.say(PersonsAnswer.willHappen(job, verdict)));
        }
        if (expected == null ? !sure.asks() : expected != jobs.size()) {
            throw new IllegalArgumentException(Many.of(jobs.size(), "job asks", "jobs ask") + " alike"
                    + (expected == null ? "" : ", not " + expected) + "; nothing was done. Where nobody is asked, say"
                    + " --expect " + jobs.size() + " if that is what you want");
        }
        return jobs;
    }

    /** What is needed to look, of one job; of many that is for {@code show} to say. */
    private String shown(Pawl pawl, List<StoredJob> jobs) {
        return jobs.size() == 1 ? new EvidenceText(new TypedHere(store, pawl), pawl).of(jobs.getFirst()) : "";
    }

    private void refuseWhatDoesNotFit(Verdict verdict) {
        if (verdict == Verdict.DONE && result == null) {
            throw new IllegalArgumentException(
                    "say with --result what the effect returned, as JSON; --result null if it returns nothing");
        }
        if (result != null && verdict != Verdict.DONE) {
            throw new IllegalArgumentException("--result goes with done, not with " + verdict.word());
        }
        if (expected != null && !alike) {
            throw new IllegalArgumentException("--expect goes with --alike");
        }
        if (evenNow && verdict != Verdict.RETRY) {
            throw new IllegalArgumentException("--even-now goes with retry, not with " + verdict.word());
        }
    }
}
