package dev.pawl.key;

import dev.pawl.text.ShellWord;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.text.Normalizer;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A job key: what is processed, as a list of text parts, never when, which try, or anything random. Text is kept in Unicode NFC, numbers in
 * canonical form, so {@code Key.of("a", 1)}, {@code Key.of("a", 1L)} and {@code Key.of("a", "1")} are one key.
 *
 * @param parts one or more, none empty
 */
public record Key(List<String> parts) {

    private static final int MOST_PARTS = 16;
    private static final int MOST_CHARS = 1024;

    /** Text below is in NFC as it stands; most keys are, and the first use of the normalizer takes longer than many a command. */
    private static final char FIRST_TO_COMPOSE = '\u0300';

    public Key {
        if (parts.isEmpty() || parts.size() > MOST_PARTS) {
            throw new IllegalArgumentException("a job key has 1 to " + MOST_PARTS + " parts, not " + parts.size());
        }
        var checked = new String[parts.size()];
        var chars = 0;
        for (var i = 0; i < checked.length; i++) {
            checked[i] = checked(parts.get(i));
            chars += checked[i].length();
        }
        parts = List.of(checked);
        if (chars > MOST_CHARS) {
            throw new IllegalArgumentException(
                    "a job key has at most " + MOST_CHARS + " characters, not " + chars + "; hash what is long");
        }
    }

    /**
     * The key with these parts: text, numbers, dates or UUIDs that the work came with.
     *
     * @throws IllegalArgumentException for an empty part, or one of a type that has no canonical text
     */
    public static Key of(Object... parts) {
        return new Key(Arrays.stream(parts).map(Key::text).toList());
    }

    /** The key that {@link #toString()} wrote. */
    public static Key parse(String text) {
        return new Key(partsOf(text));
    }

    /** The parts of what {@link #toString()} wrote, or of its beginning: at least one, of which the last may be cut short, also within what stands for one character. */
    public static List<String> partsOf(String text) {
        var parts = new ArrayList<String>();
        for (var part : text.split("/", -1)) {
            parts.add(Percent.unescape(part));
        }
        return parts;
    }

    /** The key that {@link #encoded()} wrote. */
    public static Key decode(String encoded) {
        return new Key(Encoding.decode(encoded));
    }

    /** The injective form that hashes are made of. */
    public String encoded() {
        return Encoding.encode(parts);
    }

    /**
     * For people: the parts with slashes between. A slash or a percent sign inside a part, and whatever a shell or a terminal would take for something else,
     * is written {@code %2F} and so on; so it is one plain word wherever it is pasted.
     */
    @Override
    public String toString() {
        return parts.stream().map(Key::escape).collect(Collectors.joining("/"));
    }

    private static String text(Object part) {
        return switch (part) {
            case CharSequence text -> text.toString();
            case Double number -> canonical(finite(number));
            case Float number -> canonical(finite(Double.parseDouble(number.toString())));
            case BigDecimal number -> canonical(number);
            case BigInteger number -> number.toString();
            case Long number -> number.toString();
            case Integer number -> number.toString();
            case Short number -> number.toString();
            case Byte number -> number.toString();
            case Temporal when -> when.toString();
            case UUID id -> id.toString();
            case Enum<?> constant -> constant.name();
            default ->
                throw new IllegalArgumentException("a " + part.getClass().getName()
                        + " has no canonical text; make the job key of text, numbers, dates or UUIDs");
        };
    }

    private static BigDecimal finite(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException(number + " cannot be part of a job key");
        }
        return new BigDecimal(Double.toString(number));
    }

    private static String canonical(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    private static String checked(String part) {
        if (part.isBlank()) {
            throw new IllegalArgumentException(
                    "a part of the job key is empty; is a value missing where the key is made?");
        }
        var composed = true;
        for (var i = 0; i < part.length(); i++) {
            var c = part.charAt(i);
            composed &= c < FIRST_TO_COMPOSE;
            if (Character.isISOControl(c)) {
                throw new IllegalArgumentException("a job key holds no control characters: " + escape(part));
            }
            if (Character.isHighSurrogate(c) && i + 1 < part.length() && Character.isLowSurrogate(part.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new IllegalArgumentException(
                        "a job key is whole Unicode text; one half of a character is missing");
            }
        }
        return composed ? part : Normalizer.normalize(part, Normalizer.Form.NFC);
    }

    private static String escape(String part) {
        return Percent.escape(part, c -> c == '/' || c == '%' || !ShellWord.isPlain(c));
    }
}
