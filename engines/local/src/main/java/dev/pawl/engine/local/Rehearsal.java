package dev.pawl.engine.local;

import dev.pawl.cost.Prices;
import dev.pawl.event.Events;
import dev.pawl.job.Workflow;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Place;
import dev.pawl.lease.Trust;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Claimed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workflow's code of today over a journal of yesterday, and does nothing: no step runs, no effect acts. It ends where the code would do
 * something that is not recorded, and says what.
 *
 * @param endedAs how it ended
 * @param place what the code came to last; null when it came to nothing
 * @param says the result, the question, or why
 */
public record Rehearsal(RehearsalEnd endedAs, @Nullable Place place, String says) {
    /** How a rehearsal ends. */
    public enum RehearsalEnd {
        /** The code returned, with everything recorded; what it says is the result as JSON. */
        FINISHED,
        /** The code would do what is not recorded yet, at its place. */
        WOULD_DO,
        /** The job would wait. */
        WOULD_WAIT,
        /** The job would ask a person: the code and the journal do not fit together. */
        WOULD_ASK,
        /** The code fails. */
        FAILS
    }

    /** Rehearses {@code code} over what {@code lines} say of {@code job}. */
    public static Rehearsal of(StoredJob job, List<JournalLine> lines, Workflow.Implementation<?, ?> code) {
        var ports = EnginePorts.system(Events.NOWHERE);
        var store = new PaperStore(lines, job.standing().times().changed());
        var desk = new ClaimDesk(1, new Nobody());
        var committers = new Committers(store, ports, desk, 1, Duration.ofSeconds(1));
        committers
                .clock()
                .told(job.standing().times().changed(), committers.clock().ours());
        committers.stop(); // it has no thread of its own: commits are made on the thread that asks for them
        var expired =
                new Trust(WorkerRecord.USUAL_TERM, Instant.EPOCH, ports.time().nanos());
        var lease = new Lease(1, WorkerRecord.USUAL_TERM, ports.time(), () -> {}, expired);
        var books = new BudgetBooks();
        var shared = new WorkerServices(
                committers,
                ports,
                new Watchdog(ports.time(), desk),
                store,
                new EventLog(ports, ""),
                new CurrentPrices(Prices.none(), why -> {}),
                new GateBoard(List.of(), books),
                books,
                new Evidence(),
                () -> {},
                "rehearsal");
        var run = new JobRun(shared, lease, new Claimed(job, lines), unbudgeted(code));
        var ending = run.rehearse();
        var at = run.lastMet();
        return switch (ending) {
            case Ending.Done done -> new Rehearsal(RehearsalEnd.FINISHED, at, done.result());
            case Ending.Failed failed ->
                new Rehearsal(
                        RehearsalEnd.FAILS,
                        failed.failedAt().place(),
                        failed.failedAt().failure().message());
            case Ending.Later later ->
                new Rehearsal(
                        later.until() == dev.pawl.store.Change.ReleaseJob.Until.TRY_LATER
                                ? RehearsalEnd.FAILS
                                : RehearsalEnd.WOULD_WAIT,
                        at,
                        later.why());
            case Ending.Asks asks ->
                new Rehearsal(
                        RehearsalEnd.WOULD_ASK,
                        asks.newQuestion().place(),
                        asks.newQuestion().because());
            case Ending.AtGate gate ->
                new Rehearsal(
                        RehearsalEnd.FAILS,
                        at,
                        "it would wait at gate " + gate.wish().name());
            case Ending.CalledOff ignored -> new Rehearsal(RehearsalEnd.FINISHED, at, "the job was called off");
            case Ending.Lost ignored -> new Rehearsal(RehearsalEnd.WOULD_DO, at, "it is not recorded");
        };
    }

    private static <I, O> Workflow.Implementation<I, O> unbudgeted(Workflow.Implementation<I, O> code) {
        return new Workflow.Implementation<>(code.workflow(), code.body(), code.retry(), List.of());
    }

    private static final class Nobody implements ClaimDesk.Crew {
        @Override
        public void start(Lease lease, Claimed claimed) {
            throw new IllegalStateException("nothing is claimed in a rehearsal");
        }

        @Override
        public void storeFailed(dev.pawl.store.StoreFailure storeFailure) {
            throw storeFailure;
        }
    }
}
