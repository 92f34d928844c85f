package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.event.Events;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Changes of many threads go together in commits of a size that a store can take. */
class CommitterTest {
    private static final int MANY = 1_100;

    private final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
    private final List<StoreFailure> heard = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch goOn = new CountDownLatch(1);

    private Committer committer(Store store) {
        var desk = new ClaimDesk(1, new ClaimDesk.Crew() {
            @Override
            public void start(Lease lease, Claimed claimed) {
                throw new IllegalStateException("nothing is claimed here");
            }

            @Override
            public void storeFailed(StoreFailure storeFailure) {
                heard.add(storeFailure);
            }
        });
        return new Committer(
                store,
                EnginePorts.system(Events.NOWHERE),
                desk,
                true,
                Duration.ofSeconds(10),
                new StoreClock(Time.system()));
    }

    /** A store that answers nobody before it is told to go on. */
    private Store held() {
        return new DelegatingStore(new MemoryStore(Time.system())) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                sizes.add(changes.size());
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return super.exchange(changes, wanted);
            }
        };
    }

    private static Change job(String key) {
        return new Change.SubmitJob(new Identity("w", Key.of(key)), "1", null);
    }

    @Test
    void what_waits_goes_together_in_commits_of_a_bounded_size() throws InterruptedException {
        var committer = committer(held());
        committer.start("test");
        Set<Applied> answers = ConcurrentHashMap.newKeySet();
        var threads = new ArrayList<Thread>();
        for (var i = 0; i < MANY; i++) {
            var change = job("job-" + i);
            Runnable commits = () -> answers.add(committer.commit(change));
            threads.add(
                    i % 100 == 7
                            ? Thread.ofPlatform().start(commits)
                            : Thread.ofVirtual().start(commits));
        }
        for (var thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        goOn.countDown();
        for (var thread : threads) {
            thread.join();
        }
        committer.stop();
        assertThat(answers).hasSize(MANY).allMatch(Applied::done);
        assertThat(sizes).allMatch(size -> size <= 1_024).anyMatch(size -> size > 500);
        assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(MANY);
    }

    @Test
    void many_are_committed_together_also_after_the_end() {
        goOn.countDown();
        var committer = committer(held());
        committer.start("test");
        assertThat(commitAll(committer, List.of(job("a"), job("b")))).hasSize(2).allMatch(Applied::done);
        assertThat(commitAll(committer, List.of())).isEmpty();
        committer.stop();
        assertThat(commitAll(committer, List.of(job("c"), job("d"), job("a"))))
                .hasSize(3)
                .allMatch(Applied::done);
        assertThat(sizes).contains(3);
    }

    @Test
    void whoever_comes_after_the_end_waits_for_whoever_was_before() throws InterruptedException {
        var committer = committer(held());
        committer.stop();
        Set<Applied> answers = ConcurrentHashMap.newKeySet();
        var first = Thread.ofVirtual().start(() -> answers.add(committer.commit(job("a"))));
        while (sizes.isEmpty()) {
            Thread.onSpinWait();
        }
        var second = Thread.ofVirtual().start(() -> answers.add(committer.commit(job("b"))));
        while (second.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        goOn.countDown();
        first.join();
        second.join();
        assertThat(answers).hasSize(2);
        assertThat(sizes).containsExactly(1, 1);
    }

    @Test
    void trouble_that_only_an_operator_can_mend_is_told_at_once() {
        var broken = new DelegatingStore(new MemoryStore(Time.system())) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                sizes.add(changes.size());
                throw new StoreFailure(StoreFailure.Move.OPERATOR, "put a backup in its place", null);
            }
        };
        var committer = committer(broken);
        committer.start("test");
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(() -> committer.commit(job("a")))
                .withMessageContaining("backup");
        committer.stop();
        assertThat(sizes).as("alone, and once more by the committer").hasSize(2);
        assertThat(heard).hasSize(1);
    }

    @Test
    void whoever_is_interrupted_while_the_store_is_asked_again_is_interrupted_afterwards() {
        var slow = new DelegatingStore(new MemoryStore(Time.system())) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                sizes.add(changes.size());
                if (sizes.size() < 4) {
                    throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "not now", null);
                }
                return super.exchange(changes, wanted);
            }
        };
        var committer = committer(slow);
        committer.stop();
        Thread.currentThread().interrupt();
        assertThat(committer.commit(job("a")).done()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    private static List<Applied> commitAll(Committer committer, List<? extends Change> changes) {
        return committer.give(changes).stream().map(Pending::await).toList();
    }
}
