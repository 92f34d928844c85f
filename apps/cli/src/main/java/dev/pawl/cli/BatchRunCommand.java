package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.batch.Batch;
import dev.pawl.batch.Brake;
import dev.pawl.batch.KeyFields;
import dev.pawl.batch.Report;
import dev.pawl.batch.Row;
import dev.pawl.batch.RowCommand;
import dev.pawl.batch.RowFile;
import dev.pawl.batch.RowWork;
import dev.pawl.batch.Survey;
import dev.pawl.batch.Volatility;
import dev.pawl.command.Commands;
import dev.pawl.command.Exit;
import dev.pawl.command.Folder;
import dev.pawl.command.Meaning;
import dev.pawl.command.Order;
import dev.pawl.command.Relay;
import dev.pawl.desk.Fields;
import dev.pawl.desk.Words;
import dev.pawl.effect.Contract;
import dev.pawl.guard.Guard;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Names;
import dev.pawl.text.Many;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code pawl batch run ROWS --name NAME --key a,b -- CMD…}. */
@Command(
        name = "run",
        description = "Run CMD for each row of ROWS that is not done yet; the row is its standard input."
                + " Example: pawl batch run articles.jsonl --name nightly --key slug -- ./publish.sh",
        mixinStandardHelpOptions = true)
final class BatchRunCommand implements Callable<Integer> {
    /** What the guard of a batch says once a run has seen every row. */
    static final String SEEN_ALL = "seen-all";

    /** As much of a path as a guard's record has room for, whatever its characters are. */
    private static final int MOST_SHOWN = 500;

    private static final List<String> OF_COMMANDS =
            List.of("--contract", "--verify", "--exit", "--attempts", "--backoff", "--timeout", "--env", "--secret");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private StoreOption store;

    @Parameters(
            index = "0",
            paramLabel = "ROWS",
            description = "A file of JSON objects, one a line, or of CSV with a heading; - for stdin.")
    @SuppressWarnings("NullAway.Init")
    private String rows;

    @Parameters(index = "1..*", paramLabel = "CMD", arity = "0..*", description = "The command, after --.")
    private List<String> command = List.of();

    @Option(
            names = "--flow",
            paramLabel = "FLOW",
            description = "A flow's YAML file instead of CMD: each row is the input of a job of it.")
    private @Nullable Path flow;

    @Option(
            names = "--name",
            required = true,
            paramLabel = "NAME",
            description = "The batch: with a row's key it makes the job.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Option(
            names = "--key",
            required = true,
            paramLabel = "FIELD[,FIELD]",
            description = "The fields that make a row itself.")
    @SuppressWarnings("NullAway.Init")
    private String key;

