package dev.pawl.engine.local;

import dev.pawl.effect.Answer;
import dev.pawl.effect.KnownEnd;
import dev.pawl.failure.Thrown;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Encoding;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.Silence;
import dev.pawl.lease.Taking;
import dev.pawl.list.ListPart;
import dev.pawl.look.Health;
import dev.pawl.look.StoredJob;
import dev.pawl.look.Traces;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs over a store, and is the one way in to it for a process. Does not close the store. Thread-safe.
 */
public final class LocalEngine implements AutoCloseable {

    private static final Duration QUIET_LOOK = Duration.ofMillis(20);

    /** How long a person waits for what a change does to others; what is left then is gone on with by whoever works. */
    private static final Duration LONGEST_FOLLOW_UP = Duration.ofMinutes(1);

    private final Store store;
    private final String storeOption;
    private final WhoAsks whoAsks;
    private final EnginePorts ports;
    private final EngineOptions options;
    private final EventLog log;
    private final ClaimDesk desk;
    private final FollowUps followUps;
    private final Committers committers;
    private final Watchdog watchdog;
    private final HealthLook healthLook;
    private final Waiters waiters = new Waiters();
    private final JobRuns runs;
    private final Evidence evidence = new Evidence();
    private final Map<String, Workflow.Implementation<?, ?>> implementations = new ConcurrentHashMap<>();
    private final BudgetBooks books;
    private final GateBoard board;
    private final CurrentPrices currentPrices;
    private final AtomicReference<@Nullable StoreFailure> gaveUp = new AtomicReference<>();
    private volatile Consumer<StoreFailure> whenItGivesUp = reason -> {};

    /** Nothing is done here any more: what a thread finds that is still on its way is nobody's trouble. */
    private volatile boolean left;

    private volatile @Nullable WorkerLoop loop;

    /** An engine over {@code store} that submits and decides; {@link #work} makes it run jobs too. */
    public LocalEngine(Store store, EnginePorts givenPorts, EngineOptions options) {
        this(store, store.option(), givenPorts, options);
    }

    /**
     * The same over a store that commands which are printed to be typed name in another way.
     *
     * @param storeOption how they do, with a space before it; may be empty
     */
    public LocalEngine(Store store, String storeOption, EnginePorts givenPorts, EngineOptions options) {
        this.store = store;
        this.storeOption = storeOption;
        this.whoAsks = new WhoAsks(store);
        this.ports = givenPorts.threads(new StandingThreads(givenPorts.threads(), this::giveUp));
        this.options = options;
        this.log = new EventLog(ports, storeOption);
        this.books = new BudgetBooks();
        this.board = new GateBoard(options.rates(), books);
        this.currentPrices = new CurrentPrices(options.prices(), log::pricesUnreadable);
        var foreman = new Foreman();
        this.runs = new JobRuns(ports, foreman);
        this.desk = new ClaimDesk(options.slots(), foreman);
        this.watchdog = new Watchdog(ports.time(), desk);
        this.healthLook = new HealthLook(store, ports);
        this.committers = new Committers(store, ports, desk, options.slots(), options.beatEvery());
        this.followUps = new FollowUps(store, log);
        committers.start(options.name());
        store.onReady(this::claimAtOnce);
    }

    /**
     * Runs jobs of these workflows from now on, also those that a dead process left behind.
     *
     * @throws IllegalStateException when it works already
     */
    public synchronized void work(List<Workflow.Implementation<?, ?>> workflows) {
        if (loop != null) {
            throw new IllegalStateException("this engine works already; name all its workflows in one call");
        }
        for (var implementation : workflows) {
            if (implementations.put(implementation.workflow().name(), implementation) != null) {
                throw new IllegalArgumentException(
                        "workflow " + implementation.workflow().name() + " is implemented twice");
            }
        }
        runs.mayBegin();
        desk.mayOpen();
        watchdog.start(ports.threads(), options.name());
        var taking = new Taking(
                implementations.keySet().stream().sorted().toList(),
                options.queues(),
                options.principals(),
                versions(workflows));
        var keeping =
                new WorkerLoop(store, committers, desk, ports, options, log, taking, runs::callOff, this::keepHouse);
        loop = keeping;
        keeping.start();
        ports.threads().start(Threads.Purpose.STANDING, options.name() + "-claims", () -> claimLoop(keeping));
    }

