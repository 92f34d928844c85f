package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.batch.Volatility;
import dev.pawl.command.CommandCall;
import dev.pawl.command.CommandEnvironment;
import dev.pawl.command.Commands;
import dev.pawl.command.Exit;
import dev.pawl.command.Folder;
import dev.pawl.command.Meaning;
import dev.pawl.command.Order;
import dev.pawl.desk.EvidenceText;
import dev.pawl.desk.JobText;
import dev.pawl.desk.Words;
import dev.pawl.desk.WorkflowNames;
import dev.pawl.effect.Contract;
import dev.pawl.event.Event;
import dev.pawl.guard.Guard;
import dev.pawl.guard.OncePer;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.json.Json;
import dev.pawl.key.Encoding;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Names;
import dev.pawl.look.StoredJob;
import dev.pawl.retry.Retry;
import dev.pawl.text.ShellWord;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code pawl guard --name N -- CMD}: never two at once, and with a key never twice for one work item. */
@Command(
        name = "guard",
        description = "Run CMD unless it runs already; with a key, unless it was done for that key."
                + " Example: pawl guard --name backup --once-per day -- ./backup.sh",
        mixinStandardHelpOptions = true,
        exitCodeOnInvalidInput = GuardCommand.OURS,
        exitCodeOnExecutionException = GuardCommand.OURS)
final class GuardCommand implements Callable<Integer> {
    /** The exit code of Pawl itself; every other one is the command's. */
    static final int OURS = 125;

