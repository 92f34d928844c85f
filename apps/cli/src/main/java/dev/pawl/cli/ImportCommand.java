package dev.pawl.cli;

import dev.pawl.desk.Fields;
import dev.pawl.gate.GateNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl import FILE}: makes a store of what {@code pawl export} has written. */
@Command(
        name = "import",
        description =
                "Make a store of FILE, which \"pawl export\" has written, where no jobs are yet: in a file, or in a database. What was done since FILE was written is"
                        + " not in it, so everything waits until somebody has looked. Example: pawl import store.jsonl --store copy.db",
        mixinStandardHelpOptions = true)
final class ImportCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(paramLabel = "FILE", description = "What was exported.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Override
    public Integer call() throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("there is no file " + file);
        }
        store.requireRights();
        try {
            var sums = store.where().receive(file);
            try (var pawl = store.look()) {
                json.say(
                        store.shown() + " has what was in " + file + ": "
                                + sums.entrySet().stream()
                                        .map(one -> one.getKey() + " "
                                                + one.getValue().lines())
                                        .collect(Collectors.joining(", "))
                                + "; everybody waits until somebody has looked at what was done since: pawl open "
                                + GateNames.RESTORED + pawl.operator().storeOption() + " --note WHY",
                        Fields.of("file", file.toString(), "store", store.shown(), "lines", sums));
            }
            return ExitCodes.WELL;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage() + "; nothing was imported", e);
        }
    }
}
