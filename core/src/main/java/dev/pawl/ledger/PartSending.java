package dev.pawl.ledger;

import java.util.List;

/**
 * What is sent together, or the part of it that one commit takes.
 *
 * @param collection whose rows
 * @param part under which; it is made with its first rows
 * @param rows as they were seen, each once
 * @param mostAttempts so many attempts of a row count at the most
 */
public record PartSending(String collection, String part, List<RowRef> rows, int mostAttempts) {
    /** So many rows one commit has at the most. */
    public static final int MOST_ROWS = 1_000;

    public PartSending {
        LedgerPart.checkName(part);
        rows = List.copyOf(rows);
        if (rows.isEmpty() || rows.size() > MOST_ROWS || mostAttempts < 1) {
            throw new IllegalArgumentException("1 to 1,000 rows are sent at once, each once at least, not "
                    + rows.size() + " rows " + mostAttempts + " times");
        }
    }
}
