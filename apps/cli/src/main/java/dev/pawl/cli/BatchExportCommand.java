package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.Fields;
import dev.pawl.desk.Words;
import dev.pawl.job.JobState;
import dev.pawl.json.Json;
import dev.pawl.look.StoredJob;
import dev.pawl.text.Many;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code pawl batch export NAME -o FILE}: what came of each row, all or nothing. */
@Command(
        name = "export",
        description = "Write what came of each row, one JSON object a line; exits with 0 only when the batch is whole."
                + " Example: pawl batch export nightly -o results.jsonl",
        mixinStandardHelpOptions = true)
final class BatchExportCommand implements Callable<Integer> {
    private static final int AT_ONCE = 500;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(paramLabel = "NAME", description = "The batch.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Option(
            names = "-o",
            required = true,
            paramLabel = "FILE",
            description = "Where to; it is there as a whole or not at all.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Override
    public Integer call() throws IOException {
        file = OutputFile.export(file).checked(store);
        try (var pawl = store.look()) {
            var states = BatchStatusCommand.count(store, pawl, name);
            if (BatchStatusCommand.isEmpty(states)) {
                throw new IllegalArgumentException("the rows of batch " + name
                        + " were pruned, and their results with them; there is nothing to export");
            }
            var all = states.values().stream().mapToLong(Long::longValue).sum();
            var open = all - states.getOrDefault(JobState.DONE, 0L) - states.getOrDefault(JobState.CANCELLED, 0L);
            var unseen = !seenAll(pawl);
            var pruned = pawl.operator().pruned(name);
            var written = write(pawl);
            json.say(
                    Words.many(written, "row") + " in " + file
                            + (open == 0
                                    ? ""
                                    : ", and " + Words.many(open, "row") + " not done; pawl batch status " + name
                                            + pawl.operator().storeOption())
                            + (pruned == 0
                                    ? ""
                                    : "; "
                                            + Many.of(
                                                    pruned,
                                                    "row was pruned, and its result with it",
                                                    "rows were pruned, and their results with them"))
                            + (unseen
                                    ? "; no run has seen every row and come to its end since then: run it again"
                                    : ""),
                    Fields.of(
                            "batch",
                            name,
                            "rows",
                            written,
                            "notDone",
                            open,
                            "pruned",
                            pruned,
                            "seenAll",
                            !unseen,
                            "file",
                            file.toString()));
            return open == 0 && pruned == 0 && !unseen ? ExitCodes.WELL : ExitCodes.UNFINISHED;
        }
    }

    /** Whether a run has seen every row: the last one, and after a backup was put in the store's place, if one ever was. */
    private boolean seenAll(Pawl pawl) throws IOException {
        var last = OneAtATime.last(store, BatchRunCommand.guardOf(name));
        var restored = pawl.operator().restored();
        return last.isPresent()
                && last.get().note().equals(BatchRunCommand.SEEN_ALL)
                && (restored.isEmpty() || last.get().holder().since().isAfter(restored.get()));
    }

    private long write(Pawl pawl) throws IOException {
        var absolute = file.toAbsolutePath();
        var half = Files.createTempFile(absolute.getParent(), "." + absolute.getFileName(), ".part");
        var many = 0L;
        try {
            try (var writer = Files.newBufferedWriter(half)) {
                var page = done(pawl, 0);
                while (!page.isEmpty()) {
                    page.forEach(job -> write(writer, job));
                    many += page.size();
                    page = done(pawl, page.getLast().id());
                }
            }
            try (var channel = FileChannel.open(half, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(half, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(half);
        }
        return many;
    }

    private List<StoredJob> done(Pawl pawl, long after) {
        return pawl.operator().wholeJobs(name, EnumSet.of(JobState.DONE), after, AT_ONCE);
    }

    private static void write(BufferedWriter writer, StoredJob job) {
        var line = new LinkedHashMap<String, @Nullable Object>();
        line.put("key", job.identity().key().parts());
        line.put("row", job.pruned() ? null : Json.read(job.input(), JsonNode.class));
        var result = job.outcome().result();
        line.put("result", result == null ? null : Json.read(result, JsonNode.class));
        try {
            writer.write(Json.write(line) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("the export cannot be written: " + e.getMessage(), e);
        }
    }
}
