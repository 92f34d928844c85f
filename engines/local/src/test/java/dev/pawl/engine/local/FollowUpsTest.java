package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Handling;
import dev.pawl.job.Transition;
import dev.pawl.job.Workflow;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.HeldChange;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.StoreDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What changes have left to do is gone on with, and what of it cannot be done keeps nobody from the rest, and no worker busy. */
class FollowUpsTest {
    private static final int MANY = 40;

    private final FakeTime time = new FakeTime();
    private final MemoryStore memory = new MemoryStore(time, 1);
    private final StoreDriver driver = new StoreDriver(memory);
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger asked = new AtomicInteger();

    /** So many jobs, each of which has ended with two callers that one commit is too small for. */
    private void leave(int many) {
        leave(many, child -> child.finish("1"));
    }

    private void leave(int many, Function<StoreDriver.Held, Change> ending) {
        driver.enlist(1);
        for (var i = 0; i < many; i++) {
            var child = new Change.CalledJob(
                    StoreDriver.identity("child-" + i), new StoredJob.Given("1", Handling.usual()), false);
            for (var held : List.of(driver.hold("a-" + i, 1), driver.hold("b-" + i, 1))) {
                driver.apply(held.call("c", child));
            }
            driver.apply(ending.apply(driver.claimed(driver.claim(1, 1).getFirst())));
        }
        assertThat(memory.followUps(0, 1_000)).hasSize(many);
    }

