package dev.pawl.cli;

import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.text.ShellWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What a user must be able to write to work with a store in a file: the store is its owner's alone until it is opened to others on purpose. */
final class Rights {
    private static final List<String> BESIDE = List.of("", "-wal", "-shm", "-lock", "-guards", "-commands");

    private Rights() {}

    /** @throws StoreFailure that names everything of the store in {@code file} that this user may not write, and how that is changed */
    static void require(Path file) {
        var missing = new ArrayList<String>();
        for (var what : BESIDE) {
            var one = file.resolveSibling(file.getFileName() + what);
            if (Files.exists(one) && !(Files.isReadable(one) && Files.isWritable(one))) {
                missing.add(String.valueOf(one.getFileName()));
            }
        }
        var folder = Objects.requireNonNull(file.getParent());
        if (Files.isDirectory(folder) && !Files.isWritable(folder)) {
            missing.add("the folder " + folder);
        }
        if (!missing.isEmpty()) {
            throw new StoreFailure(
                    Move.OPERATOR,
                    "user " + System.getProperty("user.name") + " may not work with " + file
                            + ", because it may not write to "
                            + String.join(", ", missing) + ". " + owner(file)
                            + " can open the store to a group that both are in: " + opening(file),
                    null);
        }
    }

    /** What its owner types to open the store in {@code file} to a group: its own files, and of the folder around it no other. */
    static String opening(Path file) {
        var folder = ShellWord.of(String.valueOf(file.getParent()));
        var ours = ShellWord.of(file.toString()) + "*";
        return "chgrp GROUP " + folder + "; chmod g+rwx " + folder + "; chgrp -R GROUP " + ours + "; chmod -R g+rwX "
                + ours;
    }

    private static String owner(Path file) {
        try {
            return "Its owner " + Files.getOwner(file).getName();
        } catch (IOException e) {
            return "Its owner";
        }
    }
}
