package dev.pawl.engine.local;

import dev.pawl.lease.BeatWatch;
import dev.pawl.lease.Silence;
import dev.pawl.lease.Taking;
import dev.pawl.lease.Trust;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.ClaimGroup;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreGone;
import dev.pawl.store.Wanted;
import dev.pawl.time.Signal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The standing loop of a worker: enlists, beats, watches the others and takes over what is dead; never once, always again. When its lease is
 * lost it enlists anew.
 */
final class WorkerLoop {

    /**
     * Who asked to be enlisted and has no answer yet: it is asked again under the same number.
     *
     * @param trust since when
     */
    private record Applicant(long worker, Store.Lifeline lifeline, Trust trust) {}

    /** Who was silent when somebody last looked. */
    private record Silences(List<Silence> workers, long nanos) {}

    private static final Duration USUAL_LOOK = Duration.ofSeconds(1);
    private static final Duration BETWEEN_ALERTS = Duration.ofSeconds(30);
    private static final Duration HEARS_EVERY = Duration.ofSeconds(2);
    private static final int MENDED_AT_ONCE = 1_000;

    /** How long it is left alone what somebody else holds, and what failed. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(3);

    private static final Duration BETWEEN_FAILURES = Duration.ofMinutes(1);

    private final Store store;
    private final Committers committers;
    private final ClaimDesk desk;
    private final EnginePorts ports;
    private final EngineOptions options;
    private final EventLog log;
    private final Taking taking;
    private final Consumer<Set<Long>> calledOff;
    private final Runnable household;
    private final FollowUps followUps;
    private final BeatWatch watch = new BeatWatch();
    private final Signal wake = new Signal();
    private volatile @Nullable Lease lease;
    private volatile Silences silences = new Silences(List.of(), 0);
    private volatile boolean stopped;
    private final Set<Long> gaveUp = ConcurrentHashMap.newKeySet();
    private @Nullable Applicant applying;
    private @Nullable Lease opened;
    private boolean timesToMend;
    private long mendAgainNanos;
    private long lastBeatNanos;
    private long lastAlertNanos;
    private final Set<ClaimGroup> alerted = new HashSet<>();

    WorkerLoop(
            Store store,
            Committers committers,
            ClaimDesk desk,
            EnginePorts ports,
            EngineOptions options,
            EventLog log,
            Taking taking,
            Consumer<Set<Long>> calledOff,
            Runnable household) {
        this.store = store;
        this.committers = committers;
        this.desk = desk;
        this.ports = ports;
        this.options = options;
        this.log = log;
        this.taking = taking;
        this.calledOff = calledOff;
        this.household = household;
        this.followUps = new FollowUps(store, log);
        this.lastAlertNanos = ports.time().nanos();
        this.mendAgainNanos = ports.time().nanos();
    }

    /** The lease under which this worker works; null before it has one. */
    @Nullable
    Lease lease() {
        return lease;
    }

    void start() {
        ports.threads().start(Threads.Purpose.STANDING, options.name() + "-keeper", this::loop);
    }

    /**
     * Gives the lease up; the loop enlists anew.
     *
     * @param blameless whether none of its jobs is at fault: the store could not be reached
     */
    void loseLease(String why, boolean blameless) {
        var current = lease;
        if (current != null && !current.lost()) {
            if (blameless) {
                gaveUp.add(current.worker());
            }
            current.lose();
            log.workerLost(current.worker(), why);
        }
        wake.raise();
    }

    /** Ends the loop. A worker that owns nothing any more says good-bye; else others find out by themselves. */
    void stop(boolean ownsNothing) {
        @Nullable Lease current;
        synchronized (this) {
            stopped = true;
            current = lease;
        }
        wake.raise();
        if (ownsNothing && current != null) {
            retire(current);
        }
    }

    /** Says good-bye: nobody need wait for what this worker owns, because it owns nothing. */
    private void retire(Lease current) {
        if (current.lost()) {
            return;
        }
        try {
            committers.commit(new Change.Retire(current.worker()));
        } catch (StoreFailure e) {
            log.storeFailed(e);
        }
        current.lose();
    }

