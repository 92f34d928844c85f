package dev.pawl.cli;

import dev.pawl.batch.Brake;
import dev.pawl.command.Commands;
import dev.pawl.command.Exit;
import dev.pawl.command.Folder;
import dev.pawl.command.Meaning;
import dev.pawl.key.Identity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Tells the brake and the bar how rows end, and asks the brake before one begins. */
record Braked(Brake brake, Bar bar, GateRelease release) implements Commands.Watcher {
    @Override
    public void begins(Path folder) {
        brake.pass(() -> rowOf(folder));
    }

    private static String rowOf(Path folder) {
        try {
            return Folder.at(folder).job().orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " cannot be read", e);
        }
    }

    @Override
    public void ended(Identity identity, Meaning meaning, Exit exit, String says) {
        if (meaning == Meaning.DONE) {
            if (brake.succeeded()) {
                release.now(identity + " came out well");
            }
            bar.one();
        } else {
            brake.failed(identity, meaning + " " + exit.code(), says);
        }
    }
}
