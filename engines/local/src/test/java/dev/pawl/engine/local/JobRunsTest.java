package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.event.Events;
import dev.pawl.lease.Trust;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Claimed;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.StoreDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The runs of a process are known until they have ended, however they do. */
class JobRunsTest {
    private final FakeTime time = new FakeTime();

    @Test
    void a_run_for_which_there_is_no_thread_has_ended_and_holds_no_lease() {
        var driver = new StoreDriver(new MemoryStore(time));
        var claimed = new Claimed(driver.hold("a", driver.enlist(1)).job(), List.of());
        var ended = new ArrayList<String>();
        var runs = new JobRuns(
                EnginePorts.system(Events.NOWHERE).threads((purpose, name, work) -> {
                    throw new OutOfMemoryError("unable to create native thread");
                }),
                new JobRuns.Employer() {
                    @Override
                    public JobRun run(Lease lease, Claimed one) {
                        throw new AssertionError("it never began");
                    }

                    @Override
                    public void ended(Claimed one, boolean leavesWork) {
                        ended.add(one.job().identity() + " " + leavesWork);
                    }

                    @Override
                    public void told(Claimed one, UserCode.CodeOutcome<StoredJob> outcome) {
                        throw new AssertionError("it came to nothing");
                    }
                });
        var closed = new AtomicInteger();
        var lease = new Lease(
                1,
                Duration.ofSeconds(30),
                time,
                closed::incrementAndGet,
                new Trust(Duration.ofSeconds(30), time.now(), time.nanos()));
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> runs.start(lease, claimed));
        assertThat(ended).containsExactly("w/a true");
        assertThat(runs.none()).isTrue();
        assertThat(runs.isHere(claimed.job().id())).isFalse();
        lease.lose();
        assertThat(closed).as("nothing runs under it").hasValue(1);
    }
}
