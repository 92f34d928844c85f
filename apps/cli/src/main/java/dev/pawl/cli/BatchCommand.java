package dev.pawl.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code pawl batch}: a command over rows, each of them a job. */
@Command(
        name = "batch",
        description = "Run a command over rows, safe to run again.",
        mixinStandardHelpOptions = true,
        subcommands = {
            BatchRunCommand.class,
            BatchStatusCommand.class,
            BatchRetryCommand.class,
            BatchExportCommand.class
        })
final class BatchCommand implements Runnable {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(System.out);
    }
}
