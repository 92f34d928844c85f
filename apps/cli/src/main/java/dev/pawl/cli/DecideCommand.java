package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Settling;
import dev.pawl.job.JobState;
import dev.pawl.journal.History;
import dev.pawl.json.Json;
import dev.pawl.store.Change;
import dev.pawl.store.Deciding;
import dev.pawl.store.StoredJob;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.Many;
import dev.pawl.time.Time;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
                    .map(name -> StoreOption.find(pawl, name))
                    .toList();
            var jobs = alike ? allAlike(pawl, named, verdict) : named;
            var decision = new Decision(verdict, said, evenNow, note.audit());
            jobs.forEach(job -> requireAsking(pawl, job, decision, jobs.size()));
            if (sure.asks()
                    && !sure.maySo(jobs.stream()
                            .map(job -> shown(pawl, jobs) + willHappen(job, verdict))
                            .toList())) {
                return 2;
            }
            var goingOn = new GoingOn(store, pawl);
            for (var job : jobs) {
                if (evenNow && waitsForAnAttempt(pawl, job)) {
                    pawl.hurry(job, true, note.audit());
                } else {
                    pawl.decide(job, decision);
                }
                var now = pawl.find(job.identity()).orElseThrow();
                var next = next(pawl, verdict, now, job) + (now.state().finished() ? "" : goingOn.whereNobodyDoes(now));
                json.say(
                        job.identity() + ": " + verdict.word() + ", by "
                                + note.audit().who() + "; " + next,
                        JsonOption.fields(
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

    /** Refuses all when this answer is none to one of them, as it was seen. */
    private void requireAsking(Pawl pawl, StoredJob job, Decision decision, int jobs) {
        var question = job.outcome().question();
        if (question != null) {
            Refusal.unlessNone(Deciding.objection(job, new Change.Decide(job.id(), 0, question.id(), decision)), jobs);
        } else if (!evenNow || !waitsForAnAttempt(pawl, job)) {
            // What asks nothing says why it does not.
            pawl.decide(job, decision);
        }
    }

    /** All that ask what the one asks that was named; tells which, and refuses when they are not as many as expected. */
    private List<StoredJob> allAlike(Pawl pawl, List<StoredJob> named, Verdict verdict) {
        if (named.size() != 1) {
            throw new IllegalArgumentException("--alike takes one job, and answers all that ask the same");
        }
        var jobs = AskingAlike.as(pawl, named.getFirst());
        if (!sure.asks()) {
            jobs.forEach(job -> Words.warn(willHappen(job, verdict)));
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
        return jobs.size() == 1 ? new EvidenceScreen(store, pawl).of(jobs.getFirst()) : "";
    }

    /** What the job asks, and what this answer does. */
    private static String willHappen(StoredJob job, Verdict verdict) {
        var question = job.outcome().question();
        if (question == null) {
            return job.identity() + " is " + job.state() + " and asks nothing";
        }
        var answers = job.standing().cancelling()
                ? question.kind().answersOnceCalledOff()
                : question.kind().answers();
        return job.identity() + " asks about " + question.place() + ": "
                + Words.cut(LocalTimeText.within(question.because())) + "\n  "
                + verdict.word() + ": " + answers.getOrDefault(verdict, "is no answer to that");
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

    /** What becomes of the job now that it was answered. */
    private String next(Pawl pawl, Verdict verdict, StoredJob now, StoredJob asked) {
        if (now.state().finished()) {
            return "it has ended";
        }
        var question = asked.outcome().question();
        var waits = verdict == Verdict.RETRY
                && !evenNow
                && question != null
                && question.kind().closedByAnswer();
        var until = waits ? landsUntil(pawl, asked, Objects.requireNonNull(question)) : null;
        var workflow = GoingOn.called(asked.identity().workflow());
        return (now.standing().cancelling() ? "it ends" : "whoever works " + workflow + " goes on with it")
                + (until == null
                        ? ""
                        : " once no earlier attempt can still land, at " + Words.local(until)
                                + "; said again with --even-now, at once");
    }

    /** Whether a person has said "retry" to a job, and it waits until no earlier attempt can land. */
    private static boolean waitsForAnAttempt(Pawl pawl, StoredJob job) {
        return (job.state() == JobState.WAITING || job.state() == JobState.READY)
                && History.of(pawl.journal(job), job.standing().resubmission()).inDoubt().stream()
                        .anyMatch(effect -> effect.retry() != null);
    }

    /** Until when an attempt may still land that the question is about; null when none can. */
    private static @Nullable Instant landsUntil(Pawl pawl, StoredJob asked, Question question) {
        var history =
                History.of(pawl.journal(asked), asked.standing().resubmission()).at(question.place());
        if (history == null || history.open().isEmpty()) {
            return null;
        }
        var until = Settling.settledFrom(history.open());
        return until.isAfter(Time.system().now()) ? until : null;
    }
}