    private static Map<String, List<String>> versions(List<Workflow.Implementation<?, ?>> workflows) {
        return workflows.stream()
                .map(Workflow.Implementation::workflow)
                .filter(workflow -> !workflow.fits().isEmpty())
                .collect(Collectors.toMap(Workflow::name, Workflow::fits));
    }

    /** Has {@code heard} called when this engine can work no more: it cannot keep its lease, or its store is gone. At most once, on any thread. */
    public void whenItGivesUp(Consumer<StoreFailure> heard) {
        whenItGivesUp = heard;
    }

    /**
     * Nothing more can be done here. Whoever is told may end the process, so that is first; else the lease is let go of once the runs have ended, and everybody who
     * waits is told why.
     */
    private void giveUp(StoreFailure reason) {
        if (left || !gaveUp.compareAndSet(null, reason)) {
            return;
        }
        whenItGivesUp.accept(reason);
        runs.beginsNoMore();
        desk.closes();
        var keeping = loop;
        if (keeping != null) {
            keeping.loseLease(String.valueOf(reason.getMessage()), false);
            keeping.stop(false);
        }
        committers.end(reason);
        runs.stop();
        log.gaveUp(reason);
        runs.oneEnded().raise();
    }

    /** @throws StoreFailure when this engine has given up */
    private void requireWork() {
        var reason = gaveUp.get();
        if (reason != null) {
            throw new StoreFailure(reason.move(), String.valueOf(reason.getMessage()), reason);
        }
    }

    // ---- what people and programs ask for

    /** Submits a job to be taken as usual; {@code input} is canonical JSON. */
    public Applied submit(Identity identity, String input) {
        return submit(identity, input, Handling.usual());
    }

    /** Submits a job; {@code input} is canonical JSON. */
    public Applied submit(Identity identity, String input, Handling handling) {
        requireWork();
        var applied = committers.commit(new Change.SubmitJob(
                identity, new StoredJob.Given(input, handling), desk.claimFor(identity.workflow(), handling)));
        var stored = applied.stored();
        if (stored == null || stored.state() == JobState.READY) {
            desk.hint();
        }
        log.submitted(identity, applied);
        return applied;
    }

    /** Submits many jobs in few commits; {@code inputs} are canonical JSON. Says of each, in their order, what it came to. */
    public List<Applied> submitAll(Map<Identity, String> inputs, Handling handling) {
        requireWork();
        var changes = inputs.entrySet().stream()
                .map(one -> new Change.SubmitJob(one.getKey(), new StoredJob.Given(one.getValue(), handling), null))
                .toList();
        var applied = committers.commitAll(changes);
        desk.hint();
        for (var i = 0; i < changes.size(); i++) {
            log.submitted(changes.get(i).identity(), applied.get(i));
        }
        return applied;
    }

    /** Makes a change that a person asked for: a decision, a retry, a resubmission. */
    public Applied change(Change change) {
        requireWork();
        var applied = committers.commit(change);
        if (applied instanceof Applied.Conflict && takesUp(change) && goOnWithFollowUps()) {
            // Whoever had to do with how it ended has heard of that now.
            applied = committers.commit(change);
        }
        if (change instanceof Change.CancelJob && applied.done()) {
            runs.callOff(Set.of(change.job()));
        }
        desk.hint();
        log.changed(change, applied);
        if (applied.done() && reachesOthers(change)) {
            goOnWithFollowUps();
        }
        return applied;
    }

