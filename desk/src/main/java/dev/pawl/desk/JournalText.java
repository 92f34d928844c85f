package dev.pawl.desk;

import dev.pawl.cost.Cost;
import dev.pawl.effect.Answer;
import dev.pawl.failure.Thrown;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Turn;
import dev.pawl.text.EnumWords;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.Many;
import dev.pawl.text.Visible;
import dev.pawl.time.Durations;
import java.util.Locale;

/** A line of a journal in words. */
public final class JournalText {
    private JournalText() {}

    /** When, what, where, and what there is to say of it: on one line. */
    public static String of(JournalLine line) {
        var kind = EntryText.of(line.entry())
                .entryCode()
                .name()
                .toLowerCase(Locale.ROOT)
                .replace('_', ' ');
        return Visible.of(String.format(
                Locale.ROOT,
                "%s  %-15s %-16s %s",
                Words.shortly(line.at()),
                kind,
                line.entry().place(),
                words(line.entry())));
    }

    private static String used(Cost cost) {
        var tokens = cost.tokens().all();
        return (tokens == 0 ? "" : Many.of(tokens, "token") + ", ") + cost;
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
                        "attempt " + e.number() + " " + words(e.answer()) + ", says " + EnumWords.word(e.source());
                    case Entry.Duplicated e ->
                        "attempt " + e.number()
                                + (e.unheard()
                                        ? " may have been sent after others had ceased to wait for it; nobody heard what became of it"
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
                    case Entry.Used e -> who(e.number()) + ": " + used(Cost.of(e.uses(), e.wall()));
                    case Entry.Said e -> said(e.turn());
                    case Entry.Heard e -> "a signal made it look";
                    case Entry.LooksFail e -> e.why() == null ? "it can be looked at again" : e.why();
                    case Entry.Owes e -> "what it begins is awaited at " + e.awaited() + ", or ended";
                    case Entry.OwesNoMore ignored -> "nothing of it goes on that the job owes an end";
                    case Entry.RunsAs e -> "it goes on with version " + e.version() + " of its code";
                    case Entry.TracedAs e -> e.traceparent();
                    case Entry.Requested e -> "fingerprint " + e.fingerprint();
                    case Entry.Progressed e -> e.soFar().toString();
                    case Entry.ActEnded e -> "attempt " + e.number() + " has ended, and nobody knows how";
                    case Entry.Logged e ->
                        "attempt " + e.number() + " wrote " + Many.of(e.text().length(), "character");
                    case Entry.Threw e -> who(e.number()) + " threw " + firstLine(e.thrown());
                    case Entry.ArtifactKept e ->
                        e.artifact().mediaType() + ", " + Many.of(e.artifact().size(), "byte");
                });
    }

    private static String said(Turn turn) {
        var text = new StringBuilder(turn.role())
                .append(turn.answers() == null ? "" : " (answers " + turn.answers() + ")")
                .append(": ")
                .append(turn.record() == null ? turn.content() : "as recorded at " + turn.record());
        turn.toolCalls()
                .forEach(call ->
                        text.append(" → ").append(call.tool()).append(' ').append(call.arguments()));
        return text.toString();
    }

    static String who(int number) {
        return number == Entry.Used.LOOK_UP ? "a look-up" : "attempt " + number;
    }

    private static String firstLine(Thrown thrown) {
        return thrown.message() == null ? thrown.type() : thrown.type() + ": " + thrown.message();
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
