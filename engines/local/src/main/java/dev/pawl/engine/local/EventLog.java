package dev.pawl.engine.local;

import dev.pawl.event.Event;
import dev.pawl.event.Event.Level;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.retry.Failure;
import dev.pawl.store.Applied;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoredJob;
import java.time.Duration;

/** Tells what happened, one event for each change of state. */
final class EventLog {

    private final Surroundings around;

    EventLog(Surroundings around) {
        this.around = around;
    }

    void claimed(StoredJob job) {
        tell(about(job, "claimed", Level.QUIET).with("worker", job.standing().owner()));
    }

    void tryAgain(StoredJob job, Place place, int attempt, Failure failure, Duration after) {
        tell(about(job, "attempt-failed", Level.NOTICE)
                .with("step", place)
                .with("attempt", attempt)
                .with("class", failure.kind())
                .with("code", failure.code())
                .with("why", failure.message())
                .with("delay", after));
    }

    void duplicated(StoredJob job, Place place, int attempt) {
        tell(about(job, "duplicated", Level.LOUD)
                .with("effect", place)
                .with("attempt", attempt)
                .with("why", "two attempts of this effect have happened; undo one of them by hand"));
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
        tell(
                switch (ending) {
                    case Ending.Done done -> about(job, "done", Level.QUIET);
                    case Ending.Failed failed ->
                        about(job, "failed", Level.LOUD)
                                .with(
                                        "step",
                                        failed.why().place().name().isEmpty()
                                                ? "(workflow)"
                                                : failed.why().place())
                                .with("class", failed.why().failure().kind())
                                .with("why", failed.why().failure().message());
                    case Ending.Later later ->
                        about(
                                        job,
                                        later.until()
                                                .name()
                                                .toLowerCase(java.util.Locale.ROOT)
                                                .replace('_', '-'),
                                        Level.NOTICE)
                                .with("why", later.why())
                                .with("delay", later.after());
                    case Ending.Asks asks ->
                        about(job, "asks", Level.LOUD)
                                .with("effect", asks.question().place())
                                .with("kind", asks.question().kind())
                                .with("why", asks.question().because())
                                .with("next", "pawl decide " + job.identity());
                    case Ending.Lost lost ->
                        about(job, "lease-lost", Level.NOTICE).with("why", lost.why());
                });
    }

    void enlisted(long worker, String name) {
        tell(at("enlisted", Level.QUIET).with("worker", worker).with("name", name));
    }

    void workerLost(long worker, String why) {
        tell(at("worker-lost", Level.NOTICE).with("worker", worker).with("why", why));
    }

    void tookOver(WorkerRecord worker, boolean known) {
        tell(at("took-over", Level.NOTICE)
                .with("worker", worker.id())
                .with("name", worker.name())
                .with("why", known ? "its process is gone" : "its beat stood still for " + worker.term()));
    }

    void storeFailed(StoreFailure failure) {
        tell(at("store-failed", Level.LOUD)
                .with("whose-move", failure.move())
                .with("why", String.valueOf(failure.getMessage())));
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
        return Event.of(around.time().now(), name, level);
    }

    private void tell(Event event) {
        around.events().happened(event);
    }
}
