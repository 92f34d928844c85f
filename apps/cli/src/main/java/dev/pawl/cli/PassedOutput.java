package dev.pawl.cli;

import dev.pawl.command.Commands;
import dev.pawl.command.Relay;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * What a guard's command writes, on the guard's own streams. When nobody reads any more, its command is told so as by any pipe: by a signal; whatever else keeps
 * its output from being written is the guard's to tell, once it has ended.
 */
final class PassedOutput implements Relay {
    private final Supplier<Commands> commands;
    private boolean told;

    PassedOutput(Supplier<Commands> commands) {
        this.commands = commands;
    }

    @Override
    public synchronized void output(byte[] bytes, int length) {
        if (told) {
            return;
        }
        Shown.STREAMS.output(bytes, length);
        told = StandardOutput.trouble() != null;
        if (told && StandardOutput.nobodyReads()) {
            try {
                commands.get().signal("PIPE");
            } catch (IOException e) {
                System.err.println(
                        "pawl: nobody could tell the command that its output is not taken: " + e.getMessage());
            }
        }
    }

    @Override
    public void error(byte[] bytes, int length) {
        Shown.STREAMS.error(bytes, length);
    }
}
