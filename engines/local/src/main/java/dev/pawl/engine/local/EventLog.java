package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.event.Event;
import dev.pawl.event.Event.Level;
import dev.pawl.event.EventField;
import dev.pawl.event.EventKind;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.Thrown;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Progress;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.ShellWord;
import dev.pawl.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells what happened, one event for each change of state. */
final class EventLog {

    /** As much of a store's name as a field has room for beside a command. */
    private static final int MOST_OF_A_STORE = 500;

    private final EnginePorts ports;
    private final String store;

    private volatile Consumer<StoreFailure> trouble = this::tellTrouble;
    private final AtomicReference<StoreFailure.@Nullable Move> troubled = new AtomicReference<>();
    private volatile @Nullable Unanswered unanswered;

    /** What keeps the store from taking anything, and since when. */
    private record Unanswered(String why, long sinceNanos) {}

    /** @param storeOption how commands that are printed to be typed name the store, with a space before it */
    EventLog(EnginePorts ports, String storeOption) {
        this.ports = ports;
        this.store = readsTheSame(storeOption) ? storeOption : " --store STORE";
    }

    /** Whether it can be pasted as it stands in a field: what a field escapes there is for its caller to say. */
    private static boolean readsTheSame(String option) {
        return option.length() < MOST_OF_A_STORE && option.indexOf('"') < 0 && option.indexOf('\\') < 0;
    }

    void claimed(StoredJob job, Duration lease) {
        if (quietIsHeard()) {
            var event = about(job, EventKind.CLAIMED)
                    .with(EventField.WORKER, job.standing().owner())
                    .with(EventField.LEASE, lease);
            tell(job.standing().suspicion().suspect() ? event.with(EventField.SUSPECT, true) : event);
        }
    }

    /** The code of a job that was begun before comes to something that is not recorded. */
    void resumes(StoredJob job, Place place, int recorded) {
        if (quietIsHeard()) {
            tell(about(job, EventKind.RESUMES).with(EventField.STEP, place).with(EventField.RECORDED, recorded));
        }
    }

    /** An attempt begins; {@code key} is the effect's, null for a step. */
    void begins(StoredJob job, Place place, int attempt, @Nullable String key) {
        if (quietIsHeard()) {
            var event = about(job, EventKind.ATTEMPT_BEGINS)
                    .with(EventField.STEP, place)
                    .with(EventField.ATTEMPT, attempt);
            tell(key == null ? event : event.with(EventField.KEY, key));
        }
    }

    /** An attempt has ended well. */
    void succeeded(StoredJob job, Place place, int attempt, Duration took) {
        if (quietIsHeard()) {
            tell(about(job, EventKind.ATTEMPT_DONE)
                    .with(EventField.STEP, place)
                    .with(EventField.ATTEMPT, attempt)
                    .with(EventField.TIME, took));
        }
    }

    /** Code goes on past its time, although it was interrupted. */
    void overdue(StoredJob job, Place place, int attempt, Duration longest, Duration since, StackTraceElement[] stack) {
        var standing = new StandsHere(stack);
        var where = Thrown.of(standing).where();
        tell(about(job, EventKind.OVERDUE)
                .with(EventField.STEP, place)
                .with(EventField.ATTEMPT, attempt)
                .with(EventField.TIME, since)
                .with(
                        EventField.WHY,
                        "it was interrupted after " + Durations.text(longest)
                                + " and goes on; nothing else is done for its job until it ends"
                                + where.map(frame -> ", and it stands at " + frame)
                                        .orElse(""))
                .with(standing));
    }

    /** Where a thread stands that should have ended. */
    private static final class StandsHere extends Exception {
        StandsHere(StackTraceElement[] stack) {
            super("it stands here");
            setStackTrace(stack);
        }
    }

    /** A step or an effect will not be tried again. */
    void gaveUp(StoredJob job, Place place, int attempt, Duration took, Failure failure, @Nullable Throwable thrown) {
        tell(failed(about(job, EventKind.GAVE_UP), place, attempt, failure)
                .with(EventField.TIME, took)
                .with(thrown));
    }

