package dev.pawl.checks.crash.night;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of the docs. What is typed stands in blocks that are fenced as {@code console}: behind a dollar what is typed, below it what is printed. The first block of a
 * session stands below a comment that names the folder of the examples it begins in, {@code <!-- in examples/shell/nightly -->}; the blocks that follow go on in it.
 * A line of three dots stands for whatever is printed there.
 *
 * @param lines all of it
 */
record Page(List<String> lines) {
    private static final String FENCE = "```";
    private static final String CONSOLE = FENCE + "console";
    private static final String PROMPT = "$ ";
    private static final String MORE = "> ";
    private static final String LEFT_OUT = "…\n";

    /**
     * A line that is typed.
     *
     * @param line what is typed; of several lines, with their ends
     * @param prints what is printed
     */
    record Typed(String line, String prints) {
        /** What is shown when {@code seen} was printed: with what is left out on the page left out, if it begins and ends as there. */
        Typed showing(String seen) {
            var left = prints.indexOf(LEFT_OUT);
            var begins = left < 0 ? prints : prints.substring(0, left);
            var ends = left < 0 ? "" : prints.substring(left + LEFT_OUT.length());
            var asShown = left >= 0
                    && Blur.of(seen).startsWith(Blur.of(begins))
                    && Blur.of(seen).endsWith(Blur.of(ends));
            return new Typed(line, asShown ? prints : seen);
        }
    }

    /**
     * What is typed one after another.
     *
     * @param folder where it begins
     */
    record Session(String folder, List<Typed> typed) {}

    static Page read(Path path) {
        try {
            return new Page(List.of(Files.readString(path).split("\n", -1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean hasSession() {
        return lines.contains(CONSOLE);
    }

    List<Session> sessions() {
        var sessions = new ArrayList<Session>();
        for (var i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("<!-- in ")) {
                sessions.add(new Session(lines.get(i).split(" ")[2], new ArrayList<>()));
            } else if (lines.get(i).equals(CONSOLE)) {
                sessions.getLast().typed().addAll(block(i + 1));
            }
        }
        return sessions;
    }

    List<Typed> typed() {
        return sessions().stream().flatMap(session -> session.typed().stream()).toList();
    }

    private List<Typed> block(int from) {
        var all = new ArrayList<Typed>();
        for (var i = from; !lines.get(i).equals(FENCE); i++) {
            var line = lines.get(i);
            var last = all.isEmpty() ? null : all.getLast();
            if (line.startsWith(PROMPT)) {
                all.add(new Typed(line.substring(PROMPT.length()), ""));
            } else if (last != null && last.prints().isEmpty() && line.startsWith(MORE)) {
                all.set(all.size() - 1, new Typed(last.line() + "\n" + line.substring(MORE.length()), ""));
            } else if (last != null) {
                all.set(all.size() - 1, new Typed(last.line(), last.prints() + line + "\n"));
            }
        }
        return all;
    }

    /** The same page with what is printed now. */
    String showing(List<Typed> seen) {
        var text = new ArrayList<String>();
        var next = seen.iterator();
        var inside = false;
        for (var line : lines) {
            if (inside && !line.equals(FENCE)) {
                if (line.startsWith(PROMPT)) {
                    var typed = next.next();
                    text.add(PROMPT + typed.line().replace("\n", "\n" + MORE));
                    if (!typed.prints().isEmpty()) {
                        text.add(typed.prints().stripTrailing());
                    }
                }
                continue;
            }
            inside = line.equals(CONSOLE);
            text.add(line);
        }
        return String.join("\n", text);
    }

    /** What stands in other fences, which nobody types here. */
    List<String> fenced() {
        var all = new ArrayList<String>();
        var fence = "";
        for (var line : lines) {
            if (line.startsWith(FENCE)) {
                fence = fence.isEmpty() ? line + " " : "";
            } else if (!fence.isEmpty() && !fence.startsWith(CONSOLE)) {
                all.add(line);
            }
        }
        return all;
    }
}
