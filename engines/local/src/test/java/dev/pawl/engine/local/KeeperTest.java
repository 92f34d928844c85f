package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.event.Event;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.KeptPrices;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.DelegatingStore;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The standing loop goes on, whatever one of its parts comes to. */
class KeeperTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Workflow<Integer, Integer> W = Workflow.named("w", Integer.class, Integer.class);

    private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

    /** Has one job done over {@code store}. */
    private void oneJobIsDone(Store store) throws InterruptedException {
        try (var engine = new LocalEngine(store, Surroundings.system(events::add), EngineOptions.usual("w"))) {
            engine.work(List.of(W.implementedBy((job, input) -> input)));
            engine.submit(new Identity("w", Key.of(1)), "1");
            var job = store.find(new Identity("w", Key.of(1))).orElseThrow();
            assertThat(engine.await(job.id(), LONG))
                    .hasValueSatisfying(it -> assertThat(it.state()).isEqualTo(JobState.DONE));
        }
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
}
