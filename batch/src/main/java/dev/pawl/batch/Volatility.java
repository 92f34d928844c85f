package dev.pawl.batch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Notices keys that will be others tomorrow: random ones, and times of the day. Not thread-safe. */
public final class Volatility {
    private static final int ENOUGH_ROWS = 20;
    private static final double MOST = 0.9;
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}");
    private static final Pattern ULID = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}");
    private static final Pattern EPOCH = Pattern.compile("[1-3]\\d{9}(?:\\d{3}(?:\\d{3}(?:\\d{3})?)?)?(?:\\.\\d+)?");
    private static final Pattern TIME = Pattern.compile(
            "\\d{4}-?\\d\\d-?\\d\\d[T _]\\d\\d[:-]?\\d\\d(?:[:-]?\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?");
    private static final int SHORTEST = 10;
    private static final int FEWEST_DIGITS = 3;
    private static final int SHORTEST_TOKEN = 16;
    private static final double HIGH_ENTROPY = 3.0;
    private static final int MANY_CHANGES = 5;

    private final List<String> fields;
    private final long[] suspicious;
    private final String[] example;
    private final String[] looks;
    private long rows;

    /** For keys of these fields. */
    public Volatility(List<String> fields) {
        this.fields = List.copyOf(fields);
        this.suspicious = new long[fields.size()];
        this.example = new String[fields.size()];
        this.looks = new String[fields.size()];
    }

    /** Takes in the values of one row's fields. */
    public void add(List<String> values) {
        rows++;
        for (var i = 0; i < values.size(); i++) {
            var kind = kind(values.get(i));
            if (kind != null) {
                suspicious[i]++;
                example[i] = values.get(i);
                looks[i] = kind;
            }
        }
    }

    /** What is wrong with the fields of the rows so far, in a sentence each. */
    public List<String> troubles() {
        var troubles = new ArrayList<String>();
        for (var i = 0; i < fields.size(); i++) {
            if (rows >= ENOUGH_ROWS && suspicious[i] >= MOST * rows) {
                troubles.add("field \"" + fields.get(i) + "\" is " + looks[i] + " in " + suspicious[i] + " of " + rows
                        + " rows, as in " + example[i]);
            }
        }
        return troubles;
    }

    /** What a text looks like that will be another one tomorrow; null when it does not. */
    public static @Nullable String kind(String text) {
        // Nothing of what follows is shorter or has fewer digits, but by an accident that does not happen in nine of
        // ten rows.
        if (text.length() < SHORTEST || digits(text) < FEWEST_DIGITS) {
            return null;
        }
        if (UUID.matcher(text).matches()) {
            return "a UUID";
        }
        if (TIME.matcher(text).matches()) {
            return "a time stamp";
        }
        if (EPOCH.matcher(text).matches()) {
            return "a time in seconds or parts of them";
        }
        if (ULID.matcher(text).matches()) {
            return "a ULID";
        }
        return looksRandom(text) ? "random" : null;
    }

    /** What is part of a name that will be another one tomorrow; null when nothing is. */
    public static @Nullable String kindWithin(String name) {
        if (UUID.matcher(name).find()) {
            return "a UUID";
        }
        if (TIME.matcher(name).find()) {
            return "a time stamp";
        }
        return Stream.concat(Stream.of(name), Arrays.stream(name.split("[._-]")))
                .map(Volatility::kind)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Long, made of letters and digits that change places often, and of many different ones. */
    private static boolean looksRandom(String text) {
        if (text.length() < SHORTEST_TOKEN || !isOfToken(text.charAt(0))) {
            return false;
        }
        var changes = 0;
        for (var i = 1; i < text.length(); i++) {
            var one = text.charAt(i - 1);
            var next = text.charAt(i);
            if (!isOfToken(next)) {
                return false;
            }
            if (Character.isLetterOrDigit(one)
                    && Character.isLetterOrDigit(next)
                    && Character.isDigit(one) != Character.isDigit(next)) {
                changes++;
            }
        }
        return changes >= MANY_CHANGES && entropy(text) >= HIGH_ENTROPY;
    }

    private static int digits(String text) {
        var digits = 0;
        for (var i = 0; i < text.length(); i++) {
            digits += text.charAt(i) >= '0' && text.charAt(i) <= '9' ? 1 : 0;
        }
        return digits;
    }

    private static boolean isOfToken(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "_=+-".indexOf(c) >= 0;
    }

    private static double entropy(String text) {
        var counts = new int[128];
        text.chars().forEach(c -> counts[c]++);
        var entropy = 0.0;
        for (var count : counts) {
            if (count > 0) {
                var share = (double) count / text.length();
                entropy -= share * Math.log(share) / Math.log(2);
            }
        }
        return entropy;
    }
}