    private Store seen(Function<Change, @Nullable Applied> instead) {
        return new DelegatingStore(memory) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                asked.incrementAndGet();
                var other = changes.isEmpty() ? null : instead.apply(changes.getFirst());
                var exchanged = other == null ? super.exchange(changes, wanted) : super.exchange(List.of(), wanted);
                return other == null ? exchanged : new Exchanged(List.of(other), List.of(), null, exchanged.now());
            }
        };
    }

    private FollowUps over(Function<Change.GoOn, @Nullable Applied> instead) {
        var store = seen(change -> change instanceof Change.GoOn goOn ? instead.apply(goOn) : null);
        return new FollowUps(store, new EventLog(ports(), ""));
    }

    private EnginePorts ports() {
        Threads starting = (purpose, name, work) -> {
            var thread = Threads.SYSTEM.start(purpose, name, work);
            threads.add(thread);
            return thread;
        };
        return new EnginePorts(time, starting, new Random(4), event -> told.add(event.line()));
    }

    private LocalEngine engine(Function<Change, @Nullable Applied> instead) {
        return new LocalEngine(seen(instead), ports(), EngineOptions.usual("test"));
    }

    /** Works, but none of the jobs that are here. */
    private static void works(LocalEngine engine) {
        engine.work(List.of(Workflow.named("other", String.class, String.class).implementedBy((job, input) -> input)));
    }

    private Change taken(Transition way, long job) {
        return switch (way) {
            case RETRY -> new Change.RetryJob(job, driver.newId(), StoreDriver.ANNA);
            case RESUBMIT -> new Change.ResubmitJob(job, driver.newId(), StoreDriver.ANNA);
            case DISCARD -> new Change.DiscardJob(job, driver.newId(), StoreDriver.ANNA);
            default -> throw new IllegalArgumentException(way + " is not a person's to make");
        };
    }

    @Test
    void all_of_it_is_done_and_then_nothing_is_asked_for() {
        leave(MANY);
        var followUps = over(unused -> null);
        assertThat(followUps.goOn(() -> false)).isEqualTo(new FollowUps.WentOn(true, false));
        assertThat(memory.followUps(0, 1)).isEmpty();
        var before = asked.get();
        assertThat(followUps.goOn(() -> false)).isEqualTo(new FollowUps.WentOn(false, false));
        assertThat(asked).hasValue(before);
    }

    @Test
    void whoever_has_to_stop_says_that_there_is_more() {
        leave(MANY);
        var followUps = over(unused -> null);
        assertThat(followUps.goOn(() -> asked.get() == 3)).isEqualTo(new FollowUps.WentOn(true, true));
        assertThat(memory.followUps(0, 1_000)).hasSize(MANY - 3);
    }

    @Test
    void what_is_refused_held_or_not_to_be_done_yet_keeps_nobody_from_the_rest_and_is_asked_for_once_a_turn() {
        leave(MANY);
        var first = memory.followUps(0, 3);
        var followUps = over(goOn -> {
            if (goOn.followUp() == first.get(0).id()) {
                return new Applied.Refused("it cannot be");
            }
            if (goOn.followUp() == first.get(1).id()) {
                return new Applied.NotYet(Duration.ofSeconds(1));
            }
            if (goOn.followUp() == first.get(2).id()) {
                throw new HeldChange(List.of(0), "somebody holds it", null);
            }
            return null;
        });
        assertThat(followUps.goOn(() -> false)).isEqualTo(new FollowUps.WentOn(true, false));
        assertThat(memory.followUps(0, 1_000)).isEqualTo(first);
        assertThat(told).anyMatch(line -> line.contains("what is left to do of a change cannot be done: it cannot be"));
        var before = asked.get();
        assertThat(followUps.goOn(() -> false)).isEqualTo(new FollowUps.WentOn(false, false));
        assertThat(asked.get() - before).isEqualTo(3);
    }

    private StoredJob child(int number) {
        return memory.find(StoreDriver.identity("child-" + number)).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(names = {"RETRY", "RESUBMIT", "DISCARD"})
    void whoever_takes_a_job_up_whose_end_not_all_have_heard_of_has_them_told_first(Transition way) {
        leave(1, StoreDriver.Held::fail);
        try (var engine = engine(unused -> null)) {
            assertThat(engine.change(taken(way, child(0).id()))).isInstanceOf(Applied.Now.class);
        }
        assertThat(memory.followUps(0, 1)).isEmpty();
        assertThat(child(0).state()).isEqualTo(way.to());
    }

    @ParameterizedTest
    @EnumSource(names = {"RETRY", "DISCARD"})
    void what_cannot_be_taken_up_although_nothing_is_left_is_not_asked_for_again(Transition way) {
        leave(1);
        over(unused -> null).goOn(() -> false);
        try (var engine = engine(unused -> null)) {
            asked.set(0);
            assertThat(engine.change(taken(way, child(0).id()))).isInstanceOf(Applied.Conflict.class);
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void what_is_no_taking_up_and_cannot_be_leaves_alone_what_is_left() {
        leave(1);
        try (var engine = engine(unused -> null)) {
            assertThat(engine.change(new Change.CancelJob(child(0).id(), driver.newId(), StoreDriver.ANNA)))
                    .isInstanceOf(Applied.Conflict.class);
        }
        assertThat(memory.followUps(0, 1_000)).hasSize(1);
    }

    @Test
    void a_person_waits_no_longer_than_a_minute_for_what_a_change_does_to_others() {
        leave(3);
        driver.submit("unwanted", "1");
        var job = memory.find(StoreDriver.identity("unwanted")).orElseThrow().id();
        Function<Change, @Nullable Applied> slow = change -> {
            if (change instanceof Change.GoOn) {
                time.advance(Duration.ofSeconds(40));
            }
            return null;
        };
        try (var engine = engine(slow)) {
            assertThat(engine.change(new Change.CancelJob(job, driver.newId(), StoreDriver.ANNA)))
                    .isInstanceOf(Applied.Now.class);
        }
        assertThat(memory.followUps(0, 1_000)).hasSize(1);
    }

    @Test
    void a_worker_beats_in_between_however_much_is_left() throws Exception {
        var done = Collections.synchronizedList(new ArrayList<String>());
        var all = new CountDownLatch(3);
        leave(3);
        Function<Change, @Nullable Applied> slow = change -> {
            if (change instanceof Change.GoOn) {
                done.add("goes on");
                time.advance(EngineOptions.usual("test").beatEvery());
                all.countDown();
            } else if (change instanceof Change.Beat) {
                done.add("beats");
            }
            return null;
        };
        try (var engine = engine(slow)) {
            works(engine);
            all.await();
        }
        assertThat(done).startsWith("goes on", "beats", "goes on", "beats", "goes on");
    }

    @Test
    void a_worker_that_stops_meanwhile_leaves_the_rest_to_others() throws Exception {
        var begun = new CountDownLatch(1);
        var retired = new CompletableFuture<Boolean>();
        leave(MANY);
        Function<Change, @Nullable Applied> slow = change -> {
            if (change instanceof Change.GoOn) {
                begun.countDown();
                retired.join();
            } else if (change instanceof Change.Retire) {
                retired.complete(true);
            }
            return null;
        };
        try (var engine = engine(slow)) {
            works(engine);
            begun.await();
        }
        for (var thread : List.copyOf(threads)) {
            thread.join();
        }
        assertThat(memory.followUps(0, 1_000)).hasSize(MANY - 1);
    }
}
