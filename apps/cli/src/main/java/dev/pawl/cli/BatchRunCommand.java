package dev.pawl.cli;

import dev.pawl.PawlOptions;
import dev.pawl.batch.Batch;
import dev.pawl.batch.Brake;
import dev.pawl.batch.KeyFields;
import dev.pawl.batch.Row;
import dev.pawl.batch.RowCommand;
import dev.pawl.batch.RowWork;
import dev.pawl.batch.Survey;
import dev.pawl.batch.Volatility;
import dev.pawl.command.Commands;
import dev.pawl.command.Order;
import dev.pawl.command.Relay;
import dev.pawl.desk.Fields;
import dev.pawl.desk.Words;
import dev.pawl.effect.Contract;
import dev.pawl.guard.Guard;
import dev.pawl.json.Json;
import dev.pawl.key.Names;
import dev.pawl.text.Many;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

    private static final List<String> OF_COMMANDS =
            List.of("--contract", "--verify", "--exit", "--attempts", "--backoff", "--timeout", "--env", "--secret");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private RowsOption rows;

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
            badLines = OutputFile.badLines(badLines)
                    .checked(store, rows.path().stream().toArray(Path[]::new));
        }
        return Interruption.ending(() -> OneAtATime.run(
                store,
                guardOf(name),
                "batch " + name,
                rows.identity(),
                OneAtATime.StandDown.unless(quiet).and(json, "batch", name),
                ours -> run(ours.guard(), options, code)));
    }

    /** The files that are read. */
    private List<Path> inputs() {
        return Stream.concat(rows.path().stream(), Stream.ofNullable(flow)).toList();
    }

    private BatchOutcome outcome() {
        return new BatchOutcome(name, quiet, json, ping);
    }

    /** Keeps what was typed, once its rows were accepted, for whoever asks what goes on with them; what comes out of a pipe only its caller knows. */
    private void keepHow() {
        var typed = LastRun.typed(spec.root().commandLine().getParseResult().originalArgs());
        (rows.canBeReadAgain() ? typed : typed.saying(rows.toString(), "ROWS")).keep(store, name);
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
                    rows.file(),
                    name,
                    KeyFields.of(key),
                    hashes -> workshop.pawl().operator().briefs(hashes),
                    skipping(skipped));
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
                return outcome().told(batch, pawl);
            } catch (InterruptedException e) {
                // What it came to is told once nothing more comes of it.
            }
        }
        try (var pawl = store.open()) {
            return outcome().told(begun, pawl);
        }
    }

    private @Nullable Consumer<Row> skipping(List<String> skipped) {
        return badLines == null
                ? null
                : row -> skipped.add(
                        Json.write(Fields.of("line", row.line(), "why", row.trouble(), "text", row.text())));
    }
}