    /** Goes on with what changes have left to do, for as long as a person waits; who works does the rest. Returns whether anything was done. */
    private boolean goOnWithFollowUps() {
        var start = ports.time().nanos();
        try {
            var progress = followUps.goOn(() -> ports.time().nanos() - start >= LONGEST_FOLLOW_UP.toNanos());
            if (progress.any()) {
                desk.hint();
            }
            return progress.any();
        } catch (StoreFailure failure) {
            log.storeFailed(failure);
            return false;
        }
    }

    private static boolean takesUp(Change change) {
        return change instanceof Change.RetryJob
                || change instanceof Change.ResubmitJob
                || change instanceof Change.DiscardJob;
    }

    private static boolean reachesOthers(Change change) {
        return change instanceof Change.CancelJob
                || change instanceof Change.OpenGate
                || change instanceof Change.DiscardJob;
    }

    /** Looks for jobs now, without waiting for the next look. */
    public void look() {
        desk.hint();
    }

    /** A new id for such a change. */
    public long newId() {
        return Changes.unfenced(ports.random());
    }

    /** How often steps and effects of a workflow are tried as it is worked here; null when it is not. */
    public @Nullable Integer attemptsOf(String workflow) {
        var worked = implementations.get(workflow);
        return worked == null ? null : worked.retry().attempts();
    }

    /** How to name the store on the command line. */
    public String storeOption() {
        return storeOption;
    }

    /** The job as it stands. */
    public Optional<StoredJob> find(Identity identity) {
        return store.find(identity);
    }

    /** What the code of a failed job has thrown where it failed; empty when it threw nothing, or nobody can tell now. */
    public Optional<Thrown> thrownAt(StoredJob job, Place place) {
        try {
            // It stands at the end; whoever fails for what was recorded long before gets no trace of it.
            var end = store.journal(job.id(), ListPart.newest().most(ListPart.MOST));
            return Traces.last(end.lines(), job, place);
        } catch (StoreFailure unknown) {
            // That the job has failed is told in any case.
            return Optional.empty();
        }
    }

    /**
     * Waits until the job has finished, or cannot go on before a person does something.
     *
     * @return the job when it has finished, or the one that the person has to do with: itself, or one that it called; empty when {@code atMost} passed first
     */
    public Optional<StoredJob> await(long job, Duration atMost) throws InterruptedException {
        var waiter = waiters.waitFor(job);
        try {
            var start = ports.time().nanos();
            while (true) {
                var seen = waiter.told().count();
                requireWork();
                var told = waiter.ended();
                // What a run has told of a job that is not done may be old by now: somebody may have decided in
                // between.
                if (told != null && told.state() == JobState.DONE) {
                    return Optional.of(told);
                }
                var stored = runs.isHere(job) ? Optional.<StoredJob>empty() : store.job(job);
                if (stored.isPresent() && stored.get().state().finished()) {
                    return stored;
                }
                var asking = stored.flatMap(whoAsks::behind);
                if (asking.isPresent()) {
                    return asking;
                }
                var left = atMost.minusNanos(ports.time().nanos() - start);
                if (!left.isPositive()) {
                    return Optional.empty();
                }
                waiter.told().await(ports.time(), seen, left.compareTo(options.poll()) < 0 ? left : options.poll());
            }
        } finally {
            waiters.noLonger(job, waiter);
        }
    }

    /**
     * Waits until no job runs here and none is due.
     *
     * @return whether that is so; false when {@code atMost} passed first
     */
    public boolean awaitQuiet(Duration atMost) throws InterruptedException {
        var start = ports.time().nanos();
        while (true) {
            var seen = runs.oneEnded().count();
            requireWork();
            if (runs.none() && desk.isIdle()) {
                return true;
            }
            var left = atMost.minusNanos(ports.time().nanos() - start);
            if (!left.isPositive()) {
                return false;
            }
            runs.oneEnded().await(ports.time(), seen, left.compareTo(QUIET_LOOK) < 0 ? left : QUIET_LOOK);
        }
    }