    /** Nobody knows whether an attempt of an effect has happened. */
    void inDoubt(StoredJob job, Place place, int attempt, Duration took, Failure failure, Throwable thrown) {
        tell(said(
                        about(job, EventKind.ATTEMPT_IN_DOUBT)
                                .with(EventField.STEP, place)
                                .with(EventField.ATTEMPT, attempt)
                                .with(EventField.TIME, took)
                                .with(EventField.CODE, failure.code()),
                        failure)
                .with(EventField.WHY, failure.message())
                .with(thrown));
    }

    private boolean quietIsHeard() {
        var wants = UserCode.call(() -> ports.events().wants(Level.QUIET));
        return wants instanceof UserCode.CodeOutcome.Returned<Boolean>(Boolean heard) && Boolean.TRUE.equals(heard);
    }

    private static Event failed(Event event, Place place, int attempt, Failure failure) {
        return said(
                        event.with(EventField.STEP, place.name().isEmpty() ? "(workflow)" : place)
                                .with(EventField.ATTEMPT, attempt)
                                .with(EventField.CLASS, failure.kind())
                                .with(EventField.CODE, failure.code()),
                        failure)
                .with(EventField.WHY, failure.message());
    }

    /** @param took how long the attempt took; null of the workflow's own code, which waits in between */
    void tryAgain(
            StoredJob job,
            Place place,
            int attempt,
            @Nullable Duration took,
            Failure failure,
            Duration after,
            @Nullable Throwable thrown) {
        var event = failed(about(job, EventKind.ATTEMPT_FAILED), place, attempt, failure)
                .with(EventField.DELAY, after)
                .with(thrown);
        tell(took == null ? event : event.with(EventField.TIME, took));
    }

    /** With what the other side said, where somebody tells. */
    private static Event said(Event event, Failure failure) {
        var named = failure.provider() == null ? event : event.with(EventField.PROVIDER, failure.provider());
        return failure.status() == null ? named : named.with(EventField.STATUS, failure.status());
    }

    void duplicated(StoredJob job, Place place, int attempt, Answer answer) {
        tell(about(job, EventKind.DUPLICATED)
                .with(EventField.EFFECT, place)
                .with(EventField.ATTEMPT, attempt)
                .with(
                        EventField.WHY,
                        answer instanceof Answer.Late
                                ? "this attempt may have been sent after others had ceased to wait for it, and nobody heard what became of it; look at the destination, undo by hand what should not be there, then say so"
                                : "two attempts of this effect have happened; undo one of them by hand, then say so")
                .with(EventField.NEXT, "pawl discard " + job.identity() + " --note WHY" + store));
    }

    void drifted(StoredJob job, Place place) {
        tell(about(job, EventKind.DRIFTED)
                .with(EventField.STEP, place)
                .with(EventField.WHY, "the code makes another request now; the recorded result was returned"));
    }

    void progresses(StoredJob job, Progress soFar) {
        tell(about(job, EventKind.PROGRESS).with(EventField.WHY, soFar));
    }

    /**
     * A run has ended; what is told of it.
     *
     * @param stillAsks whether it asks what it asked before
     */
    EventKind ended(StoredJob job, Ending ending, Applied applied, boolean stillAsks) {
        if (applied instanceof Applied.LeaseLost && !(ending instanceof Ending.Lost)) {
            return ended(job, new Ending.Lost("somebody else owns it now"), applied, false);
        }
        var told = committed(job, ending, applied);
        if (stillAsks) {
            told = told.as(Level.QUIET);
        }
        tell(told);
        return told.kind();
    }

    /** What the store made of it: it may know what the run did not. */
    private Event committed(StoredJob job, Ending ending, Applied applied) {
        var stored = applied.stored();
        if (stored != null && stored.state() == JobState.READY) {
            return about(job, EventKind.COMES_BACK).with(EventField.WHY, "news arrived while it ran");
        }
        return ended(job, stored != null && stored.state() == JobState.CANCELLED ? new Ending.CalledOff() : ending);
    }

