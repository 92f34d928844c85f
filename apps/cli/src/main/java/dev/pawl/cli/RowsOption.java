package dev.pawl.cli;

import dev.pawl.batch.RowFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where the rows of a batch are: in a file, or in what is piped in. */
final class RowsOption {
    /** As much of a path as a guard's record has room for, whatever its characters are. */
    private static final int MOST_SHOWN = 500;

    @Parameters(
            index = "0",
            paramLabel = "ROWS",
            description = "A file of JSON objects, one a line, or of CSV with a heading; - for stdin.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String rows;

    @Option(names = "--csv", description = "ROWS is CSV, whatever its name.")
    private boolean csv;

    /** As it was typed. */
    @Override
    public String toString() {
        return rows;
    }

    /** The file that is read; empty when it is standard input. */
    Optional<Path> path() {
        return rows.equals("-") ? Optional.empty() : Optional.of(Path.of(rows));
    }

    /** Whether they can be read again; what comes out of a pipe only its caller knows. */
    boolean canBeReadAgain() {
        return path().filter(Files::isRegularFile).isPresent();
    }

    /** Which rows these are: another file, or the same one with other lines in it, are others. */
    String identity() throws IOException {
        if (!canBeReadAgain()) {
            return "what " + ProcessHandle.current().pid() + " was given";
        }
        var path = Path.of(rows);
        var real = path.toRealPath().toString();
        return (real.length() > MOST_SHOWN ? "…" + real.substring(real.length() - MOST_SHOWN) : real) + " of "
                + Files.getLastModifiedTime(path) + ", " + Files.size(path) + " bytes";
    }

    RowFile file() throws IOException {
        if (!rows.equals("-")) {
            var path = Path.of(rows);
            if (!Files.isReadable(path) || Files.isDirectory(path)) {
                throw new IllegalArgumentException("there are no rows to read at " + path);
            }
            var form = csv ? RowFile.Form.CSV : RowFile.at(path).form();
            if (Files.isRegularFile(path)) {
                return new RowFile(path, form);
            }
            try (var pipe = Files.newInputStream(path)) {
                return spooled(pipe, form);
            }
        }
        return spooled(System.in, csv ? RowFile.Form.CSV : RowFile.Form.JSONL);
    }

    /** What can be read once only, in a file that can be read as often as wanted. */
    private static RowFile spooled(InputStream rows, RowFile.Form form) throws IOException {
        var spooled = Files.createTempFile("pawl-rows", "");
        spooled.toFile().deleteOnExit();
        Files.copy(rows, spooled, StandardCopyOption.REPLACE_EXISTING);
        return new RowFile(spooled, form);
    }
}
