package dev.pawl.desk;

import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.text.Visible;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a job's code has thrown, for whoever wrote that code. */
public final class TraceText {
    private TraceText() {}

    /** Each with the attempt that threw it, and its stack. */
    public static String of(List<JournalLine> journal) {
        var text = new StringBuilder();
        for (var line : journal) {
            if (line.entry() instanceof Entry.Threw threw) {
                text.append('\n')
                        .append(Words.shortly(line.at()))
                        .append("  ")
                        .append(where(threw))
                        .append(" threw\n")
                        .append(Visible.lines(threw.thrown().text()));
            }
        }
        return text.isEmpty() ? "nothing that its code has thrown is kept\n" : text.toString();
    }

    /** The same as fields. */
    public static List<Map<String, @Nullable Object>> fields(List<JournalLine> journal) {
        return journal.stream()
                .filter(line -> line.entry() instanceof Entry.Threw)
                .map(TraceText::fields)
                .toList();
    }

    private static Map<String, @Nullable Object> fields(JournalLine line) {
        var threw = (Entry.Threw) line.entry();
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("at", line.at());
        fields.put("place", threw.place());
        fields.put("attempt", threw.number() == Entry.Used.LOOK_UP ? null : threw.number());
        fields.put("thrown", threw.thrown());
        return fields;
    }

    private static String where(Entry.Threw threw) {
        var place = threw.place().name().isEmpty()
                ? "the workflow itself"
                : threw.place().toString();
        return place + ", " + JournalText.who(threw.number());
    }
}
