package dev.pawl.store;

import dev.pawl.list.Cursor;

/**
 * How far somebody has read what happened, for stores that number submissions, entries and endings.
 *
 * @param submitted the last submission
 * @param recorded the last entry of any journal
 * @param ended the last ending
 */
public record OccurrencePosition(long submitted, long recorded, long ended) {
    /** Before everything. */
    public static final OccurrencePosition START = new OccurrencePosition(0, 0, 0);

    /** After everything that there will ever be. */
    public static final OccurrencePosition END = new OccurrencePosition(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    /** The position that {@link #cursor} gave out. */
    public static OccurrencePosition of(Cursor cursor) {
        if (cursor.isStart()) {
            return START;
        }
        var numbers = cursor.numbers(3);
        return new OccurrencePosition(numbers[0], numbers[1], numbers[2]);
    }

    /** For somebody who goes on behind it. */
    public Cursor cursor() {
        return Cursor.of(submitted, recorded, ended);
    }
}