    private Event ended(StoredJob job, Ending ending) {
        return switch (ending) {
            case Ending.Done done -> about(job, EventKind.DONE).with(EventField.TIME, age(job));
            case Ending.Failed failed ->
                leaving(failed(job, failed.failedAt()), failed.leaves()).with(failed.thrown());
            case Ending.AtGate waits ->
                about(job, EventKind.WAITS_AT_GATE)
                        .with(EventField.GATE, waits.wish().name());
            case Ending.CalledOff ignored -> about(job, EventKind.CALLED_OFF).with(EventField.TIME, age(job));
            case Ending.Later later ->
                about(
                                job,
                                switch (later.until()) {
                                    case TRY_LATER -> EventKind.TRY_LATER;
                                    case HAND_BACK -> EventKind.HAND_BACK;
                                    case WAIT -> EventKind.WAIT;
                                })
                        .with(EventField.WHY, later.why())
                        .with(EventField.DELAY, later.after());
            case Ending.Asks asks ->
                asks(
                        job,
                        asks.newQuestion().place(),
                        asks.newQuestion().kind(),
                        asks.newQuestion().because());
            case Ending.Lost lost -> about(job, EventKind.LEASE_LOST).with(EventField.WHY, lost.why());
        };
    }

    /** How long ago it was submitted. */
    private Duration age(StoredJob job) {
        return Duration.between(job.standing().times().created(), ports.time().now());
    }

    private static Event leaving(Event failed, int leaves) {
        return leaves == 0 ? failed : failed.with(EventField.LEAVES, leaves);
    }

    private Event failed(StoredJob job, FailedAt failedAt) {
        var place = failedAt.place();
        var failure = failedAt.failure();
        return said(
                        about(job, EventKind.FAILED)
                                .with(EventField.STEP, place.name().isEmpty() ? "(workflow)" : place)
                                .with(EventField.TIME, age(job))
                                .with(EventField.CLASS, failure.kind()),
                        failure)
                .with(EventField.WHY, failure.message());
    }

    private Event asks(StoredJob job, Place place, QuestionKind kind, String because) {
        return about(job, EventKind.ASKS)
                .with(EventField.EFFECT, place)
                .with(EventField.KIND, kind)
                .with(EventField.WHY, LocalTimeText.within(because))
                .with(EventField.NEXT, "pawl show " + job.identity() + store);
    }

    void gateClosed(StoredJob job, String gate, Gate.Cause cause, String why, @Nullable Instant until) {
        tell(about(job, EventKind.GATE_CLOSED)
                .as(until == null ? Level.LOUD : Level.NOTICE)
                .with(EventField.GATE, gate)
                .with(EventField.KIND, cause)
                .with(EventField.WHY, why)
                .with(
                        EventField.NEXT,
                        until == null ? opening(gate) : "it opens by itself at " + LocalTimeText.of(until)));
    }

    /** The command that opens it, where that reads the same once it is a field of a line; else the one that prints it. */
    private String opening(String gate) {
        return (ShellWord.isPlain(gate) ? "pawl open " + gate + " --note WHY" : "pawl gates") + store;
    }

    void nobodyTakes(ClaimGroup due) {
        tell(
                at(EventKind.NOBODY_TAKES)
                        .with(EventField.WORKFLOW, due.workflow())
                        .with(EventField.QUEUE, due.queue())
                        .with(EventField.PRINCIPAL, due.principal())
                        .with(EventField.VERSION, due.version())
                        .with(
                                EventField.WHY,
                                due.version().isEmpty()
                                        ? "jobs are due that no worker may claim; start one that takes them, or cancel them"
                                        : "jobs are due that were begun with version " + due.version()
                                                + " of their code, and no worker fits it; start one whose workflow has that version or runs it, or cancel them"));
    }

