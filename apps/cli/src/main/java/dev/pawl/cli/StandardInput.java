package dev.pawl.cli;

import dev.pawl.command.Folder;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process was given to read, handed on to the command that it guards. A command is no child of ours and cannot inherit it: of a pipe it opens the
 * same one; a file's rest is laid out for it, and is still there for whoever reads the file after us. A terminal stays ours: a command in a session of its own cannot read from it.
 */
final class StandardInput {
    private static final Path OURS = Path.of("/proc/self/fd/0");

    private static volatile boolean given;

    private StandardInput() {}

    /** This process is one command, and what it reads is meant for it; in a process that does other things too it is theirs. */
    static void isForTheCommand() {
        given = true;
    }

    /** Hands it on to the command in {@code folder}, which has not begun. */
    static void handOn(Path folder) throws IOException {
        if (!given || !Files.isSymbolicLink(OURS)) {
            return;
        }
        var what = Files.readSymbolicLink(OURS).toString();
        if (what.startsWith("pipe:")) {
            Folder.at(folder)
                    .readsFrom(Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/0"));
        } else if (Files.isRegularFile(OURS)) {
            readsRest(folder);
        }
    }

    /** Without a step forward in the file: a loop of a shell may read its next line from it. */
    @SuppressWarnings("resource") // to close it would close the standard input
    private static void readsRest(Path folder) throws IOException {
        Folder.at(folder).reads(new FileInputStream(FileDescriptor.in).getChannel());
    }
}
