package dev.pawl.command;

import dev.pawl.command.Folder.Sight;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.EndedInDoubt;
import dev.pawl.effect.KnownEnd;
import dev.pawl.effect.OutOfReach;
import dev.pawl.effect.ResultNotKept;
import dev.pawl.effect.StillGoing;
import dev.pawl.effect.Verification;
import dev.pawl.effect.Verify;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.StepFailed;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import dev.pawl.retry.NotSent;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** The names of what is masked in whatever a command writes. */
    static final String SECRETS = "PAWL_SECRETS";

    /** Where whoever types {@code pawl} works. A job's command is not told unless somebody asks for it; empty, it is taken away. */
    static final String STORE = "PAWL_STORE";

    private final Watcher watcher;
    private final Relay relay;

    /** Is told of each command that begins here, and of each that has ended, whoever began it. */
    @FunctionalInterface
    public interface Watcher {
        /** A command is about to begin; where {@code folder} is, its end will be known. */
        default void begins(Path folder) {}

        /** A command of {@code job} has ended like this; {@code says} is that in a sentence, with its last line. */
        void ended(Identity identity, Meaning meaning, Exit exit, String says);
    }

    private final Time time;
    private final Supplier<List<Path>> roots;
    private final Start now;
    private final MinderJars jars;
    private volatile @Nullable Workplace desk;
    private boolean closed;

    /** What is there once it is known where. */
    private record Workplace(Folders folders, Minders minders) {}

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
        this.time = time;
        this.roots = roots;
        this.watcher = watcher;
        this.relay = relay;
        this.now = now;
        this.jars = jars;
    }

    private synchronized Workplace desk() throws IOException {
        var ready = desk;
        if (ready == null) {
            if (closed) {
                throw new IOException("no more commands are started here");
            }
            var folders = new Folders(roots.get(), now);
            var root = Files.createDirectories(folders.roots().getFirst().toAbsolutePath(), Folder.OURS_ALONE);
            ready = new Workplace(folders, new Minders(time, root.resolve("minder.log"), jars));
            desk = ready;
        }
        return ready;
    }

    private Folders folders() throws IOException {
        return desk().folders();
    }

    private Minders minders() throws IOException {
        return desk().minders();
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
        var act = new Act(job, name, call);
        return tidied(() -> job.effect(name.timeout(lasts(call)), contract, call.request(), JSON, act), () -> act.last);
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
        var home = Files.createTempDirectory(Files.createDirectories(folders().here()), "once");
        var folder = Folder.at(home.resolve("1"));
        folder.prepare(onceOnly(call, folder), bytes(call.input()));
        give(folder, call);
        var sight = minders().await(folder, lasts(call));
        if (sight instanceof Sight.Abandoned) {
            throw neverStarted();
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
        var ready = desk;
        return ready != null && ready.minders().signalAll(name);
    }

    /** What was begun here and still runs; it goes on when this process ends. */
    public synchronized List<Folder> stillRunning() throws IOException {
        var ready = desk;
        return ready == null ? List.of() : ready.minders().stillRunning();
    }

    /** Asks by a command whether an attempt has happened: it must exit with 0 and say so in one JSON object. */
    public Verify<JsonNode> verify(Job job, Named name, CommandCall call) {
        return attempt -> {
            var home = folders().home(attempt);
            Files.createDirectories(home);
            var folder = Folder.at(Files.createTempDirectory(home, "verify").resolve("1"));
            folder.prepare(order(job, name, call, attempt, folder), bytes(call.input()));
            var sight = awaited(folder, attempt, call, call.order());
            if (!(sight instanceof Sight.Ended ended)) {
                return Verification.cannotTell("of the look-up nobody knows how it ended");
            }
            var answers = new ExitReader(folder, call.reading(), watcher);
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
        var folder = folders().ours(attempt, "step-" + attempt.number());
        for (var round = 1; ; round++) {
            var order = call.order();
            attempt.ensureOwned();
            try {
                folder.prepare(order(job, name, call, attempt, folder), bytes(call.input()));
            } catch (FileAlreadyExistsException e) {
                // An earlier worker has begun it.
                order = null;
            }
            switch (awaited(folder, attempt, call, order)) {
                case Sight.Ended ended -> {
                    if (order == null) {
                        attempt.foundEnded();
                    }
                    return new ExitReader(folder, call.reading(), watcher).ofStep(job, ended.exit());
                }
                case Sight.Lost ignored -> {
                    keepWhatItWrote(folder, call, job);
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
            throw new IOException(
                    "no minder could be found that starts it" + minders().lastWords());
        }
        folder.remove();
    }

    /**
     * Has it started, unless it was, and waits for its end.
     *
     * @param order what was laid into the folder just now; null when somebody else has done that, and only the folder knows
     */
    private Sight awaited(Folder folder, Attempt attempt, CommandCall call, @Nullable Order order)
            throws IOException, OutOfReach, StillGoing {
        try {
            if (order != null || folder.look() instanceof Sight.Prepared) {
                start(folder, attempt, call, order == null ? folder.order() : order);
            }
            var sight = minders().await(folder, attempt.left());
            if (sight instanceof Sight.Lost) {
                folder.maskAll(call.reading().secrets());
            }
            if (sight instanceof Sight.Prepared && folder.abandon()) {
                return new Sight.Abandoned();
            }
            if (sight instanceof Sight.Prepared || sight instanceof Sight.Running) {
                throw new StillGoing("it still runs although its time is up");
            }
            return sight;
        } catch (InterruptedException e) {
            if (folder.look() instanceof Sight.Running) {
                throw new StillGoing("it still runs; whoever takes the job over goes on with it");
            }
            throw new OutOfReach("nobody waits for it here any more");
        }
    }

    /** Has a prepared command started; one that cannot be, or not in time, never will be. */
    private void start(Folder folder, Attempt attempt, CommandCall call, Order order) throws IOException {
        if (attempt.left().compareTo(order.timeout()) < 0) {
            refuse(folder, new NotSent("it was not started in time"));
            return;
        }
        attempt.ensureOwned();
        give(folder, call);
    }

    /** Gives it to a minder. Whatever keeps it from being given keeps it from ever being started. */
    private void give(Folder folder, CommandCall call) throws IOException {
        try {
            watcher.begins(folder.path());
            minders().give(folder, relay, call.reading().secrets());
        } catch (NotSent refused) {
            refuse(folder, refused);
        } catch (IOException | RuntimeException e) {
            refuse(folder, new NotSent("it could not be given to a minder: " + e.getMessage(), null, e));
        }
    }

    private NotSent neverStarted() throws IOException {
        return new NotSent("it was never started" + minders().lastWords());
    }

    /** Throws {@code why}, unless somebody has started it all the same. */
    private static void refuse(Folder folder, NotSent why) throws IOException {
        if (folder.abandon()) {
            throw why;
        }
    }

    // ---- an effect

    private final class Act implements Job.Outliving<CommandCall.Request, JsonNode> {
        private final Job job;
        private final Named name;
        private final CommandCall call;
        private volatile @Nullable Attempt last;

        private Act(Job job, Named name, CommandCall call) {
            this.job = job;
            this.name = name;
            this.call = call;
        }

        @Override
        public void prepare(CommandCall.Request request, Attempt attempt) throws IOException {
            try {
                var folder = folders().fresh(attempt, nameOf(attempt));
                folder.prepare(order(job, name, call, attempt, folder), bytes(call.input()), call.reading());
            } catch (FileSystemException e) {
                // Its message is a path, and often nothing else.
                throw new IOException(
                        e.getReason() == null
                                ? e.getMessage() + " cannot be made; is the disk full, and the folder yours?"
                                : e.getMessage(),
                        e);
            }
        }

        @Override
        public JsonNode act(CommandCall.Request request, Attempt attempt) throws Exception {
            last = attempt;
            return ended(folders().fresh(attempt, nameOf(attempt)), attempt, call.order());
        }

        @Override
        public JsonNode pickUp(CommandCall.Request request, Attempt attempt) throws Exception {
            last = attempt;
            var found = folders().find(attempt, nameOf(attempt)).orElse(null);
            if (found == null) {
                throw new OutOfReach("nothing is left of it on this machine");
            }
            return found.distance() == Start.Distance.HERE
                    ? ended(found.folder(), attempt, null)
                    : fromAnotherStart(found);
        }

        private JsonNode ended(Folder folder, Attempt attempt, @Nullable Order order) throws Exception {
            return switch (awaited(folder, attempt, call, order)) {
                case Sight.Ended ended -> {
                    if (order == null) {
                        attempt.foundEnded();
                    }
                    yield new ExitReader(folder, call.reading(), watcher).ofEffect(job, ended.exit());
                }
                case Sight.Abandoned ignored -> throw neverStarted();
                case Sight.Absent ignored -> throw new OutOfReach("its folder is gone, and nobody knows how it ended");
                case Sight.Lost ignored -> {
                    keepWhatItWrote(folder, call, job);
                    throw lost();
                }
                case Sight.Prepared ignored -> throw lost();
                case Sight.Running ignored -> throw lost();
            };
        }

        /** What another start of a machine has begun: if it was this machine, it runs no more; what it wrote last may be lost. */
        private JsonNode fromAnotherStart(Folders.FoundFolder found) throws Exception {
            var folder = found.folder();
            return switch (folder.look()) {
                case Sight.Ended ended -> new ExitReader(folder, call.reading(), watcher).ofEffect(job, ended.exit());
                case Sight.Abandoned ignored -> throw new NotSent("it was never started");
                case Sight.Prepared ignored -> throw notSeen(found);
                case Sight.Running ignored -> throw elsewhere(found);
                case Sight.Lost ignored -> {
                    folder.maskAll(call.reading().secrets());
                    keepWhatItWrote(folder, call, job);
                    throw notSeen(found);
                }
                case Sight.Absent ignored -> throw elsewhere(found);
            };
        }

        private Exception notSeen(Folders.FoundFolder found) {
            return found.distance() == Start.Distance.EARLIER ? restarted() : elsewhere(found);
        }

        /** Whoever sees its files does not see it. */
        private OutOfReach elsewhere(Folders.FoundFolder found) {
            var host = found.start().host();
            if (found.distance() == Start.Distance.EARLIER) {
                return new OutOfReach("it is seen to run, although this machine was started again: another machine of"
                        + " the same name shares its folder");
            }
            return new OutOfReach(
                    host.isEmpty()
                            ? "it was begun before this machine was started, or on another one, and may still run there"
                            : "it was begun on another machine, " + host + ", and may still run there");
        }

        private EndedInDoubt restarted() {
            return new EndedInDoubt("the machine was started again while it may have run");
        }

        private OutOfReach lost() {
            return new OutOfReach("its minder was killed, and nobody knows how it ended");
        }
    }

    /** Whoever is asked what became of it sees at least what it wrote. */
    private void keepWhatItWrote(Folder folder, CommandCall call, Job job) {
        new ExitReader(folder, call.reading(), watcher).keepLog(job);
    }

    // ---- folders

    /** How the folder of an effect's attempt is called. */
    static String nameOf(Attempt attempt) {
        return nameOf(attempt.number(), attempt.fence());
    }

    private static String nameOf(int number, long fence) {
        return number + "-" + fence;
    }

    /** What a command that is nobody's job is given to know, beside what its caller says: that it is tried once, and where to put what it has to say. */
    private static Order onceOnly(CommandCall call, Folder folder) {
        var order = call.order();
        var more = new HashMap<>(order.more());
        more.put("PAWL_STEP", "run");
        more.put("PAWL_FENCE", "1");
        more.put("PAWL_ATTEMPT", "1");
        more.put("PAWL_RESULT", folder.result().toString());
        more.put("PAWL_USAGE", folder.usage().toString());
        more.put("PAWL_FAILURE", folder.failure().toString());
        nameSecrets(call, more);
        return new Order(order.command(), order.directory(), more, order.timeout());
    }

    /** What the command is given to know: which job, which attempt, and where to put what it has to say. */
    private static Order order(Job job, Named name, CommandCall call, Attempt attempt, Folder folder) {
        var more = new HashMap<>(call.order().more());
        more.putIfAbsent(STORE, "");
        more.put("PAWL_JOB", job.identity().toString());
        more.put("PAWL_STEP", name.name());
        more.put("PAWL_KEY", attempt.key());
        more.put("PAWL_FENCE", String.valueOf(attempt.fence()));
        more.put("PAWL_ATTEMPT", String.valueOf(attempt.number()));
        more.put("PAWL_RESULT", folder.result().toString());
        more.put("PAWL_USAGE", folder.usage().toString());
        more.put("PAWL_FAILURE", folder.failure().toString());
        nameSecrets(call, more);
        return new Order(
                call.order().command(),
                call.order().directory(),
                more,
                call.order().timeout());
    }

    private static void nameSecrets(CommandCall call, Map<String, String> more) {
        var secrets = call.reading().secrets().names();
        if (!secrets.isEmpty()) {
            more.put(SECRETS, String.join(" ", secrets));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void tidy(@Nullable Attempt attempt) {
        if (attempt == null) {
            return;
        }
        try {
            folders().tidy(attempt);
        } catch (IOException e) {
            // What is left over is swept away later.
        }
    }

    /**
     * What the folders of this machine know of effects' attempts, whoever made them: a command may have outlived its worker, and somebody
     * elsewhere may be asked what it has come to.
     */
    public List<KnownEnd> ends() throws IOException {
        return folders().ends();
    }

    /**
     * Removes what killed processes have left of jobs that are over. What has ended since it was told of is left for the next time.
     *
     * @param told what {@link #ends} knew, once the store was told
     * @param over whether a job is, so that nobody will ask for its commands any more
     */
    public void sweep(Collection<KnownEnd> told, Predicate<Identity> over) throws IOException {
        folders().sweep(told, over);
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
        var found = new Folders(roots, Start.now()).find(key, nameOf(number, fence));
        return found.isEmpty() ? "" : ExitReader.written(found.get().folder());
    }

    /** Other machines that keep folders of commands in {@code roots} too, by name. */
    public static List<String> otherMachines(List<Path> roots) throws IOException {
        return new Folders(roots, Start.now()).otherMachines();
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        var ready = desk;
        if (ready != null) {
            ready.minders().close();
        }
    }
}
