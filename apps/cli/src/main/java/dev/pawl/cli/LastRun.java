package dev.pawl.cli;

import dev.pawl.key.Encoding;
import dev.pawl.look.StoredJob;
import dev.pawl.text.ShellWord;
import dev.pawl.text.WithoutPasswords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a workflow was last run from the command line of this machine: what a person types where nobody works at it. It is kept beside the store for
 * people alone; nothing is decided by it.
 *
 * @param directory where it was typed
 * @param words what was typed after {@code pawl}, but for the store
 */
record LastRun(String directory, List<String> words) {
    private static final int MOST_CHARS = 16_384;

    /** An input that is longer, or has a password in it, is for its caller to say. */
    private static final int MOST_INPUT = 2_000;

    /** No word holds it. */
    private static final String END = "\0";

    private static final String COMMAND_FOLLOWS = "--";
    private static final Set<PosixFilePermission> EXECUTE = PosixFilePermissions.fromString("--x--x--x");

    LastRun {
        words = List.copyOf(words);
    }

    /** One that is typed here and now. */
    static LastRun typed(List<String> words) {
        return new LastRun(here(), without(words, Set.of("--store"), Set.of("--restored")));
    }

    private static String here() {
        return Path.of("").toAbsolutePath().toString();
    }

    /** Keeps it for whoever asks what goes on with {@code workflow}. That it cannot be kept is nobody's trouble. */
    void keep(StoreOption store, String workflow) {
        var text = directory + END + String.join(END, words);
        if (text.length() > MOST_CHARS) {
            return;
        }
        try {
            var folder = Files.createDirectories(store.places("runs").getFirst(), StoreOption.OURS_ALONE);
            var half = Files.createTempFile(folder, "run", "");
            var open = Files.getPosixFilePermissions(folder);
            open.removeAll(EXECUTE);
            Files.setPosixFilePermissions(half, open);
            Files.writeString(half, text);
            Files.move(half, folder.resolve(file(workflow)), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | UnsupportedOperationException e) {
            // Then a person is told the command with capitals for what only they know.
        }
    }

    /** How {@code workflow} was last run; empty when nobody here knows. */
    static Optional<LastRun> of(StoreOption store, String workflow) {
        try {
            for (var folder : store.places("runs")) {
                var file = folder.resolve(file(workflow));
                if (Files.isReadable(file)) {
                    var texts = List.of(Files.readString(file).split(END, -1));
                    return Optional.of(new LastRun(texts.getFirst(), texts.subList(1, texts.size())));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String file(String workflow) {
        return Encoding.hash(workflow) + ".run";
    }

    /** The same with {@code other} for one of its words, before the command begins. */
    LastRun saying(String word, String other) {
        var all = new ArrayList<>(words);
        all.subList(0, optionsEnd(all)).replaceAll(one -> one.equals(word) ? other : one);
        return new LastRun(directory, all);
    }

    /** The same for one work item of a guard, whichever it was run for. */
    LastRun forKey(List<String> parts) {
        var all = new ArrayList<>(without(words, Set.of("--key", "--once-per", "--zone"), Set.of()));
        var keys = new ArrayList<String>();
        parts.forEach(part -> keys.addAll(List.of("--key", part)));
        all.addAll(optionsEnd(all), keys);
        return new LastRun(directory, all);
    }

    /** The same for one job of a flow, whichever it was run for; as it is when it is no such run. */
    LastRun forInput(StoredJob job) {
        if (words.isEmpty() || !words.getFirst().equals("run")) {
            return this;
        }
        var input = job.given().input();
        var isShown = input.length() <= MOST_INPUT && WithoutPasswords.of(input).equals(input);
        var all = new ArrayList<>(words);
        all.addAll(List.of("--input", isShown ? input : "INPUT"));
        return new LastRun(directory, all);
    }

    /** The command, to be pasted. */
    String text(String storeOption) {
        var end = optionsEnd(words);
        return (directory.equals(here()) ? "" : "cd " + ShellWord.of(directory) + " && ") + "pawl"
                + quoted(words.subList(0, end)) + storeOption + quoted(words.subList(end, words.size()));
    }

    private static String quoted(List<String> some) {
        return some.stream()
                .map(word -> " " + ShellWord.of(WithoutPasswords.of(word)))
                .collect(Collectors.joining());
    }

    private static int optionsEnd(List<String> all) {
        var at = all.indexOf(COMMAND_FOLLOWS);
        return at < 0 ? all.size() : at;
    }

    /** Without these options, before the command begins: those with a value, and those without. */
    private static List<String> without(List<String> all, Set<String> valued, Set<String> bare) {
        var left = new ArrayList<String>();
        var end = optionsEnd(all);
        for (var i = 0; i < all.size(); i++) {
            var word = all.get(i);
            if (i < end && valued.contains(word)) {
                i++;
            } else if (i >= end || (!bare.contains(word) && !valued.contains(word.split("=", 2)[0]))) {
                left.add(word);
            }
        }
        return left;
    }
}
