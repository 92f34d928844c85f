package dev.pawl.text;

/** How many of something, as people say it: "1 row has", "2 rows have". */
public final class Many {
    private Many() {}

    /** {@code 1 row}, {@code 2 rows}. */
    public static String of(long many, String one) {
        return of(many, one, one + "s");
    }

    /** {@code 1 one}, {@code 2 more}: for words that change with their number. */
    public static String of(long many, String one, String more) {
        return many + " " + (many == 1 ? one : more);
    }
}
