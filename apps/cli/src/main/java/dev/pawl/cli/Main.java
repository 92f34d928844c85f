package dev.pawl.cli;

import dev.pawl.Operator;
import dev.pawl.failure.DecisionConflict;
import dev.pawl.failure.SubmitConflict;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.store.StoreFailure;
import dev.pawl.text.Visible;
import dev.pawl.text.WithoutPasswords;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Where {@code pawl} begins. */
public final class Main {
    /** Every command, in the order of the list that a person reads. */
    private static final List<Class<?>> COMMANDS = List.of(
            BatchCommand.class,
            GuardCommand.class,
            RunCommand.class,
            SubmitCommand.class,
            WorkCommand.class,
            WorkersCommand.class,
            MoveCommand.class,
            CheckCommand.class,
            StatusCommand.class,
            JobsCommand.class,
            HappenedCommand.class,
            ShowCommand.class,
            LogsCommand.class,
            DecideCommand.class,
            RetryCommand.class,
            ResubmitCommand.class,
            CancelCommand.class,
            DiscardCommand.class,
            SignalCommand.class,
            GatesCommand.class,
            OpenCommand.class,
            CostCommand.class,
            PricesCommand.class,
            PruneCommand.class,
            BackupCommand.class,
            RestoredCommand.class,
            ExportCommand.class,
            ImportCommand.class,
            RowsCommand.class,
            SchemaCommand.class,
            DoctorCommand.class,
            CompletionCommand.class,
            DemoCommand.class);

    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        if (COMMANDS.stream().anyMatch(command -> name("", command).equals(word(arguments, 0)))) {
            Thread.ofPlatform()
                    .daemon()
                    .name("pawl-warm")
                    .uncaughtExceptionHandler((thread, thrown) -> {
                        // Then it is made ready when it is needed, or that says why not.
                    })
                    .start(Main::warm);
        }
        Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
            System.err.println(
                    "pawl: it cannot go on, for want of memory, threads or open files, or by a defect of its own: "
                            + thrown);
            Runtime.getRuntime().halt(ours(arguments, ExitCodes.UNFINISHED));
        });
        StandardOutput.use();
        StandardInput.isForTheCommand();
        var lost = TypedBytes.lostIn(arguments);
        if (lost != null) {
            System.err.println("pawl: " + lost);
            System.exit(ours(arguments, ExitCodes.WRONG_CALL));
        }
        var code = commandLine(arguments).execute(arguments);
        System.exit(isGuard(arguments) ? code : StandardOutput.ending(code));
    }

    private static boolean isGuard(String... arguments) {
        return word(arguments, 0).equals("guard");
    }

    /** A guard's codes are its command's, but for one. */
    private static int ours(String[] arguments, int code) {
        return isGuard(arguments) ? GuardCommand.OURS : code;
    }

    /** Makes ready what nearly every command needs, while its options are read: to read JSON for the first time takes as long as that. */
    private static void warm() {
        var unused = Json.fingerprint("{\"a\":[1,null]}");
    }

    /**
     * The command line as far as these arguments need it: to read the options of every command takes longer than most of them do. What goes wrong is
     * one sentence on stderr, and 2 when the call itself was wrong.
     */
    static CommandLine commandLine(String... arguments) {
        var line = pawl();
        var first = word(arguments, 0);
        // It needs no command; help, or a word that is none, needs all of them.
        if (!first.equals("--version")) {
            add(line, COMMANDS, "", first);
        }
        var batch = line.getSubcommands().get("batch");
        if (batch != null) {
            add(batch, BatchCommand.COMMANDS, "Batch", first.equals("batch") ? word(arguments, 1) : "--help");
        }
        line.setParameterExceptionHandler((thrown, typed) -> {
            var command = thrown.getCommandLine();
            command.getErr().println(WithoutPasswords.of(Visible.lines(String.valueOf(thrown.getMessage()))));
            if (!CommandLine.UnmatchedArgumentException.printSuggestions(thrown, command.getErr())) {
                command.usage(command.getErr());
            }
            return command.getCommandSpec().exitCodeOnInvalidInput();
        });
        // Nobody who writes a file may add words to a command, and a command's own @FILE is the command's.
        return line.setExpandAtFiles(false).setExecutionExceptionHandler((thrown, command, parsed) -> {
            command.getErr().println("pawl: " + WithoutPasswords.of(Visible.lines(sentence(thrown))));
            return command.getCommandName().equals("guard") ? GuardCommand.OURS : exitCode(thrown);
        });
    }

    /** 2 for what cannot be done as it was called, until somebody says or mends something; 75 for what may well be done a moment later. */
    private static int exitCode(Exception thrown) {
        return switch (thrown) {
            case StoreFailure failure ->
                switch (failure.move()) {
                    case ASK_AGAIN -> ExitCodes.UNFINISHED;
                    case OPERATOR -> ExitCodes.WRONG_CALL;
                };
            case IOException full when isFull(full) -> ExitCodes.UNFINISHED;
            case IllegalArgumentException ignored -> ExitCodes.WRONG_CALL;
            case JsonMismatch ignored -> ExitCodes.WRONG_CALL;
            case DecisionConflict ignored -> ExitCodes.WRONG_CALL;
            case SubmitConflict ignored -> ExitCodes.WRONG_CALL;
            default -> ExitCodes.FAILED;
        };
    }

    /** Whether there was no room for a file: that is mended, and then it is run again. */
    private static boolean isFull(IOException thrown) {
        return String.valueOf(thrown.getMessage()).contains("No space left on device");
    }

    private static String word(String[] arguments, int number) {
        return arguments.length > number ? arguments[number] : "--help";
    }

    /** Adds the command that {@code word} names; all of them when it names none. */
    private static void add(CommandLine to, List<Class<?>> commands, String prefix, String word) {
        var named = commands.stream()
                .filter(command -> name(prefix, command).equals(word))
                .toList();
        (named.isEmpty() ? commands : named).forEach(command -> to.addSubcommand(name(prefix, command), command));
    }

    /** What a command is called: {@code retry} is RetryCommand, or among batches BatchRetryCommand. */
    private static String name(String prefix, Class<?> command) {
        var name = command.getSimpleName();
        return name.substring(prefix.length(), name.length() - "Command".length())
                .toLowerCase(Locale.ROOT);
    }

    /** What went wrong; the message of what the system says is often a bare name. */
    private static String sentence(Exception thrown) {
        var message = thrown.getMessage();
        if (message == null) {
            return "something went wrong in Pawl itself, without a word: " + thrown.getStackTrace()[0];
        }
        return switch (thrown) {
            case NoSuchFileException e -> "there is no file " + message;
            case AccessDeniedException e -> "this user may not use " + message;
            case FileAlreadyExistsException e -> message + " is there already";
            case DirectoryNotEmptyException e -> message + " is not empty";
            case NotDirectoryException e -> message + " is no folder";
            default -> message;
        };
    }

    /** {@code pawl} itself. It is told and not annotated: to read annotations takes longer than to say a version. */
    private static CommandLine pawl() {
        var listing = new CommandList();
        listing.spec
                .name("pawl")
                .versionProvider(new Version())
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this help message and exit.")
                        .build())
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Print version information and exit.")
                        .build());
        listing.spec.usageMessage().description("Unattended work that never slips back.");
        return new CommandLine(listing.spec);
    }

    /** What is done when no command is named: all are listed. */
    private static final class CommandList implements Runnable {
        private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

        @Override
        public void run() {
            spec.commandLine().usage(System.out);
        }
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"pawl " + Operator.version()};
        }
    }
}
