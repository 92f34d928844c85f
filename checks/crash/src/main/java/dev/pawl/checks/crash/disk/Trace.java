package dev.pawl.checks.crash.disk;

import dev.pawl.journal.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** What a traced process did to the files of its store, and what it acknowledged, in order. */
final class Trace {
    /** One thing that it did. */
    sealed interface Event {
        /** Bytes written to a file. */
        record Wrote(String file, long offset, Bytes bytes) implements Event {}

        /** A file cut or grown to a length. */
        record Cut(String file, long length) implements Event {}

        /** A file made durable as it was. */
        record Synced(String file) implements Event {}

        /** A sync that failed: what was written before it need not ever come to the disk. */
        record SyncFailed(String file) implements Event {}

        /** A file removed. */
        record Removed(String file) implements Event {}

        /** Something acknowledged to whoever asked. */
        record Acknowledged(int number) implements Event {}
    }

    private static final Pattern CALL = Pattern.compile("^\\d+ +(\\w+)\\((.*)\\) += (-?\\d+).*$");
    private static final Pattern TEXT = Pattern.compile("\"((?:\\\\x[0-9a-f]{2})*)\"");

    private final String folder;
    private final Map<Integer, String> open = new HashMap<>();
    private final List<Event> events = new ArrayList<>();

    private Trace(Path folder) {
        this.folder = folder.toString() + "/";
    }

    /** What traces a program into {@code output}. */
    static List<String> command(Path output) {
        return List.of(
                "strace",
                "-f",
                "-xx",
                "-s",
                "1000000",
                "-o",
                output.toString(),
                "-e",
                "trace=openat,close,pwrite64,write,fsync,fdatasync,ftruncate,unlink");
    }

    /** The events in {@code strace}'s output that concern files of {@code folder}. */
    static List<Event> read(Path output, Path folder) throws IOException {
        var trace = new Trace(folder);
        try (var lines = Files.lines(output, StandardCharsets.ISO_8859_1)) {
            lines.forEach(trace::line);
        }
        return trace.events;
    }

    private void line(String line) {
        var call = CALL.matcher(line);
        if (!call.matches()) {
            if (line.contains("unfinished") && (line.contains("pwrite64(") || line.contains("fsync("))) {
                throw new IllegalStateException("two threads wrote at once, and the trace does not say in which order");
            }
            return;
        }
        var returned = Long.parseLong(call.group(3));
        if (returned >= 0) {
            done(call.group(1), call.group(2), returned);
        } else if (call.group(1).equals("fsync")) {
            onFile(call.group(2), Event.SyncFailed::new);
        }
    }

    private void onFile(String arguments, Function<String, Event> happened) {
        var file = open.get(descriptor(arguments));
        if (file != null) {
            events.add(happened.apply(file));
        }
    }

    private void done(String name, String arguments, long returned) {
        switch (name) {
            case "openat" -> opened((int) returned, new String(text(arguments), StandardCharsets.UTF_8));
            case "close" -> open.remove(Integer.parseInt(arguments.strip()));
            case "pwrite64" ->
                onFile(arguments, file -> new Event.Wrote(file, last(arguments), Bytes.copyOf(text(arguments))));
            case "write" -> said(arguments);
            case "fsync", "fdatasync" -> onFile(arguments, Event.Synced::new);
            case "ftruncate" -> onFile(arguments, file -> new Event.Cut(file, last(arguments)));
            case "unlink" -> {
                var path = new String(text(arguments), StandardCharsets.UTF_8);
                if (path.startsWith(folder)) {
                    events.add(new Event.Removed(path.substring(folder.length())));
                }
            }
            default -> {}
        }
    }

    private void opened(int descriptor, String path) {
        open.remove(descriptor);
        if (path.startsWith(folder) && !path.endsWith("-shm")) {
            open.put(descriptor, path.substring(folder.length()));
        }
    }

    private void said(String arguments) {
        var words = new String(text(arguments), StandardCharsets.UTF_8);
        if (descriptor(arguments) == 1 && words.startsWith("ack ")) {
            events.add(
                    new Event.Acknowledged(Integer.parseInt(words.substring(4).strip())));
        }
    }

    private static int descriptor(String arguments) {
        var comma = arguments.indexOf(',');
        return Integer.parseInt((comma < 0 ? arguments : arguments.substring(0, comma)).strip());
    }

    private static long last(String arguments) {
        return Long.parseLong(
                arguments.substring(arguments.lastIndexOf(',') + 1).strip());
    }

    private static byte[] text(String arguments) {
        var quoted = TEXT.matcher(arguments);
        if (!quoted.find()) {
            throw new IllegalStateException("a call without its bytes: " + arguments);
        }
        var hex = quoted.group(1).replace("\\x", "");
        var bytes = new byte[hex.length() / 2];
        for (var i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex, 2 * i, 2 * i + 2, 16);
        }
        return bytes;
    }
}
