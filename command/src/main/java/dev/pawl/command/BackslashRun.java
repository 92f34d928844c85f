package dev.pawl.command;

/**
 * The run of backslashes that whoever reads a text from its beginning is at: it is measured once, not from each of its backslashes anew. Not
 * thread-safe.
 */
final class BackslashRun {
    private final byte[] text;
    private final int end;

    /** Where the run ends that was measured last, and how many backslashes it has from where the reader is. */
    private int runEnd;

    private int left;

    private int asked = -1;

    BackslashRun(byte[] text, int end) {
        this.text = text;
        this.end = end;
    }

    /** Whether more backslashes than {@code most} follow one another from {@code at} on. To be asked from left to right. */
    boolean isLongerFrom(int at, int most) {
        if (at != asked + 1) {
            runEnd = at;
        }
        asked = at;
        if (at >= runEnd && (text[at] == '\\' || text[at] == '%')) {
            measure(at);
        }
        if (at >= runEnd) {
            return false;
        }
        var longer = left > most;
        left -= text[at] == '\\' || text[at] == '%' || text[at] == 'u' ? 1 : 0;
        return longer;
    }

    private void measure(int from) {
        left = 0;
        for (var next = SecretForm.afterBackslash(text, from, end, false);
                next >= 0;
                next = next < end ? SecretForm.afterBackslash(text, next, end, true) : -1) {
            runEnd = next;
            left++;
        }
    }
}
