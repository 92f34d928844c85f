package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who waits for a job is told its end, and an end that was told is not told to who waits later. */
class WaitersTest {
    private final Waiters waiters = new Waiters();
    private final StoredJob ended = Objects.requireNonNull(new MemoryStore(Time.system())
            .exchange(List.of(new Change.SubmitJob(new Identity("w", Key.of("a")), "1", null)), Wanted.NOTHING)
            .applied()
            .getFirst()
            .stored());

    @Test
    void all_who_wait_are_told() {
        var one = waiters.waitFor(1);
        var two = waiters.waitFor(1);
        waiters.tell(1, null);
        assertThat(one.ended()).as("it did not end").isNull();
        waiters.tell(1, ended);
        assertThat(one.ended()).isSameAs(ended);
        assertThat(two.ended()).isSameAs(ended);
        waiters.tell(2, ended);
    }

    @Test
    void who_waits_later_waits_for_the_next_end() {
        var before = waiters.waitFor(1);
        waiters.tell(1, ended);
        var after = waiters.waitFor(1);
        assertThat(after.ended()).isNull();
        waiters.noLonger(1, before);
        waiters.tell(1, ended);
        assertThat(after.ended()).isSameAs(ended);
    }

    @Test
    void nobody_is_told_any_more_once_the_last_has_gone() {
        var one = waiters.waitFor(1);
        var two = waiters.waitFor(1);
        waiters.noLonger(1, one);
        waiters.noLonger(1, two);
        waiters.tell(1, ended);
        assertThat(two.ended()).isNull();
    }
}
