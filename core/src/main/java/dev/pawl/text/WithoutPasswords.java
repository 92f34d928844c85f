package dev.pawl.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text with addresses in it, without their passwords, however they are spelled: before the host, or as a parameter. */
public final class WithoutPasswords {
    /** {@code //user:password@}; what is a port is none, and of a database's address a password may hold anything. */
    private static final Pattern BEFORE_THE_HOST = Pattern.compile(
            "(jdbc:postgresql:(?://)?)[^\\s/@:\"']*:(?!\\d+[/?\\s])[^\\s\"']*@|(://)[^\\s/@:?#\"']*:[^\\s/@?#\"']*@");

    /** {@code password=}, {@code sslPassword=}, {@code %70assword=}. */
    private static final Pattern NAME = Pattern.compile("([\\w%.-]+)=");

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

    private static String withoutParameters(String text) {
        var name = NAME.matcher(text);
        var value = VALUE.matcher(text);
        var shown = new StringBuilder();
        var from = 0;
        while (name.find()) {
            if (name.start() >= from && SECRET.matcher(plain(name.group(1))).find()) {
                shown.append(text, from, name.end()).append('…');
                from = value.find(name.end()) ? value.end() : name.end();
            }
        }
        return shown.append(text, from, text.length()).toString();
    }

    private static String plain(String name) {
        return ESCAPED.matcher(name)
                .replaceAll(digits ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(digits.group(1), 16))));
    }
}
