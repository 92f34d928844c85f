package dev.pawl.command;

import dev.pawl.command.Folder.Sight;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.KnownEnd;
import dev.pawl.effect.Verification;
import dev.pawl.effect.Verify;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.ResultNotKept;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs commands as steps and effects of jobs. Whatever a killed process began is found again by its attempt: what still runs is waited for, and
 * what has ended is read. One per process and folder. Thread-safe.
 */
public final class Commands implements AutoCloseable {
    /** How long an attempt may take above its own time-out: to be started late, to be ended, to be read. */
    static final Duration MARGIN = Duration.ofMinutes(2);

    private static final TypeToken<JsonNode> JSON = TypeToken.of(JsonNode.class);

    private static final int MOST_ROUNDS = 3;

    private final Workplace workplace;
    private final CommandRunner runner;

    /** Is told of each command that begins here, and of each that has ended, whoever began it. */
    @FunctionalInterface
    public interface Watcher {
        /** A command is about to begin; where {@code folder} is, its end will be known. */
        default void begins(Path folder) {}

        /** A command of {@code job} has ended like this; {@code says} is that in a sentence, with its last line. */
        void ended(Identity identity, Meaning meaning, Exit exit, String says);
    }

    /** Commands whose folders are in {@code root}. */
    public Commands(Time time, Path root, Watcher watcher) {
        this(time, root, watcher, Relay.NOBODY);
    }

    /** Commands whose folders are in {@code root}, and what they write is shown to {@code relay} too. */
    public Commands(Time time, Path root, Watcher watcher, Relay relay) {
        this(time, () -> List.of(root), watcher, relay);
    }

    /**
     * Commands whose folders are where {@code roots} says when the first of them is needed.
     *
     * @param roots where folders are made, and then where earlier ones may be
     */
    public Commands(Time time, Supplier<List<Path>> roots, Watcher watcher, Relay relay) {
        this(time, roots, watcher, relay, Start.now(), MinderJars.ofLauncher());
    }

    Commands(Time time, Supplier<List<Path>> roots, Watcher watcher, Relay relay, Start now, MinderJars jars) {
        this.workplace = new Workplace(time, roots, now, jars);
        this.runner = new CommandRunner(workplace, watcher, relay);
    }

    // ---- what a workflow calls

    /** Runs a command that is free to repeat; what it says is kept. */
    public JsonNode step(Job job, Named name, CommandCall call) {
        var tried = new AtomicReference<@Nullable Attempt>();
        return tidied(
                () -> job.step(name.timeout(lasts(call)), JSON, attempt -> {
                    tried.set(attempt);
                    return repeatable(job, name, call, attempt);
                }),
                tried::get);
    }

    /** Runs a command that touches the world. */
    public JsonNode effect(Job job, Named name, Contract<JsonNode> contract, CommandCall call) {
        var act = new CommandEffect(workplace, runner, job, name, call);
        return tidied(() -> job.effect(name.timeout(lasts(call)), contract, call.request(), JSON, act), act::last);
    }

    /** What is over needs no folder; a job that leaves its worker comes back to its own. */
    private JsonNode tidied(Supplier<JsonNode> work, Supplier<@Nullable Attempt> tried) {
        try {
            var result = work.get();
            tidy(tried.get());
            return result;
        } catch (StepFailed failed) {
            tidy(tried.get());
            throw failed;
        }
    }

    /** Asks a person whether the command that {@code name} runs next may; see {@link Job#approve(Named, Object, String, Duration)}. */
    public void approve(Job job, Named name, CommandCall call, String question, Duration expires) {
        job.approve(name, call.request(), question, expires);
    }

    /**
     * Runs a command that belongs to no job: nobody finds its result again.
     *
     * @return how it ended; empty when its minder was killed
     * @throws NotSent when it could not be started, and nothing of it ran
     */
    public Optional<Exit> runOnce(CommandCall call) throws IOException, InterruptedException {
        var home = Files.createTempDirectory(
                Files.createDirectories(workplace.folders().here()), "once");
        var folder = Folder.at(home.resolve("1"));
        folder.prepare(CommandEnvironment.once(call, folder), call.inputBytes());
        runner.give(folder, call);
        var sight = workplace.minders().await(folder, lasts(call));
        if (sight instanceof Sight.Abandoned) {
            throw runner.neverStarted();
        }
        if (sight instanceof Sight.Ended ended) {
            Folder.delete(home);
            return Optional.of(ended.exit());
        }
        if (sight instanceof Sight.Lost) {
            folder.maskAll(call.reading().secrets());
        }
        return Optional.empty();
    }

    /** Sends a signal to all commands that were begun here and still run. Returns whether there are any. */
    public boolean signal(String name) throws IOException {
        var minders = workplace.mindersSoFar();
        return minders.isPresent() && minders.get().signalAll(name);
    }

