package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.event.Event;
import dev.pawl.event.Event.Level;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.text.EnumWords;
import dev.pawl.text.LocalTimeText;
import dev.pawl.text.ShellWord;
import dev.pawl.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
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
            var event = about(job, "claimed", Level.QUIET)
                    .with("worker", job.standing().owner())
                    .with("lease", lease);
            tell(job.standing().suspicion().suspect() ? event.with("suspect", true) : event);
        }
    }

    /** The code of a job that was begun before comes to something that is not recorded. */
    void resumes(StoredJob job, Place place, int recorded) {
        if (quietIsHeard()) {
            tell(about(job, "resumes", Level.QUIET).with("step", place).with("recorded", recorded));
        }
    }

    /** An attempt begins; {@code key} is the effect's, null for a step. */
    void begins(StoredJob job, Place place, int attempt, @Nullable String key) {
        if (quietIsHeard()) {
            var event = about(job, "attempt-begins", Level.QUIET)
                    .with("step", place)
                    .with("attempt", attempt);
            tell(key == null ? event : event.with("key", key));
        }
    }

    /** An attempt has ended well. */
    void succeeded(StoredJob job, Place place, int attempt, Duration took) {
        if (quietIsHeard()) {
            tell(about(job, "attempt-done", Level.QUIET)
                    .with("step", place)
                    .with("attempt", attempt)
                    .with("time", took));
        }
    }

    /** A step or an effect will not be tried again. */
    void gaveUp(StoredJob job, Place place, int attempt, Failure failure) {
        tell(failed(about(job, "gave-up", Level.NOTICE), place, attempt, failure));
    }

    private boolean quietIsHeard() {
        return ports.events().wants(Level.QUIET);
    }

    private static Event failed(Event event, Place place, int attempt, Failure failure) {
        return said(
                        event.with("step", place.name().isEmpty() ? "(workflow)" : place)
                                .with("attempt", attempt)
                                .with("class", failure.kind())
                                .with("code", failure.code()),
                        failure)
                .with("why", failure.message());
    }

    void tryAgain(StoredJob job, Place place, int attempt, Failure failure, Duration after) {
        tell(failed(about(job, "attempt-failed", Level.NOTICE), place, attempt, failure)
                .with("delay", after));
    }

    /** With what the other side said, where somebody tells. */
    private static Event said(Event event, Failure failure) {
        var named = failure.provider() == null ? event : event.with("provider", failure.provider());
        return failure.status() == null ? named : named.with("status", failure.status());
    }

    void duplicated(StoredJob job, Place place, int attempt, Answer answer) {
        tell(about(job, "duplicated", Level.LOUD)
                .with("effect", place)
                .with("attempt", attempt)
                .with(
                        "why",
                        answer instanceof Answer.Late
                                ? "this attempt may have been sent after others had ceased to wait for it, and nobody heard what became of it; look at the destination, undo by hand what should not be there, then say so"
                                : "two attempts of this effect have happened; undo one of them by hand, then say so")
                .with("next", "pawl discard " + job.identity() + " --note WHY" + store));
    }

    void drifted(StoredJob job, Place place) {
        tell(about(job, "drifted", Level.NOTICE)
                .with("effect", place)
                .with("why", "the code makes another request now; the recorded result was returned"));
    }

    void ended(StoredJob job, Ending ending, Applied applied) {
        if (applied instanceof Applied.LeaseLost && !(ending instanceof Ending.Lost)) {
            ended(job, new Ending.Lost("somebody else owns it now"), applied);
            return;
        }
        var stored = applied.stored();
        if (stored != null && stored.state() == JobState.READY) {
            tell(about(job, "comes-back", Level.QUIET).with("why", "news arrived while it ran"));
            return;
        }
        tell(
                switch (ending) {
                    case Ending.Done done ->
                        about(job, "done", Level.QUIET)
                                .with(
                                        "time",
                                        Duration.between(
                                                job.standing().times().created(),
                                                ports.time().now()));
                    case Ending.Failed failed -> failed(job, failed.failedAt());
                    case Ending.AtGate waits ->
                        about(job, "waits-at-gate", Level.NOTICE)
                                .with("gate", waits.wish().name());
                    case Ending.CalledOff ignored -> about(job, "called-off", Level.NOTICE);
                    case Ending.Later later ->
                        about(job, EnumWords.word(later.until()), Level.NOTICE)
                                .with("why", later.why())
                                .with("delay", later.after());
                    case Ending.Asks asks ->
                        asks(
                                job,
                                asks.newQuestion().place(),
                                asks.newQuestion().kind(),
                                asks.newQuestion().because());
                    case Ending.Lost lost ->
                        about(job, "lease-lost", Level.NOTICE).with("why", lost.why());
                });
    }

    private Event failed(StoredJob job, FailedAt failedAt) {
        var place = failedAt.place();
        var failure = failedAt.failure();
        return said(
                        about(job, "failed", Level.LOUD)
                                .with("step", place.name().isEmpty() ? "(workflow)" : place)
                                .with("class", failure.kind()),
                        failure)
                .with("why", failure.message());
    }

    private Event asks(StoredJob job, Place place, QuestionKind kind, String because) {
        return about(job, "asks", Level.LOUD)
                .with("effect", place)
                .with("kind", kind)
                .with("why", LocalTimeText.within(because))
                .with("next", "pawl show " + job.identity() + store);
    }

    void gateClosed(StoredJob job, String gate, Gate.Cause cause, String why, @Nullable Instant until) {
        tell(about(job, "gate-closed", until == null ? Level.LOUD : Level.NOTICE)
                .with("gate", gate)
                .with("kind", cause)
                .with("why", why)
                .with("next", until == null ? opening(gate) : "it opens by itself at " + LocalTimeText.of(until)));
    }

    /** The command that opens it, where that reads the same once it is a field of a line; else the one that prints it. */
    private String opening(String gate) {
        return (ShellWord.isPlain(gate) ? "pawl open " + gate + " --note WHY" : "pawl gates") + store;
    }

    void nobodyTakes(Taking due) {
        tell(at("nobody-takes", Level.LOUD)
                .with("workflow", due.workflows().getFirst())
                .with("queue", due.queues().getFirst())
                .with("principal", due.principals().getFirst())
                .with("why", "jobs are due that no worker may claim; start one that takes them, or cancel them"));
    }

    void clockWasSet(Duration step) {
        tell(
                at("clock-was-set", Level.LOUD)
                        .with("by", (step.isNegative() ? "-" : "+") + Durations.word(step.abs()))
                        .with(
                                "why",
                                step.isNegative()
                                        ? "the store's clock went back: jobs that wait are brought back with it, and may wait longer than they were to"
                                        : "the store's clock went ahead: waits end early, and an attempt may have been taken for over that was not; look at what is told as duplicated"));
    }

    void timesMended(long jobs, Duration ahead) {
        tell(
                at("times-mended", Level.LOUD)
                        .with("jobs", jobs)
                        .with("ahead", ahead)
                        .with(
                                "why",
                                "they were stored while the store's clock was ahead, and would have waited until then; they wait as if they had been stored now"));
    }

    void pricesUnreadable(String why) {
        tell(
                at("prices-unreadable", Level.LOUD)
                        .with(
                                "why",
                                why
                                        + "; what is used has no price until a table is imported that this version reads: pawl prices import FILE"));
    }

    void enlisted(long worker, String name) {
        tell(at("enlisted", Level.QUIET).with("worker", worker).with("name", name));
    }

    void workerLost(long worker, String why) {
        tell(at("worker-lost", Level.NOTICE).with("worker", worker).with("why", why));
    }

    void tookOver(WorkerRecord worker, WorkerEnd how) {
        tell(at("took-over", Level.NOTICE)
                .with("worker", worker.id())
                .with("name", worker.name())
                .with(
                        "why",
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
            tell(failed(job, failedAt).with("next", "pawl retry " + job.identity() + " --note WHY" + store));
        } else if (question != null) {
            tell(asks(job, question.place(), question.kind(), question.because()));
        } else {
            tell(about(job, "rescued", Level.NOTICE)
                    .with("suspect", job.standing().suspicion().suspect())
                    .with("strikes", job.standing().suspicion().strikes()));
        }
    }

    void submitted(Identity identity, Applied applied) {
        tell(at("submitted", Level.QUIET).with("job", identity).with("how", word(applied)));
    }

    void changed(Change change, Applied applied) {
        tell(at(word(change), Level.NOTICE).with("job-number", change.job()).with("how", word(applied)));
    }

    /** A change or an answer by its own name: {@code RetryJob} is {@code retry-job}. */
    private static String word(Object what) {
        return what.getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                .toLowerCase(Locale.ROOT);
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
            tell(at("store-failed", Level.LOUD)
                    .with("whose-move", storeFailure.move())
                    .with("why", String.valueOf(storeFailure.getMessage())));
        }
    }

    /** The store has taken a beat: whatever trouble there was is over. */
    void storeAnswered() {
        unanswered = null;
        if (troubled.getAndSet(null) != null) {
            tell(at("store-answers", Level.NOTICE).with("why", "the store answers again"));
        }
    }

    /** Nothing more is done here. */
    void gaveUp(StoreFailure reason) {
        tell(at("worker-gave-up", Level.LOUD).with("why", String.valueOf(reason.getMessage())));
    }

    /** What has kept the store from taking anything for so long; empty when nothing has. */
    Optional<String> troubleFor(Duration atLeast) {
        var now = unanswered;
        return now == null || ports.time().nanos() - now.sinceNanos() < atLeast.toNanos()
                ? Optional.empty()
                : Optional.of(now.why());
    }

    void broken(StoredJob job, Throwable thrown) {
        tell(about(job, "broken", Level.LOUD).with("why", "a defect in Pawl: " + thrown));
    }

    private Event about(StoredJob job, String name, Level level) {
        return at(name, level)
                .with("job", job.identity())
                .with("fence", job.standing().fence());
    }

    private Event at(String name, Level level) {
        return Event.of(ports.time().now(), name, level);
    }

    private void tell(Event event) {
        // Where events go is the user's; what they throw is not the engine's.
        UserCode.call(() -> {
            ports.events().happened(event);
            return true;
        });
    }
}