    /**
     * Other workers of which this one has heard nothing since it began to watch, or not for long: each works elsewhere or is dead, and what it has goes on
     * here when it stays silent for the rest of its term. Empty as long as this engine does not work.
     */
    public List<Silence> silences() {
        var keeping = loop;
        return keeping == null ? List.of() : keeping.silences();
    }

    /**
     * Tells the store what became of an attempt, unless it knows. A worker that runs the job now finds it out itself, so nothing is told then.
     *
     * @return whether it was news
     */
    public boolean tell(KnownEnd end) {
        var job = store.find(end.job()).orElse(null);
        if (job == null || job.state() == JobState.RUNNING) {
            return false;
        }
        var place = News.of(store.journal(job.id()), job, end);
        if (place == null) {
            return false;
        }
        currentPrices.look(store);
        var uses = end.uses().stream().map(currentPrices.now()::price).toList();
        var used = uses.isEmpty() ? null : new Entry.Used(place, end.number(), uses, Duration.ZERO);
        // Several may tell the same end side by side: by its name it is recorded once.
        var name = List.of(
                "end",
                end.key(),
                String.valueOf(end.number()),
                String.valueOf(end.fence()),
                end.answer() instanceof Answer.Happened ? "happened" : "did not");
        var applied = committers.commit(new Change.AnswerAttempt(
                job.id(),
                Changes.named(Encoding.encode(name)),
                new Change.AttemptRef(job.standing().resubmission(), place, end.number()),
                end.answer(),
                Answer.Source.WORKER,
                used));
        if (applied instanceof Applied.Duplicated) {
            log.duplicated(job, place, end.number(), end.answer());
        }
        return applied.done();
    }

    /** How this process stands; whatever the store does, it is told within {@code atMost}. */
    public Health health(Duration atMost) throws InterruptedException {
        var working = loop;
        return healthLook.look(
                atMost,
                committers.clock().now(),
                working != null,
                working == null ? null : working.lease(),
                runs.many(),
                watchdog.overdue());
    }

    /** How many steps and effects go on here past their time, although they were interrupted: each is told, and its slot is lent to others. */
    public int overdue() {
        return watchdog.overdue();
    }

    /** What has kept the store from taking anything for so long, while this worker tried; empty when nothing has. */
    public Optional<String> storeTroubleFor(Duration atLeast) {
        return log.troubleFor(atLeast);
    }

    // ---- claiming and running

