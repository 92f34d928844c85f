package dev.pawl.cli;

import dev.pawl.command.CommandCall;
import dev.pawl.command.Meaning;
import dev.pawl.command.Program;
import dev.pawl.command.Secrets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** How a command that was typed is read: what its exit codes mean, and whether it is there at all. */
final class ExitOption {

    @Option(
            names = "--exit",
            paramLabel = "CODE=MEANING",
            description = "What an exit code means: done, transient, permanent, account, in-doubt.")
    private Map<Integer, String> exits = new HashMap<>();

    CommandCall.Reading reading(Secrets secrets) {
        var taught = new HashMap<Integer, Meaning>();
        exits.forEach((code, meaning) -> taught.put(code, Meaning.named(meaning)));
        return new CommandCall.Reading(taught, secrets);
    }

    /** Says what is wrong with a command before anything starts. */
    static void checkRunnable(List<String> command, Path here, Map<String, String> environment) {
        var trouble = Program.trouble(command.getFirst(), here, environment);
        if (trouble != null) {
            throw new IllegalArgumentException(trouble);
        }
    }
}
