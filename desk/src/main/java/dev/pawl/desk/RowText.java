package dev.pawl.desk;

import dev.pawl.ledger.AttemptState;
import dev.pawl.ledger.ListedRow;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowHistory;
import dev.pawl.ledger.RowState;
import dev.pawl.text.EnumWords;
import dev.pawl.text.LocalTimeText;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of the ledger for people. */
public final class RowText {
    private RowText() {}

    /** How rows stand: {@code succeeded 98, permanent 2 (blocked)}. */
    public static String counts(List<RowCount> counts) {
        return counts.stream()
                .map(count -> word(count.state()) + " " + count.many()
                        + (count.because().isEmpty() && !count.dealtWith() ? "" : " (" + standing(count) + ")"))
                .collect(Collectors.joining(", "));
    }

    private static String standing(RowCount count) {
        return count.because() + (count.dealtWith() ? (count.because().isEmpty() ? "" : ", ") + "dealt with" : "");
    }

    /** A row on one line. */
    public static String of(ListedRow listed) {
        var row = listed.row();
        var standing = row.standing();
        return row.key() + " " + word(row.state())
                + (standing.because().isEmpty() ? "" : " (" + standing.because() + ")")
                + (standing.dealtWith() ? ", dealt with" : "")
                + (row.generation() == 1 ? "" : ", generation " + row.generation())
                + ", " + Words.many(row.tries().made(), "attempt")
                + (row.tries().openIn() == null
                        ? ""
                        : ", open in part " + row.tries().openIn())
                + (listed.payload() == null ? "" : "\n  sent: " + Words.cut(listed.payload()))
                + (listed.result() == null ? "" : "\n  result: " + Words.cut(listed.result()));
    }

    /** Everything that is known of a row. */
    public static String of(RowHistory history) {
        var text = new StringBuilder(of(history.listed()));
        for (var attempt : history.tries()) {
            var ended = attempt.ended();
            text.append("\n  attempt ")
                    .append(attempt.number())
                    .append(attempt.generation() == 1 ? "" : " of generation " + attempt.generation())
                    .append(attempt.part().isEmpty() ? ", given by a person" : " in part " + attempt.part())
                    .append(", ")
                    .append(LocalTimeText.of(attempt.opened()))
                    .append(": ")
                    .append(
                            ended.known() == AttemptState.OPEN
                                    ? "nothing is known of it yet"
                                    : EnumWords.word(ended.known()))
                    .append(ended.because().isEmpty() ? "" : " (" + ended.because() + ")")
                    .append(ended.why().isEmpty() ? "" : ", " + Words.harmless(ended.why()))
                    .append(ended.use() == null ? "" : ", used " + Words.cut(ended.use()));
        }
        for (var said : history.said()) {
            text.append("\n  ")
                    .append(said.who())
                    .append(" said \"")
                    .append(said.word())
                    .append("\", ")
                    .append(LocalTimeText.of(said.at()))
                    .append(": ")
                    .append(Words.harmless(said.why()));
        }
        return text.toString();
    }

    private static String word(RowState rowState) {
        return EnumWords.word(rowState);
    }
}
