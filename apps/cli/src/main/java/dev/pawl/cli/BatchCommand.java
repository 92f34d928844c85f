package dev.pawl.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code pawl batch}: a command over rows, each of them a job. */
@Command(
        name = "batch",
        description = "Run a command over rows, safe to run again. Example: pawl batch run --help",
        mixinStandardHelpOptions = true)
final class BatchCommand implements Runnable {
    /** What is done with batches. */
    static final List<Class<?>> COMMANDS =
            List.of(BatchRunCommand.class, BatchStatusCommand.class, BatchRetryCommand.class, BatchExportCommand.class);

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(System.out);
    }
}