    /** Claims for as long as {@code keeping} is who keeps the lease here. */
    private void claimLoop(WorkerLoop keeping) {
        while (!runs.isStopping() && keeping.equals(loop)) {
            var seen = desk.look().count();
            if (desk.wantsSomething()) {
                committers.claimSoon();
            }
            try {
                if (!desk.look().await(ports.time(), seen, untilNextLook())) {
                    desk.hint();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** The store says that there is something: the claim is asked for here and now, without waking the loop first that would ask for it. */
    private void claimAtOnce() {
        desk.hint();
        if (desk.wantsSomething()) {
            committers.claimSoon();
        }
    }

    private Duration untilNextLook() {
        var due = desk.nextDue();
        if (due == null) {
            return options.poll();
        }
        var left = Duration.between(committers.clock().now(), due);
        if (left.compareTo(options.poll()) > 0) {
            return options.poll();
        }
        return left.isPositive() ? left : Duration.ofMillis(1);
    }

    /** What claims lead to here, and what runs need and come to. */
    private final class Foreman implements ClaimDesk.Crew, JobRuns.Employer {

        @Override
        public void start(Lease lease, Claimed claimed) {
            runs.start(lease, claimed);
        }

        @Override
        public void storeFailed(StoreFailure storeFailure) {
            log.storeFailed(storeFailure);
            var keeping = loop;
            if (keeping != null) {
                keeping.loseLease("the store did not answer", true);
            }
        }

        @Override
        public JobRun run(Lease lease, Claimed claimed) {
            log.claimed(claimed.job(), lease.term());
            var services = new WorkerServices(
                    committers,
                    ports,
                    watchdog,
                    store,
                    log,
                    currentPrices,
                    board,
                    books,
                    evidence,
                    LocalEngine.this::lookAtGatesQuietly,
                    options.name());
            var implementation = Objects.requireNonNull(
                    implementations.get(claimed.job().identity().workflow()),
                    () -> "job " + claimed.job().identity() + " was claimed, whose workflow is not worked here");
            return new JobRun(services, lease, claimed, implementation);
        }

        @Override
        public void ended(Claimed claimed, boolean leavesWork) {
            desk.ended(claimed.job().standing().suspicion().suspect(), leavesWork);
        }

        @Override
        public void told(Claimed claimed, UserCode.CodeOutcome<StoredJob> outcome) {
            switch (outcome) {
                case UserCode.CodeOutcome.Returned<StoredJob> returned ->
                    waiters.tell(claimed.job().id(), returned.value());
                case UserCode.CodeOutcome.Threw<StoredJob> threw -> {
                    log.broken(claimed.job(), threw.thrown());
                    var keeping = loop;
                    if (keeping != null) {
                        keeping.loseLease("a run broke and could not be ended", false);
                    }
                }
            }
        }
    }

    /** What the worker loop does besides keeping its lease. */
    private void keepHouse() {
        evidence.tell(committers, books, log);
        runs.recordProgress();
        currentPrices.look(store);
        lookAtGates();
    }

    private void lookAtGatesQuietly() {
        try {
            lookAtGates();
        } catch (StoreFailure storeFailure) {
            log.storeFailed(storeFailure);
        }
    }

    /** Looks at the gates, and opens what no longer holds. */
    private void lookAtGates() {
        var open = board.look(store, committers.clock().now(), List.copyOf(implementations.values()));
        for (var gate : open) {
            committers.commitUnlessHeld(gate).ifPresent(applied -> {
                if (applied instanceof Applied.Now) {
                    log.changed(gate, applied);
                    desk.hint();
                }
            });
        }
    }

    // ---- stopping

    /** Whether all runs have ended before {@code longest} has passed, also of jobs that were asked for before this engine began to close. */
    private boolean endWithin(Duration longest) {
        var start = ports.time().nanos();
        while (true) {
            var seen = desk.look().count();
            if (runs.none() && desk.hasNothing()) {
                return true;
            }
            var left = longest.minusNanos(ports.time().nanos() - start);
            if (!left.isPositive()) {
                return false;
            }
            try {
                desk.look().await(ports.time(), seen, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    /** Nothing more is claimed, running acts may finish, then the jobs are handed back. Returns whether nothing runs here any more. */
    private boolean endRuns() {
        runs.beginsNoMore();
        desk.closes();
        runs.stop();
        var finished = endWithin(options.grace());
        if (!finished) {
            runs.interrupt();
            finished = endWithin(options.grace());
        }
        if (gaveUp.get() == null) {
            evidence.tell(committers, books, log);
        }
        return finished;
    }

    /** Stops working as {@link #close} does, and no more: it submits, decides and waits as before, and may work again. */
    public synchronized void stopWorking() {
        var keeping = loop;
        if (keeping == null || left) {
            return;
        }
        keeping.stop(endRuns());
        watchdog.stop();
        loop = null;
        implementations.clear();
    }

    /**
     * Stops politely: nothing more is claimed, running acts may finish within the grace period, then the jobs are handed back. What does not
     * finish in twice that time is left to be found by others.
     */
    @Override
    public void close() {
        var finished = endRuns();
        left = true;
        var keeping = loop;
        if (keeping != null) {
            keeping.stop(finished);
        }
        watchdog.stop();
        committers.stop();
        log.leaves();
    }
}
