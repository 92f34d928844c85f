package dev.pawl.cli;

import dev.pawl.desk.Fields;
import dev.pawl.export.ExportFile;
import dev.pawl.export.LineSums;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl export FILE}: everything that is in the store, as JSON lines. */
@Command(
        name = "export",
        description =
                "Write everything that is in the store to FILE, one JSON object a line, as it is at one moment, while others work with it. The last line counts"
                        + " the lines of each kind and adds up their hashes. Example: pawl export store.jsonl && pawl export --check store.jsonl",
        mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Option(
            names = "--check",
            description = "Write nothing: read FILE, and say whether it is whole and as it was written.")
    private boolean check;

    @Parameters(paramLabel = "FILE", description = "Where to; it is there as a whole or not at all.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Override
    public Integer call() throws IOException {
        var sums = check ? checked() : written();
        json.say(
                file
                        + (check ? " is whole: " : ": ")
                        + sums.entrySet().stream()
                                .map(one -> one.getKey() + " " + one.getValue().lines())
                                .collect(Collectors.joining(", ")),
                Fields.of("file", file.toString(), "lines", sums));
        return ExitCodes.WELL;
    }

    private Map<String, LineSums.Sum> checked() throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("there is no file " + file);
        }
        try (var reader = Files.newBufferedReader(file)) {
            return ExportFile.read(reader, line -> {});
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private Map<String, LineSums.Sum> written() throws IOException {
        if (Files.exists(file)) {
            throw isThere();
        }
        var beside = Objects.requireNonNull(file.toAbsolutePath().getParent());
        if (!Files.isDirectory(beside)) {
            throw new IllegalArgumentException("there is no folder " + beside);
        }
        try (var pawl = store.look()) {
            // Made for its owner's eyes: inputs and results are in it.
            var making = Files.createTempFile(beside, ".export-", ".jsonl");
            try {
                Map<String, LineSums.Sum> sums;
                try (var writer = Files.newBufferedWriter(making)) {
                    sums = pawl.operator().export(writer);
                }
                // Never over a file that has appeared meanwhile.
                Files.createLink(file, making);
                return sums;
            } catch (FileAlreadyExistsException e) {
                throw isThere();
            } finally {
                Files.deleteIfExists(making);
            }
        }
    }

    private IllegalArgumentException isThere() {
        return new IllegalArgumentException(file + " is there already; name another file, or move it away");
    }
}
