package dev.pawl.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text with addresses in it, without their passwords, however they are spelled: before the host, or as a parameter. */
public final class WithoutPasswords {
    /** {@code //user:password@}; what is a port is none, and of a database's address a password may hold anything. */
    private static final Pattern BEFORE_THE_HOST = Pattern.compile(
            "(jdbc:postgresql:(?://)?)[^\\s/@:\"']{0,1024}+:(?!\\d+[/?\\s])[^\\s\"']{0,1024}@|(://)[^\\s/@:?#\"']*+:[^\\s/@?#\"']*+@");

    /** A parameter's value goes on to the next parameter. */
    private static final Pattern VALUE = Pattern.compile("[^&;\\s\"']*");

    private static final Pattern SECRET = Pattern.compile("pass|pwd|secret|token|credential", Pattern.CASE_INSENSITIVE);

    private static final Pattern ESCAPED = Pattern.compile("%([0-9a-fA-F]{2})");

    private WithoutPasswords() {}

    /** {@code text}, with an ellipsis where a password stood. */
    public static String of(String text) {
        return BEFORE_THE_HOST
                .matcher(withoutParameters(text))
                .replaceAll(found -> (found.group(1) == null ? "://" : "jdbc:postgresql://") + "…@");
    }

    /** {@code password=}, {@code sslPassword=}, {@code %70assword=}. Goes back from each sign to its name: whoever looks for names first reads a long word as often as it has letters. */
    private static String withoutParameters(String text) {
        var value = VALUE.matcher(text);
        var shown = new StringBuilder();
        var from = 0;
        for (var sign = text.indexOf('='); sign >= 0; sign = text.indexOf('=', sign + 1)) {
            var name = sign;
            while (name > from && isOfName(text.charAt(name - 1))) {
                name--;
            }
            if (sign >= from
                    && SECRET.matcher(plain(text.substring(name, sign))).find()) {
                shown.append(text, from, sign + 1).append('…');
                from = value.find(sign + 1) ? value.end() : sign + 1;
            }
        }
        return shown.append(text, from, text.length()).toString();
    }

    private static boolean isOfName(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "_%.-".indexOf(c) >= 0;
    }

    private static String plain(String name) {
        return ESCAPED.matcher(name)
                .replaceAll(digits ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(digits.group(1), 16))));
    }
}
