package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Prices;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Fingerprint;
import dev.pawl.effect.Terms;
import dev.pawl.event.Events;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Progress;
import dev.pawl.key.Place;
import dev.pawl.lease.Trust;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run at its bounds. */
class JobRunTest {
    private static final Workflow<Integer, String> W =
            Workflow.named(StoreDriver.WORKFLOW, Integer.class, String.class);

    private final MemoryStore store = new MemoryStore(new FakeTime());
    private final StoreDriver driver = new StoreDriver(store);

    private JobRun run(StoreDriver.Held held, Workflow.Body<Integer, String> body) {
        return run(held, lease(), List.of(), body);
    }

    private static Lease lease() {
        var trust = new Trust(
                Duration.ofHours(1), Time.system().now(), Time.system().nanos());
        return new Lease(1, Duration.ofHours(1), Time.system(), () -> {}, trust);
    }

    private JobRun run(
            StoreDriver.Held held, Lease lease, List<JournalLine> journal, Workflow.Body<Integer, String> body) {
        var ports = EnginePorts.system(Events.NOWHERE);
        var desk = new ClaimDesk(1, new ClaimDesk.Crew() {
            @Override
            public void start(Lease lease, Claimed claimed) {}

            @Override
            public void storeFailed(StoreFailure storeFailure) {}
        });
        var committers = new Committers(store, ports, desk, 1, Duration.ofSeconds(1));
        committers.stop();
        var books = new BudgetBooks();
        return new JobRun(
                new WorkerServices(
                        committers,
                        ports,
                        new Watchdog(Time.system(), desk),
                        store,
                        new EventLog(ports, ""),
                        new CurrentPrices(Prices.none(), why -> {}),
                        new GateBoard(List.of(), books),
                        books,
                        new Evidence(),
                        () -> {},
                        "test"),
                lease,
                new Claimed(held.job(), journal),
                W.implementedBy(body));
    }

    @Test
    void a_run_that_has_written_nearly_all_it_can_hands_the_job_back_and_goes_on_under_a_new_fence() {
        var held = driver.hold("a", driver.enlist(1));
        var run = run(held, (job, input) -> job.step("s", String.class, () -> "never"));
        run.context().journal().nextId(Changes.ENOUGH_PER_FENCE);
        assertThat(run.run()).isNull();
        assertThat(driver.state(held)).isEqualTo(JobState.READY);
        assertThat(driver.entries(held)).allMatch(entry -> entry instanceof Entry.Released);
    }

    @Test
    void a_thread_that_begins_after_the_run_was_told_to_hurry_hears_of_it() {
        var run = run(driver.hold("a", driver.enlist(1)), (job, input) -> "");
        run.interrupt();
        run.leave(run.enter("late"));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void how_far_a_job_has_come_is_recorded_by_nobody_who_has_lost_it() {
        var held = driver.hold("a", driver.enlist(1));
        var gone = lease();
        var without = run(held, gone, List.of(), (job, input) -> "");
        gone.lose();
        var unsure = run(held, (job, input) -> "");
        unsure.context().journal().lose("the store did not answer");
        for (var run : List.of(without, unsure)) {
            run.progresses(Place.WORKFLOW, 1, Progress.of("half"));
            run.recordProgress();
        }
        assertThat(driver.entries(held)).isEmpty();
        var sure = run(held, (job, input) -> "");
        sure.progresses(Place.WORKFLOW, 1, Progress.of("half"));
        sure.recordProgress();
        assertThat(driver.entries(held)).singleElement().isInstanceOf(Entry.Progressed.class);
    }

    @Test
    void a_request_that_nobody_wrote_down_is_written_down_with_the_next_attempt() {
        var held = driver.hold("a", driver.enlist(1));
        var intent = new Entry.Intended(
                StoreDriver.EFFECT,
                1,
                Fingerprint.of("in").today(),
                new Terms(null, false, Duration.ofSeconds(60)),
                Duration.ofMinutes(2));
        driver.apply(new Change.IntendEffectIfOwned(held.hold(), held.id(1), List.of(intent), null));
        driver.apply(held.didNotHappen(1));
        driver.apply(held.release(Change.ReleaseJob.Until.HAND_BACK, Duration.ZERO));
        var again = driver.claimed(driver.claim(1, 1).getFirst());
        var run = run(
                again,
                lease(),
                store.journal(held.job().id()),
                (job, input) -> job.effect("send", Contract.none(), "in", String.class, (request, attempt) -> "sent"));
        assertThat(run.run()).isNotNull();
        assertThat(driver.entries(held))
                .filteredOn(Entry.Intended.class::isInstance)
                .extracting(entry -> ((Entry.Intended) entry).notes().request())
                .containsExactly(null, "\"in\"");
    }
}
