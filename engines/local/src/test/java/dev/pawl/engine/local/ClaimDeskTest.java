package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Handling;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.lease.Trust;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job is started under the lease it was claimed with, or its slot is free again. */
class ClaimDeskTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Taking TAKING = Taking.of("w");

    private final List<Claimed> started = new ArrayList<>();
    private final MemoryStore store = new MemoryStore(Time.system());
    private final ClaimDesk desk = new ClaimDesk(2, new ClaimDesk.Crew() {
        @Override
        public void start(Lease lease, Claimed claimed) {
            started.add(claimed);
        }

        @Override
        public void storeFailed(StoreFailure storeFailure) {
            throw storeFailure;
        }
    });

    private static Lease lease(long worker) {
        var time = Time.system();
        return new Lease(worker, TERM, time, () -> {}, new Trust(TERM, time.now(), time.nanos()));
    }

    private Exchanged claimed(Wanted wanted) {
        store.exchange(
                List.of(
                        new Change.Enlist(1, "one", TERM, TAKING),
                        new Change.SubmitJob(new Identity("w", Key.of("a")), "1", null)),
                Wanted.NOTHING);
        return store.exchange(List.of(), wanted);
    }

    @Test
    void nothing_is_wanted_without_a_lease_without_room_and_after_the_end() {
        assertThat(desk.want().any()).as("no lease").isFalse();
        assertThat(desk.claimFor("w", Handling.usual())).isNull();
        assertThat(desk.nextDue()).isNull();
        var lease = lease(1);
        desk.opens(lease, TAKING);
        assertThat(desk.claimFor("other", Handling.usual())).isNull();
        assertThat(desk.claimFor("w", Handling.usual())).isNotNull();
        assertThat(desk.want().most()).isEqualTo(1);
        assertThat(desk.want().any()).as("no room").isFalse();
        desk.ended(false, true);
        lease.lose();
        assertThat(desk.wantsSomething()).as("lost").isFalse();
        desk.opens(lease(1), TAKING);
        assertThat(desk.wantsSomething()).isTrue();
        desk.closes();
        assertThat(desk.wantsSomething()).as("closed").isFalse();
    }

    @Test
    void what_was_claimed_under_the_lease_is_started() {
        desk.opens(lease(1), TAKING);
        var wanted = desk.want();
        desk.got(wanted, List.of(), claimed(wanted));
        assertThat(started).hasSize(1);
        desk.hint();
        assertThat(desk.want().most()).as("one slot is left").isEqualTo(1);
    }

    @Test
    void what_was_claimed_under_another_lease_is_not_and_its_slot_is_free() {
        desk.opens(lease(1), TAKING);
        var wanted = desk.want();
        var exchanged = claimed(wanted);
        desk.opens(lease(2), TAKING);
        desk.got(wanted, List.of(), exchanged);
        assertThat(started).isEmpty();
        assertThat(desk.want().most()).isEqualTo(2);
    }

    @Test
    void what_was_claimed_under_a_lease_that_is_lost_is_not_and_its_slot_is_free() {
        var lease = lease(1);
        desk.opens(lease, TAKING);
        var wanted = desk.want();
        var exchanged = claimed(wanted);
        lease.lose();
        desk.got(wanted, List.of(), exchanged);
        assertThat(started).isEmpty();
        desk.opens(lease(2), TAKING);
        assertThat(desk.want().most()).isEqualTo(2);
    }
}
