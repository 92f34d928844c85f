package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.KeptPrices;
import dev.pawl.event.Event;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The standing loop goes on, whatever one of its parts comes to. */
class WorkerLoopTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Workflow<Integer, Integer> W = Workflow.named("w", Integer.class, Integer.class);
    private static final int PAGE = 1_000;

    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

    private static boolean mends(List<Change> changes) {
        return changes.stream().anyMatch(Change.MendTimes.class::isInstance);
    }

    /** Has one job done over {@code store}. */
    private void oneJobIsDone(Store store) throws InterruptedException {
        oneJobIsDone(store, () -> true);
    }

    /** The same, and stays until something else is so. */
    private void oneJobIsDone(Store store, BooleanSupplier so) throws InterruptedException {
        try (var engine = new LocalEngine(store, EnginePorts.system(events::add), EngineOptions.usual("w"))) {
            engine.work(List.of(W.implementedBy((job, input) -> input)));
            engine.submit(new Identity("w", Key.of(1)), "1");
            var job = store.find(new Identity("w", Key.of(1))).orElseThrow();
            assertThat(engine.await(job.id(), LONG))
                    .hasValueSatisfying(it -> assertThat(it.state()).isEqualTo(JobState.DONE));
            while (!so.getAsBoolean()) {
                Time.system().await(Duration.ofMillis(10));
            }
        }
    }

    @Test
    void times_that_cannot_be_mended_keep_nobody_from_working() throws Exception {
        oneJobIsDone(new DelegatingStore(new MemoryStore(Time.system())) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                if (mends(changes)) {
                    throw new StoreFailure(StoreFailure.Move.OPERATOR, "not now", null);
                }
                return super.exchange(changes, wanted);
            }
        });
    }

    @Test
    void a_table_of_prices_that_cannot_be_read_keeps_nobody_from_working() throws Exception {
        oneJobIsDone(new DelegatingStore(new MemoryStore(Time.system())) {
            @Override
            public Optional<KeptPrices> pricesAfter(long number) {
                throw new IllegalArgumentException("line 1: a price is something else by now");
            }
        });
        assertThat(events)
                .filteredOn(event -> event.name().equals("prices-unreadable"))
                .hasSize(1);
    }

    @Test
    void very_many_times_are_mended_a_page_in_each_turn_of_the_loop() throws Exception {
        oneJobIsDone(
                new DelegatingStore(new MemoryStore(Time.system())) {
                    @Override
                    public Exchanged exchange(List<Change> changes, Wanted wanted) {
                        var exchanged = super.exchange(changes, wanted);
                        if (!mends(changes)) {
                            return exchanged;
                        }
                        var page = List.copyOf(done).stream()
                                                .filter("mended"::equals)
                                                .count()
                                        < 2
                                ? PAGE
                                : 0;
                        done.add("mended");
                        var applied = exchanged.applied().stream()
                                .map(one -> one instanceof Applied.Mended
                                        ? new Applied.Mended(page, Duration.ofDays(1), page > 0)
                                        : one)
                                .toList();
                        return new Exchanged(
                                applied, exchanged.claimed(), exchanged.next(), exchanged.limited(), exchanged.now());
                    }

                    @Override
                    public List<WorkerRecord> workers() {
                        if (List.copyOf(done).stream().filter("mended"::equals).count() < 3) {
                            done.add("turned");
                        }
                        return super.workers();
                    }
                },
                () -> List.copyOf(done).stream().filter("mended"::equals).count() >= 3);
        assertThat(done).startsWith("mended", "turned", "mended");
    }
}
