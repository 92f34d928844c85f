package dev.pawl.journal;

import dev.pawl.effect.Answer;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What attempts wrote, kept once. Much of what commands write is, letter by letter, their result, and that is recorded anyway: then the log is kept without a
 * text, and whoever reads it is given the result's.
 */
public final class Logs {

    private Logs() {}

    /** Whether what an attempt wrote says nothing that its result, as JSON, does not say. */
    public static boolean isSaidBy(String written, String result) {
        var text = written.endsWith("\n") ? written.substring(0, written.length() - 1) : written;
        // What is longer may have been cut.
        return !text.isEmpty() && written.length() < Entry.Logged.MOST_CHARS && text.equals(text(result));
    }

    /** A journal with the text of every log in it. */
    public static List<JournalLine> whole(List<JournalLine> journal) {
        return journal.stream()
                .map(line ->
                        line.entry() instanceof Entry.Logged log && log.text().isEmpty()
                                ? whole(line, log, journal)
                                : line)
                .toList();
    }

    private static JournalLine whole(JournalLine line, Entry.Logged log, List<JournalLine> journal) {
        return journal.stream()
                .filter(other -> other.resubmission() == line.resubmission())
                .map(other -> result(other.entry(), log))
                .filter(Objects::nonNull)
                .findFirst()
                .map(result -> new JournalLine(
                        line.seq(),
                        line.change(),
                        line.resubmission(),
                        line.at(),
                        new Entry.Logged(log.place(), log.number(), text(result) + "\n")))
                .orElse(line);
    }

    /** The result of the attempt that a log is of, when {@code entry} has it. */
    private static @Nullable String result(Entry entry, Entry.Logged log) {
        if (entry instanceof Entry.StepDone done && done.place().equals(log.place())) {
            return done.result();
        }
        return entry instanceof Entry.Answered answered
                        && answered.place().equals(log.place())
                        && answered.number() == log.number()
                        && answered.answer() instanceof Answer.Happened happened
                ? happened.result()
                : null;
    }

    /** A result as a command would have written it. */
    private static String text(String result) {
        try {
            var read = Json.tree(result);
            return read.isString() ? read.stringValue() : result;
        } catch (JsonMismatch e) {
            return result;
        }
    }
}
