package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Use;
import dev.pawl.effect.Answer;
import dev.pawl.effect.KnownEnd;
import dev.pawl.event.Events;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
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

    private KnownEnd end(StoreDriver.Held held, int number, long fence, String key, Answer answer) {
        return new KnownEnd(
                held.job().identity(),
                EffectKey.of(StoreDriver.identity(key), StoreDriver.EFFECT, 0),
                number,
                fence,
                answer,
                List.of());
    }

    @Test
    void only_an_attempt_that_the_journal_has_and_knows_no_end_of_is_told_of() {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        var fence = held.hold().fence();
        driver.apply(held.step("s", "1"));
        driver.apply(held.intend(1));
        var did = Answer.happened("1");
        var not = new Answer.DidNotHappen(Failure.of(FailureClass.TRANSIENT, "no", "no"));
        try (var engine = new LocalEngine(store, EnginePorts.system(Events.NOWHERE), EngineOptions.usual("a"))) {
            assertThat(engine.silences()).as("it does not work").isEmpty();
            assertThat(engine.tell(end(held, 1, fence, "a", did))).as("it runs").isFalse();
            driver.apply(held.release(Change.ReleaseJob.Until.WAIT, Duration.ofHours(1)));
            assertThat(engine.tell(end(held, 2, fence, "a", did))).isFalse();
            assertThat(engine.tell(end(held, 1, fence + 1, "a", did))).isFalse();
            assertThat(engine.tell(end(held, 1, fence, "b", did)))
                    .as("another effect's key")
                    .isFalse();
            assertThat(engine.tell(new KnownEnd(StoreDriver.identity("nobody"), "k", 1, fence, did, List.of())))
                    .isFalse();
            assertThat(engine.tell(end(held, 1, fence, "a", not))).isTrue();
            assertThat(engine.tell(end(held, 1, fence, "a", not)))
                    .as("that is known")
                    .isFalse();
            assertThat(engine.tell(end(held, 1, fence, "a", did)))
                    .as("it happened after all")
                    .isTrue();
            assertThat(engine.tell(end(held, 1, fence, "a", did))).isFalse();
        }
    }

    @Test
    void an_attempt_of_an_earlier_run_is_not_told_of() {
        driver.enlist(1);
        var held = driver.hold("a", 1);
        driver.apply(held.intend(1));
        driver.apply(held.happened(1));
        driver.apply(held.finish("1"));
        driver.apply(new Change.ResubmitJob(held.job().id(), driver.newId(), StoreDriver.ANNA));
        try (var engine = new LocalEngine(store, EnginePorts.system(Events.NOWHERE), EngineOptions.usual("a"))) {
            assertThat(engine.tell(end(held, 1, held.hold().fence(), "a", Answer.happened("2"))))
                    .isFalse();
        }
    }
}
