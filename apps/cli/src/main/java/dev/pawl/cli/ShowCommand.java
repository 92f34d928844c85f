package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.cost.Cost;
import dev.pawl.decision.Question;
import dev.pawl.effect.Answer;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.json.Json;
import dev.pawl.store.StoredJob;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.Visible;
import dev.pawl.text.WithoutPasswords;
import dev.pawl.time.Durations;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl show JOB}: what happened to a job, what it asks, and the next command. */
@Command(
        name = "show",
        description = "Show a job's history and what it asks. Example: pawl show daily-blog-pr/2026-04-12",
        mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Parameters(paramLabel = "JOB", description = "WORKFLOW/KEY")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Option(names = "--json", description = "The job's envelope, as one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        try (var pawl = store.look()) {
            var job = StoreOption.find(pawl, name);
            if (json) {
                System.out.println(Visible.of(Json.write(fields(pawl, job))));
                return 0;
            }
            var screen = Screen.ours();
            System.out.println(screen.fit(Visible.of(heading(job)), job.state()));
            System.out.println("number " + job.id() + ", cost " + pawl.cost(job) + ", times in "
                    + ZoneId.systemDefault().getId());
            for (var line : pawl.journal(job)) {
                var kind = EntryText.of(line.entry())
                        .entryCode()
                        .name()
                        .toLowerCase(Locale.ROOT)
                        .replace('_', ' ');
                System.out.println(screen.fit(Visible.of(String.format(
                        Locale.ROOT,
                        "%s  %-15s %-16s %s",
                        Words.shortly(line.at()),
                        kind,
                        line.entry().place(),
                        words(line.entry())))));
            }
            if (job.outcome().result() != null) {
                System.out.println("result " + Words.cut(job.outcome().result()));
            }
            System.out.print(new EvidenceScreen(store, pawl).of(job));
            var outcome = job.outcome();
            if (outcome.question() != null) {
                System.out.println(question(outcome.question(), job, pawl.storeOption()));
            }
            if (outcome.failure() != null) {
                System.out.println(Words.of(outcome.failure()));
                System.out.println("  pawl retry " + job.identity() + " --note WHY" + pawl.storeOption()
                        + "    try again, with a new budget; what is recorded stays so");
                System.out.println("  pawl resubmit " + job.identity() + " --note WHY" + pawl.storeOption()
                        + "    do all of it again, from the start");
                System.out.println(
                        "  pawl discard " + job.identity() + " --note WHY" + pawl.storeOption() + "    give it up");
            }
            return 0;
        }
    }

    /** The envelope, and what people are shown besides. */
    private Map<String, @Nullable Object> fields(Pawl pawl, StoredJob job) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        Json.tree(Json.write(pawl.envelope(job)))
                .properties()
                .forEach(field -> fields.put(field.getKey(), field.getValue()));
        fields.put("why", JobsCommand.why(job).strip());
        var question = job.outcome().question();
        fields.put("question", question == null ? null : fields(question, job));
        fields.put("evidence", new EvidenceScreen(store, pawl).fields(job));
        return fields;
    }

    private static Map<String, @Nullable Object> fields(Question question, StoredJob job) {
        var answers = new LinkedHashMap<String, String>();
        (job.standing().cancelling()
                        ? question.kind().answersOnceCalledOff()
                        : question.kind().answers())
                .forEach((verdict, does) -> answers.put(verdict.word(), does));
        return JsonOption.fields(
                "kind",
                question.kind(),
                "place",
                question.place().toString(),
                "why",
                WithoutPasswords.of(question.because()),
                "since",
                job.standing().times().changed(),
                "until",
                job.standing().times().due(),
                "answers",
                answers);
    }

    private static String heading(StoredJob job) {
        var due = job.standing().times().due();
        var gate = job.outcome().gate();
        var workflow = job.identity().workflow();
        var heading = job.identity()
                + (GoingOn.isOfGuard(workflow) ? ", of " + GoingOn.called(workflow) + "," : "") + " is " + job.state()
                + ", resubmission "
                + job.standing().resubmission();
        if (job.standing().cancelling() && !job.state().finished()) {
            heading += ", called off";
        }
        var principal = job.given().handling().principal();
        if (!principal.isEmpty()) {
            heading += ", for " + Words.cut(principal);
        }
        if (gate != null) {
            return heading + ", waits at gate " + gate + "; \"pawl gates\" says why";
        }
        if (due == null) {
            return heading;
        }
        return job.standing().cancelling()
                ? heading + ", ends from " + Words.local(due) + " on"
                : heading + ", goes on from " + Words.local(due) + " where its workflow is worked"
                        + (principal.isEmpty() ? "" : " for " + Words.cut(principal));
    }

    /** What a job asks, and what each answer does to it as it stands: one that was called off ends. */
    static String question(Question question, StoredJob job, String store) {
        return job.standing().cancelling()
                ? question.textOnceCalledOff(job.identity(), store)
                : question.text(job.identity(), store);
    }

    private static String used(Cost cost) {
        var tokens = cost.tokens().all();
        return (tokens == 0 ? "" : tokens + " tokens, ") + cost;
    }

    /** What an entry says, for people. */
    private static String words(Entry entry) {
        return Words.cut(
                switch (entry) {
                    case Entry.StepDone e -> e.result();
                    case Entry.Noted e -> e.value();
                    case Entry.StepTried e ->
                        "attempt " + e.number() + ": " + e.failure().message();
                    case Entry.GaveUp e -> e.failure().message();
                    case Entry.Intended e ->
                        "attempt " + e.number() + ", contract " + e.terms() + ", may send for "
                                + Durations.text(e.lasts())
                                + (e.notes().by() == null
                                        ? ""
                                        : ", by " + e.notes().by());
                    case Entry.Answered e ->
                        "attempt " + e.number() + " " + words(e.answer()) + ", says "
                                + e.source().name().toLowerCase(Locale.ROOT);
                    case Entry.Duplicated e ->
                        "attempt " + e.number()
                                + (e.unheard()
                                        ? " may have been sent after it was taken for not happened; nobody heard what became of it"
                                        : " happened too");
                    case Entry.CouldNotTell e -> e.why();
                    case Entry.ToldToAskAgain e -> "after " + Durations.text(e.after());
                    case Entry.Asked e -> LocalTimeText.within(e.question().because());
                    case Entry.Decided e ->
                        e.decision().verdict().word() + (e.decision().evenNow() ? " --even-now" : "") + " by "
                                + e.decision().audit().text();
                    case Entry.Released e ->
                        e.why() + (e.after().isZero() ? "" : "; again after " + Durations.text(e.after()));
                    case Entry.OwnerGone e ->
                        (e.known() ? "its process is gone" : "its beat stood still") + ", strikes " + e.strikes();
                    case Entry.Accounted e -> "what whoever is gone has used is known";
                    case Entry.Retried e -> e.audit().text();
                    case Entry.Resubmitted e -> e.audit().text();
                    case Entry.Discarded e -> e.audit().text();
                    case Entry.Waits e -> "for " + Durations.text(e.longest());
                    case Entry.TimeUp e -> "its time was up";
                    case Entry.Delivered e ->
                        e.message().kind() + " " + e.message().name() + " "
                                + e.message().id() + " " + e.message().payload();
                    case Entry.Received e -> "";
                    case Entry.ApprovalWanted e -> "within " + Durations.text(e.expires());
                    case Entry.Called e -> e.child().toString();
                    case Entry.CancelAsked e -> e.audit().text();
                    case Entry.Used e -> who(e) + ": " + used(Cost.of(e.uses(), e.wall()));
                    case Entry.Said e -> e.turn().role() + ": " + e.turn().content();
                    case Entry.ActEnded e -> "attempt " + e.number() + " has ended, and nobody knows how";
                    case Entry.Logged e ->
                        "attempt " + e.number() + " wrote " + e.text().length() + " characters";
                    case Entry.ArtifactKept e ->
                        e.artifact().mediaType() + ", " + e.artifact().size() + " bytes";
                });
    }

    private static String who(Entry.Used used) {
        return used.number() == Entry.Used.LOOK_UP ? "a look-up" : "attempt " + used.number();
    }

    private static String words(Answer answer) {
        return switch (answer) {
            case Answer.Happened a -> a.kept() ? "happened: " + a.result() : "happened, and its result was not kept";
            case Answer.DidNotHappen a -> "did not happen: " + a.why().message();
            case Answer.Waived a -> "is left in doubt on the word of " + a.by();
            case Answer.Late ignored -> "is in doubt: it may have been sent after its time";
        };
    }
}