    private void loop() {
        while (!stopped) {
            var seen = wake.count();
            trying(this::turn);
            try {
                wake.await(
                        ports.time(),
                        seen,
                        shorter(
                                longer(USUAL_LOOK, options.poll()),
                                options.beatEvery().dividedBy(2)));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void turn() {
        keepLease();
        mindTheClock();
        // Nobody has to wait for it: what cannot be mended waits too long, and that is all.
        trying(this::mendTimes);
        takeOverTheDead();
        trying(this::goOnWithFollowUps);
        household.run();
        openForClaims();
        stopWhatWasCalledOff();
        alertOfWhatNobodyTakes();
    }

    private void goOnWithFollowUps() {
        var progress = followUps.goOn(() -> stopped || isBeatDue());
        if (progress.any()) {
            desk.hint();
        }
        if (progress.more()) {
            wake.raise();
        }
    }

    private boolean isBeatDue() {
        return ports.time().nanos() - lastBeatNanos >= untilNextBeat().toNanos();
    }

    private void trying(Runnable part) {
        try {
            part.run();
        } catch (StoreGone gone) {
            throw gone;
        } catch (StoreFailure storeFailure) {
            log.storeFailed(storeFailure);
        } catch (RuntimeException defect) {
            log.storeFailed(new StoreFailure(StoreFailure.Move.OPERATOR, "a defect in Pawl: " + defect, defect));
        }
    }

    /** Claims begin only once the dead were looked for: what was begun is finished before what is new. */
    private void openForClaims() {
        var current = lease;
        if (current != null && !current.lost() && !current.equals(opened) && !stopped) {
            opened = current;
            desk.opens(current, taking);
        }
    }

    private void keepLease() {
        var current = lease;
        if (current == null || current.lost()) {
            enlist();
        } else if (isBeatDue()) {
            lastBeatNanos = ports.time().nanos();
            if (!current.renew(committers)) {
                log.workerLost(current.worker(), "another worker declared it dead");
                enlist();
            }
            log.storeAnswered();
        }
    }

    /** A beat tells what was called off: whoever runs jobs does not wait long for that. */
    private Duration untilNextBeat() {
        return desk.isIdle() ? options.beatEvery() : shorter(options.beatEvery(), HEARS_EVERY);
    }

    private void enlist() {
        var before = applying;
        var applicant = before == null ? newApplicant() : before;
        applying = applicant;
        lastBeatNanos = ports.time().nanos();
        var applied = committers.commit(new Change.Enlist(applicant.worker(), options.name(), options.term(), taking));
        applying = null;
        if (!applied.done()) {
            // The answer took so long that others have declared this number dead.
            applicant.lifeline().close();
            wake.raise();
            return;
        }
        var fresh =
                new Lease(applicant.worker(), options.term(), ports.time(), applicant.lifeline(), applicant.trust());
        boolean tooLate;
        synchronized (this) {
            lease = fresh;
            tooLate = stopped;
        }
        if (tooLate) {
            // It was stopped while it asked, and whoever stopped it did not see this.
            retire(fresh);
            return;
        }
        timesToMend = true;
        mendAgainNanos = ports.time().nanos();
        log.storeAnswered();
        log.enlisted(fresh.worker(), options.name());
    }

    private Applicant newApplicant() {
        var worker = ports.random().nextLong() >>> 1;
        var trust = new Trust(options.term(), ports.time().now(), ports.time().nanos());
        return new Applicant(worker, store.lifeline(worker), trust);
    }

    /** Nobody can tell what a clock that was set has made of times that others wait for; a person is told, and what can be mended is. */
    private void mindTheClock() {
        var step = committers.clock().takeStep();
        if (step != null) {
            log.clockWasSet(step);
            timesToMend |= step.isNegative();
            mendAgainNanos = ports.time().nanos();
        }
    }

    /** Whoever comes to work looks for jobs that would wait for a time that was never meant: so many in each turn, so that it beats in between. */
    private void mendTimes() {
        if (!timesToMend || ports.time().nanos() - mendAgainNanos < 0) {
            return;
        }
        mendAgainNanos = ports.time().nanos() + BETWEEN_FAILURES.toNanos();
        // Past the committer: if it fails, nothing fails with it, and no lease is in doubt.
        var mended = (Applied.Mended) store.exchange(List.of(new Change.MendTimes(MENDED_AT_ONCE)), Wanted.NOTHING)
                .applied()
                .getFirst();
        timesToMend = mended.more();
        mendAgainNanos = ports.time().nanos() + (mended.jobs() > 0 ? 0 : BETWEEN_LOOKS.toNanos());
        if (mended.jobs() > 0) {
            log.timesMended(mended.jobs(), mended.ahead());
            desk.hint();
            if (mended.more()) {
                wake.raise();
            }
        }
    }

    /** A job that no worker may take is an alert, once for as long as it lasts. */
    private void alertOfWhatNobodyTakes() {
        if (ports.time().nanos() - lastAlertNanos < BETWEEN_ALERTS.toNanos()) {
            return;
        }
        lastAlertNanos = ports.time().nanos();
        var workers = store.workers();
        var stranded = new HashSet<ClaimGroup>();
        for (var due : store.due(committers.clock().now().minus(BETWEEN_ALERTS))) {
            if (workers.stream().noneMatch(worker -> worker.enlisted() && due.isTakenBy(worker.taking()))) {
                stranded.add(due);
            }
        }
        stranded.stream().filter(one -> !alerted.contains(one)).forEach(log::nobodyTakes);
        alerted.retainAll(stranded);
        alerted.addAll(stranded);
    }

    private void stopWhatWasCalledOff() {
        var current = lease;
        if (current != null && !current.lost()) {
            var off = current.takeCalledOff();
            if (!off.isEmpty()) {
                calledOff.accept(off);
            }
        }
    }

    private void takeOverTheDead() {
        var current = lease;
        var before = ports.time().nanos();
        var others = store.workers().stream()
                .filter(worker -> current == null || worker.id() != current.worker())
                .toList();
        var after = ports.time().nanos();
        var gone = store.knownGone(others);
        var dead = new HashSet<>(gone);
        for (var worker : watch.look(others, before, after, options.term())) {
            dead.add(worker.id());
        }
        for (var worker : others) {
            if (dead.contains(worker.id()) || !worker.enlisted()) {
                takeOver(worker, how(worker, gone));
            }
        }
        silences = new Silences(
                watch.silent(others.stream().filter(WorkerRecord::enlisted).toList(), after), after);
    }

    /** Other workers of which nobody here has heard; empty as long as nobody has looked. */
    List<Silence> silences() {
        var last = silences;
        var since = ports.time().nanos() - last.nanos();
        return last.workers().stream()
                .map(one -> new Silence(one.worker(), one.left().minusNanos(since)))
                .toList();
    }

    private WorkerEnd how(WorkerRecord worker, Set<Long> gone) {
        var said = worker.end();
        if (said != null) {
            return said;
        }
        if (!gone.contains(worker.id())) {
            return WorkerEnd.BEAT_STOOD_STILL;
        }
        return gaveUp.contains(worker.id()) ? WorkerEnd.GAVE_UP : WorkerEnd.PROCESS_GONE;
    }

    /** One of whose jobs somebody holds is taken over later, and no other has to wait for it. */
    private void takeOver(WorkerRecord worker, WorkerEnd how) {
        var first = worker.enlisted();
        do {
            var applied = committers.commitUnlessHeld(new Change.TakeOver(worker.id(), worker.beat(), how));
            if (!(applied.orElse(null) instanceof Applied.TookOver taken)) {
                return;
            }
            if (first) {
                log.tookOver(worker, how);
            }
            first = false;
            taken.jobs().forEach(log::rescued);
            desk.hint();
            if (!taken.more()) {
                gaveUp.remove(worker.id());
                return;
            }
        } while (!isBeatDue());
        // It is still listed: the rest of its jobs is given back in the next turn.
        wake.raise();
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
