package dev.pawl.command;

import dev.pawl.time.Durations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a minder is to run. It knows no secrets: a command has the environment of whoever started the minder, and {@code more}; of a job's
 * command without {@code PAWL_STORE}, unless that is in {@code more}.
 *
 * @param command the program and its arguments; no shell reads them
 * @param directory where it runs
 * @param more what its environment has besides
 * @param timeout how long it may take
 */
public record Order(List<String> command, Path directory, Map<String, String> more, Duration timeout) {
    private static final String FORM = "pawl-order-1";

    public Order {
        command = List.copyOf(command);
        more = Map.copyOf(more);
        if (command.isEmpty() || command.getFirst().isBlank()) {
            throw new IllegalArgumentException("a command has a program");
        }
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException(
                    "a command's time-out is more than nothing, not " + Durations.text(timeout));
        }
        command.forEach(Order::check);
        more.forEach((name, value) -> {
            check(name);
            check(value);
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw new IllegalArgumentException("\"" + name + "\" cannot be the name of an environment variable");
            }
        });
    }

    private static void check(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("no argument and no environment variable can hold a NUL character");
        }
    }

    /** As bytes: texts that end with NUL, which none of them can hold. */
    byte[] bytes() {
        var texts = new ArrayList<String>();
        texts.add(FORM);
        texts.add(String.valueOf(timeout.toMillis()));
        texts.add(directory.toString());
        texts.add(String.valueOf(command.size()));
        texts.addAll(command);
        more.forEach((name, value) -> texts.add(name + "=" + value));
        return (String.join("\0", texts) + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** The order that {@code bytes} are. */
    static Order of(byte[] bytes) throws IOException {
        var text = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(bytes)).toString();
        var texts = new ArrayList<>(List.of(text.split("\0", -1)));
        if (texts.size() < 6
                || !texts.getFirst().equals(FORM)
                || !texts.getLast().isEmpty()) {
            throw new IOException("this is no order of this version");
        }
        var many = Integer.parseInt(texts.get(3));
        var more = new LinkedHashMap<String, String>();
        for (var one : texts.subList(4 + many, texts.size() - 1)) {
            var at = one.indexOf('=');
            more.put(one.substring(0, at), one.substring(at + 1));
        }
        return new Order(
                texts.subList(4, 4 + many),
                Path.of(texts.get(2)),
                more,
                Duration.ofMillis(Long.parseLong(texts.get(1))));
    }
}
