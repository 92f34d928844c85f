package dev.pawl.cli;

import dev.pawl.json.JsonMismatch;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Where {@code pawl} begins. */
@Command(
        name = "pawl",
        description = "Unattended work that never slips back.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {
            BatchCommand.class,
            GuardCommand.class,
            RunCommand.class,
            StatusCommand.class,
            DoctorCommand.class,
            CostCommand.class,
            PruneCommand.class,
            WorkCommand.class,
            CheckCommand.class,
            LogsCommand.class,
            DemoCommand.class,
            JobsCommand.class,
            ShowCommand.class,
            DecideCommand.class,
            RetryCommand.class,
            ResubmitCommand.class,
            DiscardCommand.class,
            CancelCommand.class,
            SignalCommand.class,
            GatesCommand.class,
            OpenCommand.class
        })
public final class Main implements Runnable {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandLine.Model.CommandSpec spec;

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command line; what goes wrong is one sentence on stderr, and 2 when the call itself was wrong. */
    static CommandLine commandLine() {
        return new CommandLine(new Main()).setExecutionExceptionHandler((thrown, command, parsed) -> {
            command.getErr().println("pawl: " + sentence(thrown));
            if (command.getCommandName().equals("guard")) {
                return GuardCommand.OURS;
            }
            return thrown instanceof IllegalArgumentException || thrown instanceof JsonMismatch ? 2 : 1;
        });
    }

    /** What went wrong; the message of what the system says is often a bare name. */
    private static String sentence(Exception thrown) {
        return thrown instanceof IOException || thrown.getMessage() == null
                ? thrown.getClass().getSimpleName() + ": " + thrown.getMessage()
                : thrown.getMessage();
    }

    @Override
    public void run() {
        spec.commandLine().usage(System.out);
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            var version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"pawl " + (version == null ? "(not packaged)" : version)};
        }
    }
}