    void clockWasSet(Duration step) {
        tell(
                at(EventKind.CLOCK_WAS_SET)
                        .with(EventField.BY, (step.isNegative() ? "-" : "+") + Durations.word(step.abs()))
                        .with(
                                EventField.WHY,
                                step.isNegative()
                                        ? "the store's clock went back: jobs that wait are brought back with it, and may wait longer than they were to"
                                        : "the store's clock went ahead: waits end early, and an attempt may have been taken for over that was not; look at what is told as duplicated"));
    }

    void timesMended(long jobs, Duration ahead) {
        tell(
                at(EventKind.TIMES_MENDED)
                        .with(EventField.JOBS, jobs)
                        .with(EventField.AHEAD, ahead)
                        .with(
                                EventField.WHY,
                                "they were stored while the store's clock was ahead, and would have waited until then; they wait as if they had been stored now"));
    }

    void pricesUnreadable(String why) {
        tell(
                at(EventKind.PRICES_UNREADABLE)
                        .with(
                                EventField.WHY,
                                why
                                        + "; what is used has no price until a table is imported that this version reads: pawl prices import FILE"));
    }

    void enlisted(long worker, String name) {
        tell(at(EventKind.ENLISTED).with(EventField.WORKER, worker).with(EventField.NAME, name));
    }

    void workerLost(long worker, String why) {
        tell(at(EventKind.WORKER_LOST).with(EventField.WORKER, worker).with(EventField.WHY, why));
    }

    void tookOver(WorkerRecord worker, WorkerEnd how) {
        tell(at(EventKind.TOOK_OVER)
                .with(EventField.WORKER, worker.id())
                .with(EventField.NAME, worker.name())
                .with(
                        EventField.WHY,
                        switch (how) {
                            case BEAT_STOOD_STILL -> "its beat stood still for " + Durations.text(worker.term());
                            case PROCESS_GONE -> "its process is gone";
                            case GAVE_UP -> "it gave up while the store could not be reached";
                        }));
    }

    void rescued(StoredJob job) {
        var failedAt = job.outcome().failure();
        var question = job.outcome().question();
        if (failedAt != null) {
            tell(leaving(failed(job, failedAt), job.standing().owes())
                    .with(EventField.NEXT, "pawl retry " + job.identity() + " --note WHY" + store));
        } else if (question != null) {
            tell(asks(job, question.place(), question.kind(), question.because()));
        } else {
            tell(about(job, EventKind.RESCUED)
                    .with(EventField.SUSPECT, job.standing().suspicion().suspect())
                    .with(EventField.STRIKES, job.standing().suspicion().strikes()));
        }
    }

    void submitted(Identity identity, Applied applied) {
        tell(at(EventKind.SUBMITTED).with(EventField.JOB, identity).with(EventField.HOW, how(applied)));
    }

    void changed(Change change, Applied applied) {
        var kind = asked(change);
        if (kind != null) {
            tell(at(kind).with(EventField.JOB_NUMBER, change.job()).with(EventField.HOW, how(applied)));
        }
    }

    /** What somebody asked this process for; null of what is told otherwise. */
    private static @Nullable EventKind asked(Change change) {
        return switch (change) {
            case Change.Decide ignored -> EventKind.DECIDE;
            case Change.Deliver ignored -> EventKind.DELIVER;
            case Change.RetryJob ignored -> EventKind.RETRY_JOB;
            case Change.ResubmitJob ignored -> EventKind.RESUBMIT_JOB;
            case Change.DiscardJob ignored -> EventKind.DISCARD_JOB;
            case Change.CancelJob ignored -> EventKind.CANCEL_JOB;
            case Change.OpenGate ignored -> EventKind.OPEN_GATE;
            case Change.LimitQueue ignored -> EventKind.LIMIT_QUEUE;
            case Change.KeepPrices ignored -> EventKind.KEEP_PRICES;
            case Change.PruneJobs ignored -> EventKind.PRUNE_JOBS;
            case Change.EnrolRows ignored -> EventKind.ENROL_ROWS;
            case Change.ReconcileRows ignored -> EventKind.RECONCILE_ROWS;
            case Change.SayOfRows ignored -> EventKind.SAY_OF_ROWS;
            case Change.NotePart ignored -> EventKind.NOTE_PART;
            case Change.PruneRows ignored -> EventKind.PRUNE_ROWS;
            case Change.SubmitJob ignored -> null;
            case Change.AnswerAttempt ignored -> null;
            case Change.MendTimes ignored -> null;
            case Change.GoOn ignored -> null;
            case Change.Owned ignored -> null;
            case Change.OfWorker ignored -> null;
        };
    }

