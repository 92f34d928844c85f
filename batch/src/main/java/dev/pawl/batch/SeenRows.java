package dev.pawl.batch;

import java.util.HexFormat;
import java.util.function.Consumer;

/**
 * The rows that were seen, by their hashes: which key on which line, and whether another row has the same one. A million of them take some 70
 * megabytes. Not thread-safe.
 */
final class SeenRows {
    private static final int FIRST_ROOM = 1 << 10;

    private long[] high = new long[FIRST_ROOM];
    private long[] low = new long[FIRST_ROOM];
    private long[] content = new long[FIRST_ROOM];
    private long[] line = new long[FIRST_ROOM];
    private boolean[] pending = new boolean[FIRST_ROOM];
    private int size;

    /** Notes a row. Returns the line of the row that has the same key, or 0 when there was none. */
    long add(String hash, long rowHash, long at) {
        if (size * 2 >= high.length) {
            grow();
        }
        var first = Long.parseUnsignedLong(hash, 0, 16, 16);
        var second = Long.parseUnsignedLong(hash, 16, 32, 16);
        var slot = slot(first, second);
        if (line[slot] != 0) {
            return line[slot];
        }
        high[slot] = first;
        low[slot] = second;
        content[slot] = rowHash;
        line[slot] = at;
        size++;
        return 0;
    }

    /** Whether the row that was seen with this key says the same. */
    boolean sameRow(String hash, long rowHash) {
        return content[slotOf(hash)] == rowHash;
    }

    /** Whether a row with this key was seen, and said the same. */
    boolean saw(String hash, long rowHash) {
        var slot = slotOf(hash);
        return line[slot] != 0 && content[slot] == rowHash;
    }

    /** Whether a row with this key was seen. */
    boolean has(String hash) {
        return line[slotOf(hash)] != 0;
    }

    /** Something is left to do for it. */
    void leave(String hash) {
        pending[slotOf(hash)] = true;
    }

    /** Whether something is left to do for it. */
    boolean isLeft(String hash) {
        var slot = slotOf(hash);
        return line[slot] != 0 && pending[slot];
    }

    /** All for which something is left to do, in no order. */
    void eachLeft(Consumer<String> each) {
        var hex = HexFormat.of();
        for (var slot = 0; slot < line.length; slot++) {
            if (pending[slot]) {
                each.accept(hex.toHexDigits(high[slot]) + hex.toHexDigits(low[slot]));
            }
        }
    }

    private int slotOf(String hash) {
        return slot(Long.parseUnsignedLong(hash, 0, 16, 16), Long.parseUnsignedLong(hash, 16, 32, 16));
    }

    private int slot(long first, long second) {
        var mask = high.length - 1;
        var slot = (int) first & mask;
        while (line[slot] != 0 && (high[slot] != first || low[slot] != second)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        var oldHigh = high;
        var oldLow = low;
        var oldContent = content;
        var oldLine = line;
        var oldPending = pending;
        var room = high.length * 2;
        high = new long[room];
        low = new long[room];
        content = new long[room];
        line = new long[room];
        pending = new boolean[room];
        for (var i = 0; i < oldLine.length; i++) {
            if (oldLine[i] != 0) {
                var slot = slot(oldHigh[i], oldLow[i]);
                high[slot] = oldHigh[i];
                low[slot] = oldLow[i];
                content[slot] = oldContent[i];
                line[slot] = oldLine[i];
                pending[slot] = oldPending[i];
            }
        }
    }
}
