package dev.pawl.cli;

import dev.pawl.script.Flow;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** One job of a flow, as it is typed. */
final class FlowJobOption {

    @Parameters(paramLabel = "FLOW", description = "The flow's YAML file.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Option(
            names = "--input",
            paramLabel = "JSON",
            description = "What the job is given: JSON, @FILE for what stands in FILE, or - for stdin.")
    private @Nullable String input;

    @Option(names = "--slot", paramLabel = "WHEN", description = "The day or instant that the job is for.")
    private @Nullable String slot;

    Path file() {
        return file;
    }

    /** The flow; what keeps it from being run is said before anything starts. */
    Flow flow() throws IOException {
        return Flows.runnable(file);
    }

    /** What the job is given. */
    JsonNode input() throws IOException {
        return Flows.input(input, slot);
    }
}