    private static final Duration LOOK = Duration.ofMillis(200);

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "CMD", arity = "1..*", description = "The command, after --.")
    @SuppressWarnings("NullAway.Init")
    private List<String> command;

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "What is guarded.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Option(names = "--key", paramLabel = "K", description = "The work item; several make one key.")
    private List<String> keys = List.of();

    @Option(names = "--once-per", paramLabel = "TIME", description = "hour, day or week: once in each.")
    private @Nullable String oncePer;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "Whose hours, days and weeks; the machine's unless said.")
    private String zone = ZoneId.systemDefault().getId();

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "How long CMD may take; ${DEFAULT-VALUE} unless said.")
    private String timeout = "1d";

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private ExitOption exits;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private BackoffOption backoff;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private TermOption term;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private EnvironmentOption environment;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private SecretOption secretOption;

    private Retry retry = Retry.OF_COMMANDS;

    private @Nullable PassedSignals signals;

    private volatile boolean begun;

    private volatile @Nullable Commands running;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private EventOption eventOption;

    @Option(
            names = {"-q", "--quiet"},
            description = "Say nothing about standing down.")
    private boolean quiet;

    @Override
    public Integer call() throws Exception {
        Names.check("guard", name);
        var kind = Volatility.kindWithin(name);
        if (kind != null) {
            throw new IllegalArgumentException(
                    "--name " + name + " has " + kind + " in it: every run would be guarded by itself alone");
        }
        var here = Path.of("").toAbsolutePath();
        ExitOption.checkRunnable(command, here, environment.more());
        var call = new CommandCall(
                new Order(command, here, environment.more(), Durations.parse(timeout)),
                "",
                exits.reading(secretOption.of("guard " + name, environment, command))
                        .withoutResult());
        var key = key(Time.system().now());
        retry = backoff.retry();
        try {
            return OneAtATime.run(
                    store,
                    "guard " + name,
                    "guard " + name,
                    OneAtATime.StandDown.unless(quiet),
                    ours -> key == null
                            ? once(ours, call)
                            : forKey(ours, call, new Identity(WorkflowNames.ofGuard(name), key)));
        } catch (Exception thrown) {
            var signal = signals == null ? null : signals.ended();
            if (signal == null) {
                throw thrown;
            }
            System.err.println("pawl: " + endedBy(signal));
            return OURS;
        }
    }

    /** What is so when a signal came while the command did not run. */
    private String endedBy(String signal) {
        return "guard " + name + " was ended by " + signal
                + (begun
                        ? " after its command was begun, and how that ended may not be recorded yet; the next guard of the same key goes on from there, and does not run it again if it was done"
                        : " before its command was run; whoever calls it again runs it");
    }

    private @Nullable Key key(Instant now) {
        if (oncePer == null) {
            return keys.isEmpty() ? null : new Key(keys);
        }
        if (!keys.isEmpty()) {
            throw new IllegalArgumentException("say --key or --once-per, not both");
        }
        return OncePer.named(oncePer).key(now.atZone(ZoneId.of(zone)));
    }

    private int standsDown() {
        return OneAtATime.standsDown(
                "guard " + name,
                "because its Pawl was killed and its command goes on",
                OneAtATime.StandDown.unless(quiet));
    }

    /** A command of an earlier holder may have outlived it. Returns whose it is then; null when none has. */
    private static @Nullable String outlived(Guard.TryResult.Ours ours) throws IOException {
        if (ours.before().isEmpty()) {
            return null;
        }
        var folder = Folder.at(Path.of(ours.before()));
        return folder.goesOn() ? folder.job().orElse("") : null;
    }

    private Commands commands(Guard guard, Supplier<List<Path>> roots, AtomicReference<@Nullable Exit> ended) {
        return new Commands(
                Time.system(),
                roots,
                new Commands.Watcher() {
                    @Override
                    public void begins(Path folder) {
                        begun = true;
                        try {
                            guard.note(folder.toString());
                            StandardInput.handOn(folder);
                        } catch (IOException e) {
                            throw new UncheckedIOException("guard " + name + " cannot be written", e);
                        }
                    }

                    @Override
                    public void ended(Identity identity, Meaning meaning, Exit exit, String says) {
                        ended.set(exit);
                    }
                },
                new PassedOutput(() -> Objects.requireNonNull(running)));
    }

    private int once(Guard.TryResult.Ours ours, CommandCall call) throws Exception {
        if (outlived(ours) != null) {
            return standsDown();
        }
        try (var commands = commands(ours.guard(), () -> List.of(store.beside("commands")), new AtomicReference<>())) {
            running = commands;
            signals = PassedSignals.to(commands);
            var exit = commands.runOnce(named(call));
            if (exit.isEmpty()) {
                System.err.println("pawl: the minder of " + name + " was killed, and nobody knows how it ended");
                return OURS;
            }
            return told(exit.get(), "");
        }
    }

    /** Its code, and in a sentence what that does not say. */
    private int told(Exit exit, String again) {
        var lost = StandardOutput.nobodyReads() ? null : StandardOutput.trouble();
        if (lost != null) {
            Warnings.say("guard " + name + ": its command has run and ended with " + exit.code()
                    + ", but not all that it wrote could be written to standard output: " + lost
                    + (exit.code() == 0 ? again : ""));
            return exit.code() == 0 ? OURS : exit.code();
        }
        if (exit.timedOut()) {
            Warnings.say(
                    "guard " + name + ": its command was ended because its time was up (--timeout " + timeout + ")");
        }
        return exit.code() == Exit.NOT_STARTED ? 127 : exit.code();
    }

    /** What a command without a work item is told of itself: each run is another one. */
    private CommandCall named(CommandCall call) {
        var run = WorkflowNames.ofGuard(name) + "/" + Time.system().now();
        var order = call.order();
        var more = new HashMap<>(order.more());
        more.put(CommandEnvironment.JOB, WorkflowNames.ofGuard(name));
        more.put(CommandEnvironment.KEY, Encoding.hash(run));
        handOnStore(more);
        return new CommandCall(
                new Order(order.command(), order.directory(), more, order.timeout()), call.input(), call.reading());
    }

    /** What has no work item is a script of batches and flows: it works with the store that this call has, if its environment says nothing else. */
    private void handOnStore(Map<String, String> more) {
        var said = System.getenv(CommandEnvironment.STORE);
        var ours = store.handedOn();
        if ((said == null || said.isBlank()) && ours != null) {
            more.putIfAbsent(CommandEnvironment.STORE, ours);
        }
    }

    private int forKey(Guard.TryResult.Ours ours, CommandCall call, Identity identity) throws Exception {
        var other = outlived(ours);
        var why = "";
        var again = "";
        var ended = new AtomicReference<@Nullable Exit>();
        var workflow = Workflow.named(identity.workflow(), JsonNode.class, JsonNode.class);
        // Each work item has a queue of its own: nobody takes another one's job along.
        var queue = "guard-" + identity.hash();
        var options = term.of(PawlOptions.usual())
                .queues(queue)
                .slots(1)
                .grace(Duration.ofSeconds(1))
                .log(eventOption.sparing(store, List.of()).to(Event.Level.LOUD, identity.workflow()))
                .whenItGivesUp(LastWords.OF_A_GUARD);
        var opened = new CompletableFuture<Pawl>();
        try (var commands = commands(ours.guard(), () -> store.commands(opened::join), ended);
                var pawl = store.openOrMake(options)) {
            opened.complete(pawl);
            running = commands;
            signals = PassedSignals.to(commands);
            var before = pawl.find(identity);
            if (before.isPresent() && before.get().state() == JobState.DONE) {
                if (!quiet) {
                    System.err.println("pawl: " + WorkflowNames.called(identity) + " is done already, since "
                            + Words.local(before.get().standing().times().changed()));
                }
                return 0;
            }
            if (other != null && !other.equals(identity.toString())) {
                return standsDown();
            }
            LastRun.typed(spec.root().commandLine().getParseResult().originalArgs())
                    .keep(store, identity.workflow());
            pawl.work(workflow.implementedBy(
                            (job, input) -> commands.effect(job, Named.named("run"), Contract.none(), call))
                    .retry(retry));
            pawl.submit(
                    workflow, identity.key(), Json.tree("{}"), Handling.usual().queue(queue));
            var held = new HeldElsewhere("job", quiet);
            var look = new PatientLook(pawl, identity, () -> untold(identity, ended.get()));
            var job = look.now();
            while (!isTold(job, ended.get()) && !atRest(job)) {
                held.isHeld(pawl, job);
                pawl.awaitQuiet(LOOK);
                job = look.now();
            }
            if (ended.get() == null && job.state() == JobState.DONE) {
                if (!quiet) {
                    Warnings.say(WorkflowNames.called(identity)
                            + " was begun by a guard that is gone, and is done; what its command wrote: pawl logs "
                            + ShellWord.of(identity.toString())
                            + pawl.operator().storeOption());
                }
                return 0;
            }
            why = why(pawl, job);
            again = "; pawl resubmit " + ShellWord.of(identity.toString()) + " --note WHY"
                    + pawl.operator().storeOption() + " lets it be run again";
        }
        var exit = ended.get();
        if (exit != null) {
            return told(exit, again);
        }
        System.err.println("pawl: " + WorkflowNames.called(identity) + " was not run; " + why);
        return OURS;
    }

    /** Whether the store knows how the command ended. */
    private static boolean isTold(StoredJob job, @Nullable Exit ended) {
        return ended != null && job.state() != JobState.RUNNING;
    }

    /** What there is to say while the store does not answer. */
    private static String untold(Identity identity, @Nullable Exit ended) {
        return ended == null
                ? WorkflowNames.called(identity) + " goes on meanwhile, and this waits"
                : "The command of " + WorkflowNames.called(identity) + " has run and ended with " + ended.code()
                        + ", which is not recorded yet; this waits until it is, and if it is ended before, the next guard of the same key records it and does not run the command again";
    }

    /** Why a work item is not run now, and what to do about it. */
    private String why(Pawl pawl, StoredJob job) {
        var outcome = job.outcome();
        if (outcome.question() != null) {
            return "it asks\n" + new EvidenceText(new TypedHere(store, pawl), pawl).of(job)
                    + JobText.question(outcome.question(), job, pawl.operator().storeOption());
        }
        if (outcome.failure() != null) {
            return "it " + Words.of(outcome.failure()) + "; pawl retry " + job.identity() + " --note WHY"
                    + pawl.operator().storeOption() + " lets it be tried again";
        }
        var due = job.standing().times().due();
        if (outcome.gate() == null && due != null) {
            return "whoever calls this from " + Words.local(due) + " on tries it again; pawl show " + job.identity()
                    + pawl.operator().storeOption() + " says why it waits";
        }
        return pawl.closedGates().stream()
                .filter(gate -> gate.name().equals(outcome.gate()))
                .map(gate -> gate.text(
                        pawl.operator().waitingAt(gate), pawl.operator().storeOption()))
                .findFirst()
                .orElse("pawl show " + job.identity() + pawl.operator().storeOption() + " says more");
    }

    /** Whether nothing more comes of it now: it has ended, it asks, or it waits for longer than anybody stays. */
    private static boolean atRest(StoredJob job) {
        var due = job.standing().times().due();
        return job.state().finished()
                || job.state() == JobState.PAUSED
                || (job.state() != JobState.RUNNING
                        && (due == null || due.isAfter(Time.system().now().plusSeconds(2))));
    }
}