    @Option(names = "-j", paramLabel = "N", description = "How many rows at once; ${DEFAULT-VALUE} unless said.")
    private int atOnce = 4;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private BackoffOption backoff;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "How long CMD may take; ${DEFAULT-VALUE} unless said.")
    private String timeout = "1h";

    @Option(
            names = "--contract",
            paramLabel = "C",
            description =
                    "What happens when nobody knows whether CMD did its work: none (a person is asked), idempotent[:24h] (its destination"
                            + " does the same thing once for one PAWL_KEY), or repeatable (it is free to repeat). none unless said.")
    private String contract = "none";

    @Option(
            names = "--verify",
            paramLabel = "SHELL",
            description = "A command that says whether CMD did its work for PAWL_KEY.")
    private @Nullable String verify;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private ExitOption exits;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private EnvironmentOption environment;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private SecretOption secretOption;

    @Option(
            names = "--halt-after",
            paramLabel = "N",
            description = "Stop when so many rows in a row fail alike; 0 for never. ${DEFAULT-VALUE} unless said.")
    private int haltAfter = 5;

    @Option(
            names = "--linger",
            paramLabel = "TIME",
            description = "How long to stay for rows that are to be tried again; ${DEFAULT-VALUE} unless said.")
    private String linger = "30m";

    @Option(names = "--csv", description = "ROWS is CSV, whatever its name.")
    private boolean csv;

    @Option(
            names = "--skip-bad-lines",
            paramLabel = "FILE",
            description = "Leave lines out that cannot be read, and list them in FILE.")
    private @Nullable Path badLines;

    @Option(names = "--allow-volatile-key", description = "Go on although the key looks random or like a time.")
    private boolean allowVolatileKey;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private WorkerOption workerOption;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private AsOption as;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private EventOption eventOption;

    @Option(
            names = {"-q", "--quiet"},
            description = "Say nothing when all is well.")
    private boolean quiet;

    @Option(names = "--tee", description = "Show what CMD writes as it writes it; it is kept for \"pawl logs\" anyway.")
    private boolean tee;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private PingOption ping;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Override
    public Integer call() throws Exception {
        Names.check("batch", name);
        var kind = Volatility.kindWithin(name);
        if (kind != null && !allowVolatileKey) {
            throw new IllegalArgumentException(
                    "--name " + name + " has " + kind
                            + " in it: every run would be another batch, and do everything again. Name what the batch is, or insist with --allow-volatile-key");
        }
        var code = code();
        var options = workerOption.of(
                Workshop.options(atOnce, eventOption.sparing(store, inputs()).to(Workshop.least(quiet), name)));
        ping.check();
        if (badLines != null) {
            badLines = rows.equals("-")
                    ? OutputFile.badLines(badLines).checked(store)
                    : OutputFile.badLines(badLines).checked(store, Path.of(rows));
        }
        return Interruption.ending(() -> OneAtATime.run(
                store,
                guardOf(name),
                "batch " + name,
                over(),
                OneAtATime.StandDown.unless(quiet).and(json, "batch", name),
                ours -> run(ours.guard(), options, code)));
    }

    /** The files that are read. */
    private List<Path> inputs() {
        var inputs = new ArrayList<Path>();
        if (!rows.equals("-")) {
            inputs.add(Path.of(rows));
        }
        if (flow != null) {
            inputs.add(flow);
        }
        return inputs;
    }

    /** Keeps what was typed, once its rows were accepted, for whoever asks what goes on with them; what comes out of a pipe only its caller knows. */
    private void keepHow() {
        var typed = LastRun.typed(spec.root().commandLine().getParseResult().originalArgs());
        (!rows.equals("-") && Files.isRegularFile(Path.of(rows)) ? typed : typed.saying(rows, "ROWS"))
                .keep(store, name);
    }

    /** Which rows these are: another file, or the same one with other lines in it, are others. */
    private String over() throws IOException {
        var path = Path.of(rows);
        if (rows.equals("-") || !Files.isRegularFile(path)) {
            return "what " + ProcessHandle.current().pid() + " was given";
        }
        var real = path.toRealPath().toString();
        return (real.length() > MOST_SHOWN ? "…" + real.substring(real.length() - MOST_SHOWN) : real) + " of "
                + Files.getLastModifiedTime(path) + ", " + Files.size(path) + " bytes";
    }

    static String guardOf(String batch) {
        return "batch " + batch;
    }

    /** What is done for each row, once there is somebody who runs commands. */
    private interface Code {
        RowWork of(Commands commands);
    }

    /** What is done for each row; what is wrong with that is said before anything starts. */
    private Code code() throws IOException {
        if (flow == null) {
            var wanted = wanted();
            var retry = backoff.retry();
            var handling = workerOption.taking(as.over(""));
            return commands -> new RowWork(wanted.code(name, commands, retry), handling);
        }
        if (!command.isEmpty()) {
            throw new IllegalArgumentException("say --flow FLOW or -- CMD, not both");
        }
        for (var option : OF_COMMANDS) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new IllegalArgumentException(
                        option + " is of a command; with --flow the flow itself says it, for each of its steps");
            }
        }
        var read = Flows.runnable(flow).named(name);
        var handling = workerOption.taking(as.over(read.rules().principal()));
        return commands -> new RowWork(Flows.code(read, commands), handling);
    }

    private RowCommand wanted() {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("say what to run for each row, after --, or with --flow FLOW");
        }
        var here = Path.of("").toAbsolutePath();
        ExitOption.checkRunnable(command, here, environment.more());
        var longest = Durations.parse(timeout);
        return new RowCommand(
                new Order(command, here, environment.more(), longest),
                exits.reading(secretOption.of("batch " + name, environment, words())),
                contract(),
                verify == null
                        ? null
                        : new Order(List.of("/bin/sh", "-c", verify), here, environment.more(), Duration.ofMinutes(1)));
    }

    /** All that was typed to be run. */
    private List<String> words() {
        var words = new ArrayList<>(command);
        if (verify != null) {
            words.add(verify);
        }
        return words;
    }

    private @Nullable Contract<JsonNode> contract() {
        var parts = contract.split(":", 2);
        return switch (parts[0]) {
            case "none" -> Contract.none();
            case "repeatable" -> null;
            case "idempotent" ->
                parts.length == 1 ? Contract.idempotent() : Contract.idempotent(Durations.parse(parts[1]));
            default ->
                throw new IllegalArgumentException(
                        "\"" + contract + "\" is no contract; say none, idempotent, idempotent:24h or repeatable");
        };
    }

    private int run(Guard guard, PawlOptions options, Code code) throws Exception {
        var brake = new Brake(haltAfter, Brake.Pauses.USUAL, Time.system());
        var skipped = new ArrayList<String>();
        var bar = new Bar(Screen.watched(), name);
        var release = new GateRelease(name);
        Batch begun;
        try (var workshop =
                new Workshop(store, options, new Braked(brake, bar, release), tee ? Shown.STREAMS : Relay.NOBODY)) {
            var survey = Survey.of(
                    file(), name, KeyFields.of(key), hashes -> workshop.pawl().briefs(hashes), skipping(skipped));
            var troubles = survey.troubles(allowVolatileKey);
            if (!troubles.isEmpty()) {
                troubles.forEach(Warnings::say);
                return 2;
            }
            if (badLines != null) {
                Files.write(badLines, skipped);
                if (!skipped.isEmpty()) {
                    Warnings.say(Words.many(skipped.size(), "line") + " left out, and listed in " + badLines);
                }
            }
            keepHow();
            var pawl = workshop.pawl();
            var batch = new Batch(pawl, Time.system(), survey, code.of(workshop.commands()), Durations.parse(linger));
            // What is told of commands that outlived their Pawl is told, and paid for, in this run.
            workshop.sweep();
            if (batch.earlier() > 0 && !quiet) {
                Warnings.say(Many.of(
                        batch.earlier(),
                        "row of earlier runs is not finished, and not in " + rows + "; this run goes on with it",
                        "rows of earlier runs are not finished, and not in " + rows + "; this run goes on with them"));
            }
            if (survey.isEmpty() && !quiet) {
                Warnings.say("there is no row in " + rows);
            }
            survey.remarks().forEach(Warnings::say);
            guard.note("");
            release.opens(pawl);
            Batch.gateOfBrake(pawl, name).ifPresent(gate -> {
                brake.startStopped(Objects.requireNonNull(gate.closing()).why());
                release.now("a run begins, and tries one row");
            });
            ping.begins();
            begun = batch;
            try {
                try (bar) {
                    // A flow runs more commands than there are rows.
                    bar.begins(quiet || tee || flow != null ? 0 : survey.left());
                    batch.run(new HeldElsewhere("row", quiet), () -> {
                        if (!brake.stopped()) {
                            // A row that was stopped just before may have closed it again.
                            release.now("rows come out well");
                        }
                    });
                }
                if (batch.enrolled()) {
                    guard.note(SEEN_ALL);
                }
                return told(batch, pawl);
            } catch (InterruptedException e) {
                // What it came to is told once nothing more comes of it.
            }
        }
        try (var pawl = store.open()) {
            return told(begun, pawl);
        }
    }

    /** Says what a run has come to, and what next; returns the exit code. */
    private int told(Batch batch, Pawl pawl) {
        var report = batch.report(pawl);
        var rows = report.rows();
        tell(report);
        ping.ended(report.exitCode(), Summary.line(report));
        pawl.storeTroubleFor(Duration.ZERO)
                .ifPresent(why -> System.err.println("pawl: nothing can be recorded: " + why
                        + ". What has ended is not lost: run it again once there is room"));
        batch.closedGate(pawl)
                .ifPresent(gate -> System.err.println(gate.text(pawl.waitingAt(gate), pawl.storeOption())));
        if (rows.paused() > 0) {
            var these = "pawl jobs --state paused --workflow " + name + pawl.storeOption();
            System.err.println("pawl: " + Words.many(rows.paused(), "row") + " asking; " + these
                    + " lists them, and pawl show JOB" + pawl.storeOption()
                    + " says what each asks. Look first: retry does again what has happened. All that ask the same are answered by"
                    + " pawl decide --alike JOB VERDICT --note WHY" + pawl.storeOption());
        }
        if (rows.failed() > 0) {
            System.err.println("pawl: " + Words.many(rows.failed(), "row")
                    + " given up, which stays so until somebody says: pawl batch retry " + name + " --note WHY"
                    + pawl.storeOption());
        }
        if (rows.before() > 0) {
            System.err.println("pawl: " + Words.many(rows.before(), "row")
                    + " given up by earlier runs, and nobody has dealt with "
                    + (rows.before() == 1 ? "it" : "them") + ": pawl jobs --state failed --workflow " + name
                    + pawl.storeOption() + " lists, pawl batch retry " + name + " --note WHY" + pawl.storeOption()
                    + " tries again, pawl discard JOB --note WHY" + pawl.storeOption() + " gives up for good");
        }
        return report.exitCode();
    }

    private RowFile file() throws IOException {
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

    private @Nullable Consumer<Row> skipping(List<String> skipped) {
        return badLines == null
                ? null
                : row -> skipped.add(
                        Json.write(Fields.of("line", row.line(), "why", row.trouble(), "text", row.text())));
    }

    private void tell(Report report) {
        if (quiet && report.exitCode() == 0) {
            return;
        }
        json.say(Summary.line(report), Summary.fields(report));
    }

    /**
     * Tells the brake and the bar how rows end, and asks the brake before one begins.
     */
    private record Braked(Brake brake, Bar bar, GateRelease release) implements Commands.Watcher {
        @Override
        public void begins(Path folder) {
            brake.pass(() -> rowOf(folder));
        }

        private static String rowOf(Path folder) {
            try {
                return Folder.at(folder).job().orElse("");
            } catch (IOException e) {
                throw new UncheckedIOException(folder + " cannot be read", e);
            }
        }

        @Override
        public void ended(Identity identity, Meaning meaning, Exit exit, String says) {
            if (meaning == Meaning.DONE) {
                if (brake.succeeded()) {
                    release.now(identity + " came out well");
                }
                bar.one();
            } else {
                brake.failed(identity, meaning + " " + exit.code(), says);
            }
        }
    }
}
