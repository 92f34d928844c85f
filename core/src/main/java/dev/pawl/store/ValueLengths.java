package dev.pawl.store;

import dev.pawl.effect.Answer;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowWord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long the values are that a change brings. Pure. */
final class ValueLengths {
    private ValueLengths() {}

    /** How many characters the longest of them has. */
    static long longest(Change change) {
        return switch (change) {
            case Change.SubmitJob submit -> submit.input().length();
            case Change.Owned owned -> Math.max(ofEntries(owned.entries()), ofOwned(owned));
            case Change.AnswerAttempt answer ->
                answer.answer() instanceof Answer.Happened happened ? length(happened.result()) : 0;
            case Change.Decide decide -> length(decide.decision().result());
            case Change.Deliver deliver -> deliver.message().payload().length();
            case Change.EnrolRows enrol ->
                enrol.rows().stream()
                        .mapToLong(row -> row.payload().length())
                        .max()
                        .orElse(0);
            case Change.ReconcileRows reconcile ->
                reconcile.answers().stream()
                        .mapToLong(RowAnswer::characters)
                        .max()
                        .orElse(0);
            case Change.SayOfRows say -> ofWord(say.word());
            case Change.NotePart note -> note.provider().length();
            default -> 0;
        };
    }

    private static long ofWord(RowWord word) {
        return word instanceof RowWord.Accept accept ? accept.result().length() : 0;
    }

    private static long ofOwned(Change.Owned owned) {
        return switch (owned) {
            case Change.FinishJob finish ->
                finish.ending() instanceof Change.FinishJob.FinalState.Done done
                        ? done.result().length()
                        : 0;
            case Change.CallIfOwned call -> call.call().given().input().length();
            case Change.KeepArtifactIfOwned keep -> keep.bytes().toArray().length;
            default -> 0;
        };
    }

    private static long ofEntries(List<Entry> entries) {
        var longest = 0L;
        for (var entry : entries) {
            longest = Math.max(longest, EntryText.of(entry).body().length());
        }
        return longest;
    }

    private static long length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
