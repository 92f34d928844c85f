package dev.pawl.command;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Values that are never kept and never shown: whatever is has a mask in their place. They are found as they are, escaped as JSON, shells and
 * addresses do it, and as base64; one of several lines also line by line. Immutable.
 */
public final class Secrets {
    /** There are none. */
    public static final Secrets NONE = new Secrets(List.of(), List.of());

    /** Shorter ones would mask half of what is written, and are no secrets. */
    public static final int LEAST_CHARS = 4;

    /** What is longer is no secret but a file of them. */
    public static final int MOST_CHARS = 32_768;

    /** Shorter ones are not looked for in base64, shorter lines not by themselves, and shorter beginnings are not taken for half a secret: they would be found where they are not. */
    static final int LEAST_PART = 8;

    static final byte[] MASK = {'*', '*', '*'};

    /** What comes after the last byte there is. */
    enum Following {
        /** More, in a moment. */
        TO_COME,
        /** Nothing: this is all. */
        NONE,
        /** What nobody wrote any more: the last may be half of something. */
        CUT_OFF
    }

    /** Only more bytes tell whether there is a secret. */
    static final int PERHAPS = -1;

    private final List<String> names;
    private final List<String> values;
    private final SecretForm[][] byFirst = new SecretForm[256][];
    private final int mostBackslashes;

    private Secrets(Collection<String> names, Collection<String> values) {
        this.names = List.copyOf(names);
        this.values = values.stream()
                .filter(value -> value.strip().length() >= LEAST_CHARS)
                .distinct()
                .toList();
        var forms = new ArrayList<SecretForm>();
        this.values.forEach(value -> addForms(forms, value));
        forms.sort(Comparator.comparingInt(SecretForm::length).reversed());
        mostBackslashes =
                forms.stream().mapToInt(SecretForm::mostBackslashes).max().orElse(0);
        for (var first = 0; first < byFirst.length; first++) {
            var begin = (byte) first;
            byFirst[first] =
                    forms.stream().filter(form -> form.mayBeginWith(begin)).toArray(SecretForm[]::new);
        }
    }

    /** The values of environment variables, by their names; those that are too short to be one are left out. */
    public static Secrets named(Map<String, String> values) {
        return new Secrets(values.keySet(), values.values());
    }

    /** These values; those that are too short to be one are left out. */
    public static Secrets of(Collection<String> values) {
        return new Secrets(List.of(), values);
    }

    /**
     * The values of environment variables, all of which must be there; and of those that are masked by whoever runs us as a command.
     *
     * @param who needs them, for people
     * @throws IllegalArgumentException when one is not set, or is no value that can be masked
     */
    public static Secrets needed(String who, Collection<String> names, Map<String, String> environment) {
        var values = new LinkedHashMap<String, String>();
        for (var name : names) {
            var value = environment.getOrDefault(name, "");
            if (value.isBlank()) {
                throw new IllegalArgumentException(who + " needs the secret " + name + "; set it in the environment");
            }
            check(name, value);
            values.put(name, value);
        }
        for (var name : environment.getOrDefault(CommandEnvironment.SECRETS, "").split(" ")) {
            var value = environment.getOrDefault(name, "");
            if (value.strip().length() >= LEAST_CHARS) {
                values.putIfAbsent(name, value);
            }
        }
        return named(values);
    }

    private static void check(String name, String value) {
        if (value.strip().length() < LEAST_CHARS) {
            throw new IllegalArgumentException(
                    "the secret " + name + " has fewer than " + LEAST_CHARS + " characters, and could not be masked");
        }
        if (value.length() > MOST_CHARS) {
            throw new IllegalArgumentException("the secret " + name + " has more than " + MOST_CHARS
                    + " characters; let the command read it from a file");
        }
        if (value.indexOf('\uFFFD') >= 0) {
            throw new IllegalArgumentException("the secret " + name
                    + " has letters that cannot be read here, and could not be masked; set LC_ALL=C.UTF-8");
        }
    }

    private static void addForms(List<SecretForm> forms, String value) {
        var whole = value.strip().replace("\r\n", "\n").replaceAll("\n[ \t]+", "\n");
        var texts = new LinkedHashSet<String>();
        texts.add(whole);
        whole.lines()
                .map(String::strip)
                .filter(line -> line.length() >= LEAST_PART)
                .forEach(texts::add);
        for (var text : texts) {
            forms.add(new SecretForm(text, false));
            if (text.contains("%")) {
                forms.add(new SecretForm(text.replace("%", "%25"), false));
            }
            if (text.contains("'")) {
                var traced = text.replace("'", "'\\''");
                forms.add(inQuotes(traced));
                forms.add(inQuotes(traced.replace("'", "'\\''")));
                forms.add(inQuotes(text.replaceAll("'+", "'\"$0\"'")));
            }
        }
        var bytes = value.strip().getBytes(StandardCharsets.UTF_8);
        for (var before = 0; before < 3 && bytes.length >= LEAST_PART; before++) {
            var encoded = base64(bytes, before);
            forms.add(new SecretForm(encoded, true));
            // A line may end near its beginning.
            if (encoded.length() >= LEAST_PART + SecretForm.LEAST_BEFORE_BREAK) {
                forms.add(new SecretForm(encoded.substring(SecretForm.LEAST_BEFORE_BREAK), true));
            }
        }
    }

    /** As shells write it between quotes, which end for each quote in it and begin again; where nothing is between them they may be left out. */
    private static SecretForm inQuotes(String text) {
        var begin = text.startsWith("'") ? 1 : 0;
        return new SecretForm(text.substring(begin, text.endsWith("'") ? text.length() - 1 : text.length()), false);
    }

    /** What of the base64 of bytes does not depend on what is around them, when {@code before} bytes of a group of three are in front of them. */
    private static String base64(byte[] bytes, int before) {
        var all = new byte[before + bytes.length];
        System.arraycopy(bytes, 0, all, before, bytes.length);
        return Base64.getEncoder().encodeToString(all).substring((8 * before + 5) / 6, 8 * all.length / 6);
    }

    /** Whether there are none. */
    boolean isEmpty() {
        return values.isEmpty();
    }

    /** What the environment variables are called that they are the values of. */
    List<String> names() {
        return names;
    }

    /** Where more backslashes follow one another, none begins. */
    int mostBackslashes() {
        return mostBackslashes;
    }

    List<String> values() {
        return values;
    }

    /**
     * Looks for a secret at {@code from}.
     *
     * @param rest what comes after {@code end}
     * @return how long it is; 0 when there is none; {@link #PERHAPS}
     */
    int at(byte[] text, int from, int end, Following rest) {
        var cut = 0;
        for (var form : byFirst[text[from] & 0xff]) {
            var looked = form.look(text, from, end);
            if (looked > 0) {
                return looked;
            }
            if (looked < 0 && rest == Following.TO_COME) {
                return PERHAPS;
            }
            cut = Math.max(cut, SecretForm.begun(looked));
        }
        return rest == Following.CUT_OFF && cut >= LEAST_PART ? end - from : 0;
    }

    /** The text with a mask in place of each secret. */
    public String masked(String text) {
        if (isEmpty()) {
            return text;
        }
        var masked = new ByteArrayOutputStream();
        var masking = new Masking(this, (bytes, length) -> masked.write(bytes, 0, length));
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        masking.take(bytes, bytes.length);
        masking.end(false);
        return masking.found() ? masked.toString(StandardCharsets.UTF_8) : text;
    }
}
