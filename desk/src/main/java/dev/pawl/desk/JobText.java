package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.decision.Question;
import dev.pawl.decision.Verdict;
import dev.pawl.job.JobState;
import dev.pawl.journal.JournalLine;
import dev.pawl.json.Json;
import dev.pawl.look.Envelope;
import dev.pawl.look.JobSummary;
import dev.pawl.look.JobView;
import dev.pawl.look.StoredJob;
import dev.pawl.text.Many;
import dev.pawl.text.Visible;
import dev.pawl.text.WithoutPasswords;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A job in words: what it is, why it is where it is, what it asks, and what to type next. */
public final class JobText {
    private JobText() {}

    /** A job in one line: its number, its state, its name, and why it is where it is. */
    public static String line(JobView job) {
        return Visible.of(String.format(Locale.ROOT, "%6d %-9s %s%s", job.id(), job.state(), job.identity(), why(job)));
    }

    /** Why a job is where it is, as far as that needs saying. */
    public static String why(JobView job) {
        var outcome = job.outcome();
        var why = new StringBuilder();
        if (job.standing().cancelling() && !job.state().finished()) {
            why.append("  called off");
        }
        if (outcome.question() != null) {
            why.append("  asks about ")
                    .append(Visible.of(outcome.question().place().toString()));
        } else if (outcome.gate() != null) {
            why.append("  waits at gate ").append(Visible.of(outcome.gate()));
        } else if (outcome.failure() != null) {
            why.append("  ").append(Words.of(outcome.failure()));
        }
        if (job.state() == JobState.FAILED && job.standing().owes() > 0) {
            why.append("; ").append(left(job));
        }
        return why.toString();
    }

    /** What a failed job has left. */
    private static String left(JobView job) {
        return Many.of(job.standing().owes(), "thing", "things") + " that it began "
                + (job.standing().owes() == 1 ? "goes" : "go") + " on elsewhere";
    }

    /** What it is, for whom, and when it goes on. */
    public static String heading(StoredJob job) {
        var due = job.standing().times().due();
        var gate = job.outcome().gate();
        var workflow = job.identity().workflow();
        var heading = job.identity()
                + (WorkflowNames.isOfGuard(workflow) ? ", of " + WorkflowNames.called(workflow) + "," : "") + " is "
                + job.state()
                + ", resubmission "
                + job.standing().resubmission();
        if (job.standing().cancelling() && !job.state().finished()) {
            heading += ", called off";
        }
        if (job.standing().owes() > 0) {
            heading += job.state() == JobState.FAILED
                    ? "; " + left(job)
                    : job.standing().cancelling() ? "; it ends first what it began elsewhere" : "";
        }
        var principal = job.given().handling().principal();
        if (!principal.isEmpty()) {
            heading += ", for " + Words.cut(principal);
        }
        var version = job.given().handling().version();
        if (!version.isEmpty()) {
            heading += ", of version " + version;
        }
        if (gate != null) {
            return heading + ", waits at gate " + gate + "; \"pawl gates\" says why";
        }
        if (due == null) {
            return heading;
        }
        return job.standing().cancelling() && job.standing().owes() == 0
                ? heading + ", ends from " + Words.local(due) + " on"
                : heading + ", goes on from " + Words.local(due) + " where its workflow is worked"
                        + (principal.isEmpty() ? "" : " for " + Words.cut(principal));
    }

    /** How far it has come, as its code said last, and when; empty when it did not. */
    public static String progress(Envelope envelope) {
        return envelope.progress() == null || envelope.progressAt() == null
                ? ""
                : "so far: " + Words.cut(envelope.progress().toString()) + ", said at "
                        + Words.local(envelope.progressAt());
    }

    /** What each answer to a question does to a job as it stands: one that was called off ends. */
    static Map<Verdict, String> answers(StoredJob job, Question question) {
        return job.standing().cancelling()
                ? question.kind().answersOnceCalledOff()
                : question.kind().answers();
    }

    /** What a job asks, and what each answer does to it as it stands: one that was called off ends. */
    public static String question(Question question, StoredJob job, String store) {
        return job.standing().cancelling()
                ? question.textOnceCalledOff(job.identity(), store)
                : question.text(job.identity(), store);
    }

    /** What to type about a job that has failed, each with what it does. */
    public static List<String> movesAfterFailure(StoredJob job, String store) {
        if (job.standing().owes() > 0) {
            var failedAt = job.outcome().failure();
            var notEnded = failedAt != null && failedAt.failure().isNotEnded();
            return List.of(
                    "pawl retry " + job.identity() + " --note WHY" + store
                            + (notEnded || job.standing().cancelling()
                                    ? "    try again to end what it began elsewhere"
                                    : "    try again, with a new budget: what it began elsewhere is awaited, and what is recorded stays so"),
                    "pawl discard " + job.identity() + " --note WHY" + store
                            + (notEnded
                                    ? "    give it up, and what it began elsewhere with it: end that by hand"
                                    : "    end what it began elsewhere, then give it up"));
        }
        return List.of(
                "pawl retry " + job.identity() + " --note WHY" + store
                        + "    try again, with a new budget; what is recorded stays so",
                "pawl resubmit " + job.identity() + " --note WHY" + store + "    do all of it again, from the start",
                "pawl discard " + job.identity() + " --note WHY" + store + "    give it up");
    }

    /** The envelope, with the reason why it is where it is; for machines. */
    public static Map<String, @Nullable Object> envelope(Pawl pawl, StoredJob job) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        Json.tree(Json.write(pawl.operator().envelope(job)))
                .properties()
                .forEach(field -> fields.put(field.getKey(), field.getValue()));
        fields.put("why", why(job).strip());
        fields.put("traceparent", job.handling().traceparent());
        fields.put("owes", job.standing().owes());
        return fields;
    }

    /** The envelope, with what it asks; for machines. */
    public static Map<String, @Nullable Object> fields(Pawl pawl, StoredJob job) {
        var fields = envelope(pawl, job);
        var question = job.outcome().question();
        fields.put("question", question == null ? null : fields(question, job, since(pawl, question, job)));
        return fields;
    }

    /** Since when a job of a list asks what it asks. */
    static Instant askedSince(Pawl pawl, JobSummary asking) {
        var question = asking.outcome().question();
        return pawl.find(asking.id())
                .filter(job -> question != null && question.equals(job.outcome().question()))
                .map(job -> since(pawl, Objects.requireNonNull(question), job))
                .orElse(asking.standing().times().changed());
    }

    /** Since when it asks: what goes on elsewhere is looked at meanwhile, and the question stands. */
    private static Instant since(Pawl pawl, Question question, StoredJob job) {
        return pawl.journal(job).stream()
                .filter(line -> line.change() == question.id())
                .map(JournalLine::at)
                .findFirst()
                .orElse(job.standing().times().changed());
    }

    private static Map<String, @Nullable Object> fields(Question question, StoredJob job, Instant since) {
        var answers = new LinkedHashMap<String, String>();
        answers(job, question).forEach((verdict, does) -> answers.put(verdict.word(), does));
        return Fields.of(
                "kind",
                question.kind(),
                "place",
                question.place().toString(),
                "why",
                WithoutPasswords.of(question.because()),
                "since",
                since,
                "until",
                job.standing().times().due(),
                "answers",
                answers);
    }
}