    /** What became of a change, in a word that stays whatever its class is called. */
    private static String how(Applied applied) {
        return switch (applied) {
            case Applied.Now ignored -> "now";
            case Applied.Already ignored -> "already";
            case Applied.Replaced ignored -> "replaced";
            case Applied.Duplicated ignored -> "duplicated";
            case Applied.Pruned ignored -> "pruned";
            case Applied.TookOver ignored -> "took-over";
            case Applied.Beaten ignored -> "beaten";
            case Applied.OfRows ignored -> "of-rows";
            case Applied.Mended ignored -> "mended";
            case Applied.LeaseLost ignored -> "lease-lost";
            case Applied.Conflict ignored -> "conflict";
            case Applied.NotYet ignored -> "not-yet";
            case Applied.CalledOff ignored -> "called-off";
            case Applied.Refused ignored -> "refused";
        };
    }

    void storeFailed(StoreFailure storeFailure) {
        trouble.accept(storeFailure);
    }

    /** The engine is closed, and its store is next: that a thread which is still on its way finds it closed is nobody's trouble. */
    void leaves() {
        trouble = unheard -> {};
    }

    /** Everybody who works finds the same trouble, again and again until it is over: it is told once. */
    private void tellTrouble(StoreFailure storeFailure) {
        if (unanswered == null) {
            unanswered = new Unanswered(
                    String.valueOf(storeFailure.getMessage()), ports.time().nanos());
        }
        if (troubled.getAndSet(storeFailure.move()) != storeFailure.move()) {
            tell(at(EventKind.STORE_FAILED)
                    .with(EventField.WHOSE_MOVE, storeFailure.move())
                    .with(EventField.WHY, String.valueOf(storeFailure.getMessage())));
        }
    }

    /** The store has taken a beat: whatever trouble there was is over. */
    void storeAnswered() {
        unanswered = null;
        if (troubled.getAndSet(null) != null) {
            tell(at(EventKind.STORE_ANSWERS).with(EventField.WHY, "the store answers again"));
        }
    }

    /** Nothing more is done here. */
    void gaveUp(StoreFailure reason) {
        tell(at(EventKind.WORKER_GAVE_UP).with(EventField.WHY, String.valueOf(reason.getMessage())));
    }

    /** What has kept the store from taking anything for so long; empty when nothing has. */
    Optional<String> troubleFor(Duration atLeast) {
        var now = unanswered;
        return now == null || ports.time().nanos() - now.sinceNanos() < atLeast.toNanos()
                ? Optional.empty()
                : Optional.of(now.why());
    }

    void broken(StoredJob job, Throwable thrown) {
        tell(about(job, EventKind.BROKEN)
                .with(EventField.WHY, "a defect in Pawl: " + thrown)
                .with(thrown));
    }

    private Event about(StoredJob job, EventKind of) {
        return at(of).with(EventField.JOB, job.identity())
                .with(EventField.FENCE, job.standing().fence());
    }

    private Event at(EventKind of) {
        return Event.of(ports.time().now(), of);
    }

    private void tell(Event event) {
        // Where events go is the user's; what they throw is not the engine's.
        UserCode.call(() -> {
            ports.events().happened(event);
            return true;
        });
    }
}
