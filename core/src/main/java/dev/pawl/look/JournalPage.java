package dev.pawl.look;

import dev.pawl.journal.JournalLine;
import dev.pawl.list.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a job's journal, all its resubmissions.
 *
 * @param lines in the order that was asked for
 * @param next where to go on; null when there is nothing more
 */
public record JournalPage(List<JournalLine> lines, @Nullable Cursor next) {
    public JournalPage {
        lines = List.copyOf(lines);
    }
}
