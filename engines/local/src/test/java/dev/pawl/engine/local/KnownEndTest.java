package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Use;
import dev.pawl.effect.Answer;
import dev.pawl.effect.KnownEnd;
import dev.pawl.event.Events;
import dev.pawl.journal.Entry;
import dev.pawl.key.EffectKey;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What is known of an attempt whose worker is gone is told to the store. */
class KnownEndTest {
    private final MemoryStore store = new MemoryStore(Time.system());
    private final StoreDriver driver = new StoreDriver(store);

    @Test
    void two_who_tell_the_same_end_at_once_record_what_it_used_once() {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        driver.apply(held.intend(1));
        driver.apply(held.release(Change.ReleaseJob.Until.WAIT, Duration.ofHours(1)));
        var identity = StoreDriver.identity("a");
        var job = store.find(identity).orElseThrow();
        var end = new KnownEnd(
                identity,
                EffectKey.of(identity, StoreDriver.EFFECT, 0),
                1,
                held.hold().fence(),
                Answer.happened("1"),
                List.of(Use.of("m").input(3)));
        var ports = EnginePorts.system(Events.NOWHERE);
        try (var other = new LocalEngine(store, ports, EngineOptions.usual("other"))) {
            var first = new AtomicBoolean(true);
            var late = new DelegatingStore(store) {
                @Override
                public Exchanged exchange(List<Change> changes, Wanted wanted) {
                    // Both have seen that nobody has told it.
                    if (first.getAndSet(false)) {
                        assertThat(other.tell(end)).isTrue();
                    }
                    return super.exchange(changes, wanted);
                }
            };
            try (var engine = new LocalEngine(late, ports, EngineOptions.usual("late"))) {
                engine.tell(end);
            }
        }
        assertThat(store.journal(job.id()))
                .filteredOn(line -> line.entry() instanceof Entry.Used)
                .hasSize(1);
        assertThat(store.journal(job.id()))
                .filteredOn(line -> line.entry() instanceof Entry.Answered)
                .hasSize(1);
    }
}
