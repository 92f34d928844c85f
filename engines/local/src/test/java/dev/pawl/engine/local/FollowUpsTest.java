package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Handling;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.HeldChange;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.StoreDriver;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What changes have left to do is gone on with, and what of it cannot be done keeps nobody from the rest, and no worker busy. */
class FollowUpsTest {
    private static final int MANY = 40;

    private final MemoryStore memory = new MemoryStore(Time.system(), 1);
    private final StoreDriver driver = new StoreDriver(memory);
    private final List<String> told = new ArrayList<>();
    private int asked;

    /** So many jobs, each of which has ended with two callers that one commit is too small for. */
    private void leave(int many) {
        driver.enlist(1);
        for (var i = 0; i < many; i++) {
            var child = new Change.CalledJob(
                    StoreDriver.identity("child-" + i), new StoredJob.Given("1", Handling.usual()), false);
            for (var held : List.of(driver.hold("a-" + i, 1), driver.hold("b-" + i, 1))) {
                driver.apply(held.call("c", child));
            }
            driver.apply(driver.claimed(driver.claim(1, 1).getFirst()).finish("1"));
        }
        assertThat(memory.followUps(0, 1_000)).hasSize(many);
    }

    private FollowUps over(Function<Change.GoOn, @Nullable Applied> instead) {
        Store store = new DelegatingStore(memory) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                asked++;
                var other = changes.getFirst() instanceof Change.GoOn goOn ? instead.apply(goOn) : null;
                var exchanged = other == null ? super.exchange(changes, wanted) : super.exchange(List.of(), wanted);
                return other == null ? exchanged : new Exchanged(List.of(other), List.of(), null, exchanged.now());
            }
        };
        var ports = EnginePorts.system(event -> told.add(event.line()));
        return new FollowUps(store, new EventLog(ports, ""));
    }

    @Test
    void all_of_it_is_done_and_then_nothing_is_asked_for() {
        leave(MANY);
        var followUps = over(unused -> null);
        assertThat(followUps.goOn(() -> false)).isEqualTo(new FollowUps.WentOn(true, false));
        assertThat(memory.followUps(0, 1)).isEmpty();
        var before = asked;
        assertThat(followUps.goOn(() -> false)).isEqualTo(new FollowUps.WentOn(false, false));
        assertThat(asked).isEqualTo(before);
    }

    @Test
    void whoever_has_to_stop_says_that_there_is_more() {
        leave(MANY);
        var followUps = over(unused -> null);
        assertThat(followUps.goOn(() -> asked == 3)).isEqualTo(new FollowUps.WentOn(true, true));
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
        var before = asked;
        assertThat(followUps.goOn(() -> false)).isEqualTo(new FollowUps.WentOn(false, false));
        assertThat(asked - before).isEqualTo(3);
    }
}
