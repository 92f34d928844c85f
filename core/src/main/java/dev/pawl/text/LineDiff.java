package dev.pawl.text;

import java.util.ArrayList;
import java.util.List;

/** What tells two texts apart, line by line, for people: what only the first has begins with a minus, what only the second has with a plus. */
public final class LineDiff {
    /** What is longer is compared from both ends only. */
    private static final int MOST_LINES = 400;

    /** Of two long lines that begin alike, so much is told of what they have in common. */
    private static final int COMMON_CHARS = 30;

    private LineDiff() {}

    /** The lines that differ, in their order; none when the texts are the same. */
    public static List<String> of(List<String> before, List<String> now) {
        var start = 0;
        while (start < before.size() && start < now.size() && before.get(start).equals(now.get(start))) {
            start++;
        }
        var end = 0;
        while (end < before.size() - start
                && end < now.size() - start
                && before.get(before.size() - 1 - end).equals(now.get(now.size() - 1 - end))) {
            end++;
        }
        return marked(before.subList(start, before.size() - end), now.subList(start, now.size() - end));
    }

    private static List<String> marked(List<String> before, List<String> now) {
        if (before.size() == 1 && now.size() == 1) {
            var common = common(before.getFirst(), now.getFirst());
            return List.of("- " + from(before.getFirst(), common), "+ " + from(now.getFirst(), common));
        }
        var lines = new ArrayList<String>();
        if (before.size() > MOST_LINES || now.size() > MOST_LINES) {
            before.forEach(line -> lines.add("- " + line));
            now.forEach(line -> lines.add("+ " + line));
            return lines;
        }
        var longest = longestCommon(before, now);
        var i = 0;
        var j = 0;
        while (i < before.size() || j < now.size()) {
            if (i < before.size() && j < now.size() && before.get(i).equals(now.get(j))) {
                i++;
                j++;
            } else if (i < before.size() && (j == now.size() || longest[i + 1][j] >= longest[i][j + 1])) {
                lines.add("- " + before.get(i++));
            } else {
                lines.add("+ " + now.get(j++));
            }
        }
        return lines;
    }

    /** How many lines are common at most, from each pair of lines on. */
    private static int[][] longestCommon(List<String> before, List<String> now) {
        var longest = new int[before.size() + 1][now.size() + 1];
        for (var i = before.size() - 1; i >= 0; i--) {
            for (var j = now.size() - 1; j >= 0; j--) {
                longest[i][j] = before.get(i).equals(now.get(j))
                        ? longest[i + 1][j + 1] + 1
                        : Math.max(longest[i + 1][j], longest[i][j + 1]);
            }
        }
        return longest;
    }

    private static int common(String a, String b) {
        var most = Math.min(a.length(), b.length());
        var common = 0;
        while (common < most && a.charAt(common) == b.charAt(common)) {
            common++;
        }
        return common;
    }

    /** A line from a little before where it differs. */
    private static String from(String line, int common) {
        var from = common - COMMON_CHARS;
        if (from <= COMMON_CHARS) {
            return line;
        }
        return "…" + line.substring(Character.isLowSurrogate(line.charAt(from)) ? from + 1 : from);
    }
}
