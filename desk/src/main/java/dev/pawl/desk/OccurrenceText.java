package dev.pawl.desk;

import dev.pawl.journal.EntryText;
import dev.pawl.look.Occurrence;
import dev.pawl.text.Visible;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What happened to a job, in words. */
public final class OccurrenceText {
    private OccurrenceText() {}

    /** On one line: which job, and what happened to it. */
    public static String of(Occurrence occurrence) {
        return Visible.of(occurrence.identity() + "  "
                + switch (occurrence.what()) {
                    case Occurrence.What.Submitted ignored -> "submitted";
                    case Occurrence.What.Recorded recorded -> JournalText.of(recorded.line());
                    case Occurrence.What.Ended ended -> ended.state().word();
                });
    }

    /** For machines. */
    public static Map<String, @Nullable Object> fields(Occurrence occurrence) {
        var fields = Fields.of(
                "cursor", occurrence.cursor().text(),
                "job", occurrence.identity().toString(),
                "what", what(occurrence.what()));
        if (occurrence.what() instanceof Occurrence.What.Recorded recorded) {
            fields.put("place", recorded.line().entry().place().toString());
            fields.put("at", recorded.line().at());
        }
        return fields;
    }

    private static String what(Occurrence.What what) {
        return switch (what) {
            case Occurrence.What.Submitted ignored -> "submitted";
            case Occurrence.What.Recorded recorded ->
                EntryText.of(recorded.line().entry()).entryCode().name().toLowerCase(Locale.ROOT);
            case Occurrence.What.Ended ended -> ended.state().word();
        };
    }
}
