package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Prices;
import dev.pawl.event.Events;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.lease.Trust;
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
        var ports = EnginePorts.system(Events.NOWHERE);
        var desk = new ClaimDesk(1, new ClaimDesk.Crew() {
            @Override
            public void start(Lease lease, Claimed claimed) {}

            @Override
            public void storeFailed(StoreFailure storeFailure) {}
        });
        var committers = new Committers(store, ports, desk, 1, Duration.ofSeconds(1));
        committers.stop();
        var trust = new Trust(
                Duration.ofHours(1), Time.system().now(), Time.system().nanos());
        var books = new BudgetBooks();
        return new JobRun(
                new WorkerServices(
                        committers,
                        ports,
                        new Watchdog(Time.system()),
                        store,
                        new EventLog(ports, ""),
                        new CurrentPrices(Prices.none(), why -> {}),
                        new GateBoard(List.of(), books),
                        books,
                        new Evidence(),
                        () -> {},
                        "test"),
                new Lease(1, Duration.ofHours(1), Time.system(), () -> {}, trust),
                new Claimed(held.job(), List.of()),
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
}