    /** What was begun here and still runs; it goes on when this process ends. */
    public List<Folder> stillRunning() throws IOException {
        var minders = workplace.mindersSoFar();
        return minders.isEmpty() ? List.of() : minders.get().stillRunning();
    }

    /** Asks by a command whether an attempt has happened: it must exit with 0 and say so in one JSON object. */
    public Verify<JsonNode> verify(Job job, Named name, CommandCall call) {
        return attempt -> {
            var home = workplace.folders().home(attempt);
            Files.createDirectories(home);
            var folder = Folder.at(Files.createTempDirectory(home, "verify").resolve("1"));
            folder.prepare(CommandEnvironment.of(job, name, call, attempt, folder), call.inputBytes());
            var sight = runner.awaited(folder, attempt, call, call.order());
            if (!(sight instanceof Sight.Ended ended)) {
                return Verification.cannotTell("of the look-up nobody knows how it ended");
            }
            var answers = runner.reader(folder, call);
            if (ended.exit().code() != 0) {
                return Verification.cannotTell("the look-up did not exit with 0: " + answers.sentence(ended.exit()));
            }
            try {
                return LookUpAnswers.of(answers.result(ended.exit()));
            } catch (ResultNotKept e) {
                return Verification.cannotTell("of the look-up nothing can be read: " + e.getMessage());
            }
        };
    }

    private static Duration lasts(CommandCall call) {
        return call.order().timeout().plus(MARGIN);
    }

    // ---- a step

    private JsonNode repeatable(Job job, Named name, CommandCall call, Attempt attempt) throws Exception {
        attempt.showing(ShownCommand.of(call));
        var folder = workplace.folders().ours(attempt, "step-" + attempt.number());
        for (var round = 1; ; round++) {
            var order = call.order();
            attempt.ensureOwned();
            try {
                folder.prepare(CommandEnvironment.of(job, name, call, attempt, folder), call.inputBytes());
            } catch (FileAlreadyExistsException e) {
                // An earlier worker has begun it.
                order = null;
            }
            switch (runner.awaited(folder, attempt, call, order)) {
                case Sight.Ended ended -> {
                    if (order == null) {
                        attempt.foundEnded();
                    }
                    return runner.reader(folder, call).ofStep(job, ended.exit());
                }
                case Sight.Lost ignored -> {
                    runner.keepWhatItWrote(folder, call, job);
                    throw new IllegalStateException("its minder was killed, and nobody knows how it ended");
                }
                case Sight.Running ignored -> again(folder, attempt, round);
                case Sight.Abandoned ignored -> again(folder, attempt, round);
                case Sight.Absent ignored -> again(folder, attempt, round);
                case Sight.Prepared ignored -> again(folder, attempt, round);
            }
        }
    }

    /** Makes room for another start. Whoever was frozen meanwhile may find the folder of the next owner there, and leaves it alone. */
    private void again(Folder folder, Attempt attempt, int round) throws IOException {
        attempt.ensureOwned();
        if (round == MOST_ROUNDS) {
            throw new IOException("no minder could be found that starts it"
                    + workplace.minders().lastWords());
        }
        folder.remove();
    }

    // ---- folders

    private void tidy(@Nullable Attempt attempt) {
        if (attempt == null) {
            return;
        }
        try {
            workplace.folders().tidy(attempt);
        } catch (IOException e) {
            // What is left over is swept away later.
        }
    }

    /**
     * What the folders of this machine know of effects' attempts, whoever made them: a command may have outlived its worker, and somebody
     * elsewhere may be asked what it has come to.
     */
    public List<KnownEnd> ends() throws IOException {
        return workplace.folders().ends();
    }

    /**
     * Removes what killed processes have left of jobs that are over. What has ended since it was told of is left for the next time.
     *
     * @param told what {@link #ends} knew, once the store was told
     * @param over whether a job is, so that nobody will ask for its commands any more
     */
    public void sweep(Collection<KnownEnd> told, Predicate<Identity> over) throws IOException {
        workplace.folders().sweep(told, over);
    }

    /** What runs now for a job on this machine, of commands whose folders are in {@code roots}. */
    public static List<Folder> running(List<Path> roots, Identity identity) throws IOException {
        return new Folders(roots, Start.now()).running(identity);
    }

    /**
     * The last that an effect's attempt has written, with its secrets masked, as far as its folder tells: it may still run, or its worker may be gone; empty when nothing
     * is left of it here, or a secret is not known that would have to be masked.
     *
     * @param key the effect's
     */
    public static String written(List<Path> roots, String key, int number, long fence) throws IOException {
        var found = new Folders(roots, Start.now()).find(key, Folders.nameOf(number, fence));
        return found.isEmpty() ? "" : ExitReader.written(found.get().folder());
    }

    /** Other machines that keep folders of commands in {@code roots} too, by name. */
    public static List<String> otherMachines(List<Path> roots) throws IOException {
        return new Folders(roots, Start.now()).otherMachines();
    }

    @Override
    public void close() throws IOException {
        workplace.close();
    }
}
