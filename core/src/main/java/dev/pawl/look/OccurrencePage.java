package dev.pawl.look;

import dev.pawl.list.Cursor;
import java.util.List;

/**
 * Part of what happened. Where only some of it was asked for, it may have fewer than that, or none, and still not be the last.
 *
 * @param occurrences in their order
 * @param next where to go on
 * @param more whether something lies behind it already
 */
public record OccurrencePage(List<Occurrence> occurrences, Cursor next, boolean more) {
    public OccurrencePage {
        occurrences = List.copyOf(occurrences);
    }
}
