package dev.pawl.list;

/**
 * Which part of a list.
 *
 * @param newestFirst whether it begins with what is newest, or with what is oldest
 * @param behind what comes behind this
 * @param most at most so many
 */
public record ListPart(boolean newestFirst, Cursor behind, int most) {
    /** The most that one page has. */
    public static final int MOST = 1_000;

    private static final int USUAL = 100;

    public ListPart {
        if (most < 1 || most > MOST) {
            throw new IllegalArgumentException("a page has 1 to 1,000 lines, not " + most);
        }
    }

    /** The newest hundred. */
    public static ListPart newest() {
        return new ListPart(true, Cursor.START, USUAL);
    }

    /** The oldest hundred. */
    public static ListPart oldest() {
        return new ListPart(false, Cursor.START, USUAL);
    }

    /** The same, behind {@code cursor}. */
    public ListPart after(Cursor cursor) {
        return new ListPart(newestFirst, cursor, most);
    }

    /** The same, at most so many. */
    public ListPart most(int many) {
        return new ListPart(newestFirst, behind, many);
    }
}
