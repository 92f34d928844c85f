package dev.pawl.failure;

import dev.pawl.text.WithoutPasswords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What code has thrown, kept for people: bounded, without the frames that are Pawl's own, and without the passwords of addresses.
 *
 * @param type the name of its class
 * @param message what it says; null when it says nothing
 * @param frames where it was thrown, innermost first, as {@code shop.Orders.charge(Orders.java:41)}
 * @param cause what caused it; null when nothing did
 */
public record Thrown(
        String type,
        @Nullable String message,
        List<String> frames,
        @Nullable Thrown cause) {

    private static final int MOST_CAUSES = 8;
    private static final int MOST_CHARS_OF_A_MESSAGE = 1_000;
    private static final int MOST_CHARS_READ = 16_000;
    private static final int MOST_CHARS_OF_A_FRAME = 300;

    /** For the frames of all causes together. */
    private static final int MOST_CHARS_OF_FRAMES = 16_000;

    /** Frames of ours stand between the user's, and say nothing to the user. */
    private static final List<String> OURS =
            List.of("dev.pawl.engine.local.", "dev.pawl.command.", "dev.pawl.script.", "dev.pawl.batch.");

    private static final List<String> OF_JAVA = List.of("java.", "javax.", "jdk.", "sun.");

    public Thrown {
        frames = List.copyOf(frames);
    }

    /** What {@code thrown} was; whatever its own methods do. */
    public static Thrown of(Throwable thrown) {
        var chain = chain(thrown);
        Thrown cause = null;
        for (var i = chain.size() - 1; i >= 0; i--) {
            var around = i == 0 ? new StackTraceElement[0] : frames(chain.get(i - 1));
            cause = new Thrown(
                    cut(chain.get(i).getClass().getName(), MOST_CHARS_OF_A_FRAME),
                    message(chain.get(i)),
                    shown(frames(chain.get(i)), around, MOST_CHARS_OF_FRAMES / chain.size()),
                    cause);
        }
        return Objects.requireNonNull(cause);
    }

    /** Whether somebody's code has thrown it that is not Pawl's: a command's failure is told in words, and has no stack that says more. */
    public static boolean isOfUserCode(Throwable thrown) {
        return chain(thrown).stream().anyMatch(one -> frames(one).length == 0)
                || chain(thrown).stream()
                        .flatMap(one -> Arrays.stream(frames(one)))
                        .map(StackTraceElement::getClassName)
                        .anyMatch(name -> !isOf(OURS, name) && !isOf(OF_JAVA, name));
    }

    private static boolean isOf(List<String> packages, String className) {
        return packages.stream().anyMatch(className::startsWith);
    }

    private static List<Throwable> chain(Throwable thrown) {
        var chain = new ArrayList<Throwable>();
        var seen = new HashSet<Integer>();
        for (Throwable t = thrown; t != null && chain.size() < MOST_CAUSES; t = cause(t)) {
            if (!seen.add(System.identityHashCode(t))) {
                break;
            }
            chain.add(t);
        }
        return chain;
    }

    private static @Nullable Throwable cause(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (RuntimeException | Error broken) {
            return null;
        }
    }

    private static @Nullable String message(Throwable thrown) {
        try {
            var message = thrown.getMessage();
            // What is cut off first is far behind what is kept: half a password is not told for want of its end.
            return message == null
                    ? null
                    : cut(WithoutPasswords.of(cut(message, MOST_CHARS_READ)), MOST_CHARS_OF_A_MESSAGE);
        } catch (RuntimeException | Error broken) {
            return "(its message could not be read)";
        }
    }

    private static StackTraceElement[] frames(Throwable thrown) {
        try {
            return thrown.getStackTrace();
        } catch (RuntimeException | Error broken) {
            return new StackTraceElement[0];
        }
    }

    /** The frames that are not those of {@code around}, which stand there. */
    private static List<String> shown(StackTraceElement[] frames, StackTraceElement[] around, int mostChars) {
        var end = frames.length;
        for (var outer = around.length; end > 1 && outer > 0 && frames[end - 1].equals(around[outer - 1]); outer--) {
            end--;
        }
        var shown = new ArrayList<String>();
        var chars = 0;
        for (var i = 0; i < end && chars < mostChars; i++) {
            if (!isOf(OURS, frames[i].getClassName())) {
                var text = cut(text(frames[i]), MOST_CHARS_OF_A_FRAME);
                shown.add(text);
                chars += text.length();
            }
        }
        return shown;
    }

    private static String text(StackTraceElement frame) {
        var where = frame.isNativeMethod()
                ? "native"
                : frame.getFileName() == null
                        ? "unknown"
                        : frame.getLineNumber() < 0
                                ? frame.getFileName()
                                : frame.getFileName() + ":" + frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + "(" + where + ")";
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most) + "…";
    }

    /** The innermost frame that is not Java's own; empty when there is none. */
    public Optional<String> where() {
        return frames.stream().filter(frame -> !isOf(OF_JAVA, frame)).findFirst();
    }

    /** As Java prints it. */
    public String text() {
        var text = new StringBuilder();
        for (var one = this; one != null; one = one.cause) {
            text.append(text.isEmpty() ? "" : "Caused by: ").append(one.type);
            if (one.message != null) {
                text.append(": ").append(one.message);
            }
            text.append('\n');
            one.frames.forEach(frame -> text.append("    at ").append(frame).append('\n'));
        }
        return text.toString();
    }
}
