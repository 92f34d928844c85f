package dev.pawl.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Where {@code pawl} begins. */
@Command(
        name = "pawl",
        description = "Unattended work that never slips back.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {DemoCommand.class})
public final class Main implements Runnable {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandLine.Model.CommandSpec spec;

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
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
