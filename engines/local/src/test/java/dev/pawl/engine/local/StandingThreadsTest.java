package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.event.Event;
import dev.pawl.job.Handling;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreGone;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A worker of which a standing thread has ended does not go on looking alive. */
class StandingThreadsTest {
    private final CompletableFuture<StoreFailure> heard = new CompletableFuture<>();
    private final CompletableFuture<Boolean> cut = new CompletableFuture<>();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final MemoryStore shared = new MemoryStore(Time.system());

    /** A store at which a keeper meets with this when it looks around. */
    private Store meeting(Supplier<Throwable> trouble) {
        return new DelegatingStore(shared) {
            @Override
            public List<WorkerRecord> workers() {
                switch (trouble.get()) {
                    case Error error -> throw error;
                    case RuntimeException failure -> throw failure;
                    case Throwable none -> throw new IllegalStateException(none);
                }
            }

            @Override
            public Lifeline lifeline(long worker) {
                return () -> cut.complete(true);
            }
        };
    }

    private LocalEngine engine(Store store) {
        return new LocalEngine(store, EnginePorts.system(events::add), EngineOptions.usual("test"));
    }

    private void givesUp(Supplier<Throwable> trouble, String says) throws Exception {
        try (var engine = engine(meeting(trouble))) {
            engine.whenItGivesUp(heard::complete);
            engine.work(List.of(Workflow.named("w", String.class, String.class).implementedBy((job, input) -> input)));
            assertThat(heard.get()).hasMessageContaining(says);
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> engine.awaitQuiet(Duration.ofMinutes(1)))
                    .withMessageContaining(says);
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> engine.submit(new Identity("w", Key.of("1")), "1"))
                    .withMessageContaining(says);
            for (var event = events.take(); !event.name().equals("worker-gave-up"); event = events.take()) {
                // It says so, and nothing else is asked of it.
            }
            assertThat(cut.get())
                    .as("its lifeline is cut: whoever looks takes over at once")
                    .isTrue();
        }
    }

    @Test
    void a_keeper_without_memory_gives_its_lease_up_and_whoever_waits_is_told() throws Exception {
        givesUp(OutOfMemoryError::new, "there is no memory left");
    }

    @Test
    void a_keeper_that_meets_with_any_other_error_does_too() throws Exception {
        givesUp(() -> new LinkageError("half a jar"), "half a jar");
    }

    @Test
    void a_keeper_whose_store_is_gone_does_too() throws Exception {
        givesUp(() -> new StoreGone("the file was deleted", null), "the file was deleted");
    }

    @Test
    void a_keeper_that_finds_its_store_gone_once_everything_is_closed_ends_nobodys_process() throws Exception {
        var looks = new CompletableFuture<Boolean>();
        var closed = new CompletableFuture<Boolean>();
        var threads = new LinkedBlockingQueue<Thread>();
        var store = meeting(() -> {
            looks.complete(true);
            closed.join();
            return new StoreGone("the file was deleted", null);
        });
        try (var engine = new LocalEngine(
                store,
                EnginePorts.system(events::add).threads((purpose, name, work) -> {
                    var thread = Threads.SYSTEM.start(purpose, name, work);
                    threads.add(thread);
                    return thread;
                }),
                EngineOptions.usual("test"))) {
            engine.whenItGivesUp(heard::complete);
            engine.work(List.of(Workflow.named("w", String.class, String.class).implementedBy((job, input) -> input)));
            looks.join();
        }
        closed.complete(true);
        for (var thread : threads) {
            thread.join();
        }
        assertThat(heard).isNotDone();
        assertThat(events).extracting(Event::name).doesNotContain("worker-gave-up");
    }

    /** The machine's clock, at which whoever waits while this is so meets with an error. */
    private static Time failing(AtomicBoolean fails, CountDownLatch together) {
        return new Time() {
            @Override
            public Instant now() {
                return Time.system().now();
            }

            @Override
            public long nanos() {
                return Time.system().nanos();
            }

            @Override
            public void await(Duration atMost) throws InterruptedException {
                if (fails.get()) {
                    together.countDown();
                    together.await();
                    throw new LinkageError("half a jar");
                }
                Time.system().await(atMost);
            }
        };
    }

    /** A store after whose first submission this is so. */
    private Store afterSubmission(AtomicBoolean so) {
        return new DelegatingStore(shared) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                var exchanged = super.exchange(changes, wanted);
                if (changes.stream().anyMatch(Change.SubmitJob.class::isInstance)) {
                    so.set(true);
                }
                return exchanged;
            }
        };
    }

    private EnginePorts ports(Time time, Threads threads) {
        return new EnginePorts(time, threads, new Random(4), events::add);
    }

    @Test
    void an_engine_that_only_submits_gives_up_too_when_its_committer_is_gone() throws Exception {
        var fails = new AtomicBoolean();
        var ports = ports(failing(fails, new CountDownLatch(1)), Threads.SYSTEM);
        try (var engine = new LocalEngine(afterSubmission(fails), ports, EngineOptions.usual("test"))) {
            engine.whenItGivesUp(heard::complete);
            var jobs = Map.of(new Identity("w", Key.of("1")), "1");
            assertThat(engine.submitAll(jobs, Handling.usual())).singleElement().isInstanceOf(Applied.Now.class);
            assertThat(heard.get()).hasMessageContaining("half a jar");
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> engine.submit(new Identity("w", Key.of("2")), "1"))
                    .withMessageContaining("half a jar");
        }
    }

    @Test
    void two_standing_threads_that_end_at_once_give_up_once() throws Exception {
        var fails = new AtomicBoolean();
        var threads = new ConcurrentHashMap<String, Thread>();
        var ports = ports(failing(fails, new CountDownLatch(2)), (purpose, name, work) -> {
            var thread = Threads.SYSTEM.start(purpose, name, work);
            threads.put(name, thread);
            return thread;
        });
        var gaveUp = new LinkedBlockingQueue<StoreFailure>();
        try (var engine = new LocalEngine(afterSubmission(fails), ports, EngineOptions.usual("test"))) {
            engine.whenItGivesUp(gaveUp::add);
            engine.work(List.of(Workflow.named("w", String.class, String.class).implementedBy((job, input) -> input)));
            engine.submitAll(Map.of(new Identity("nobody-works-it", Key.of("1")), "1"), Handling.usual());
            for (var name : List.of("test-committer", "test-claims", "test-keeper")) {
                Objects.requireNonNull(threads.get(name), name).join();
            }
            fails.set(false);
        }
        assertThat(gaveUp).hasSize(1);
        assertThat(events).extracting(Event::name).containsOnlyOnce("worker-gave-up");
    }

    @Test
    void every_standing_thread_is_heard_of_when_it_ends_and_no_jobs() throws Exception {
        var standing = new StandingThreads(Threads.SYSTEM, heard::complete);
        standing.start(Threads.Purpose.JOB, "job", () -> {}).join();
        standing.start(Threads.Purpose.STANDING, "well", () -> {}).join();
        assertThat(heard).isNotDone();
        standing.start(Threads.Purpose.STANDING, "watchdog", () -> {
                    throw new OutOfMemoryError();
                })
                .join();
        assertThat(heard.get().move()).isEqualTo(StoreFailure.Move.ASK_AGAIN);
    }

    @Test
    void what_waits_for_a_commit_that_nobody_makes_is_told() {
        var committers = new Committers(
                shared,
                EnginePorts.system(events::add),
                new ClaimDesk(1, new ClaimDesk.Crew() {
                    @Override
                    public void start(Lease lease, Claimed claimed) {}

                    @Override
                    public void storeFailed(StoreFailure storeFailure) {}
                }),
                1,
                Duration.ofSeconds(1));
        committers.end(new StoreFailure(StoreFailure.Move.ASK_AGAIN, "it is over", null));
        var change = new Change.SubmitJob(new Identity("w", Key.of("1")), "1", null);
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> committers.commit(change))
                .withMessageContaining("it is over");
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> committers.commitAll(List.of(change)))
                .withMessageContaining("it is over");
    }
}
