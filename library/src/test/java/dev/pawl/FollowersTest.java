package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many who follow what happens cost what one costs, and none of them holds up another. */
@Timeout(60)
class FollowersTest {
    private final MemoryStore memory = new MemoryStore(Time.system());
    private final AtomicLong looks = new AtomicLong();
    private final AtomicBoolean away = new AtomicBoolean();
    private final Store counting = (Store) Proxy.newProxyInstance(
            Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("happened")) {
                    looks.incrementAndGet();
                    if (away.get()) {
                        throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "it does not answer", null);
                    }
                }
                try {
                    return method.invoke(memory, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    private void submit(String key) {
        memory.exchange(List.of(new Change.SubmitJob(new Identity("w", Key.of(key)), "1", null)), Wanted.NOTHING);
    }

    private Watch watch(Followers followers, Cursor from, LinkedBlockingQueue<Occurrence> told) {
        return new Watch(followers, from, one -> true, told::add);
    }

    @Test
    void a_hundred_who_have_come_equally_far_cost_one_look_each_time() throws InterruptedException {
        try (var followers = new Followers(counting)) {
            var watches = new ArrayList<Watch>();
            var told = new LinkedBlockingQueue<Occurrence>();
            for (var i = 0; i < 100; i++) {
                watches.add(watch(followers, Cursor.START, told));
            }
            submit("a");
            for (var i = 0; i < 100; i++) {
                assertThat(told.take().identity()).hasToString("w/a");
            }
            var before = looks.get();
            while (looks.get() < before + 5) {
                Time.system().await(Duration.ofMillis(5));
            }
            submit("b");
            for (var i = 0; i < 100; i++) {
                assertThat(told.take().identity()).hasToString("w/b");
            }
            assertThat(looks.get() - before).as("looks, for a hundred").isLessThan(100);
            // One has come as far as what it was told once it has returned from being told.
            var last = memory.happened(Cursor.START, 1_000).getLast().cursor();
            while (!watches.stream().allMatch(watch -> watch.cursor().equals(last))) {
                Time.system().await(Duration.ofMillis(5));
            }
        }
    }

    @Test
    void who_is_slow_holds_up_nobody_and_misses_nothing() throws InterruptedException {
        try (var followers = new Followers(counting)) {
            var released = new CountDownLatch(1);
            var slowly = new LinkedBlockingQueue<Occurrence>();
            var slow = new Watch(followers, Cursor.START, one -> true, one -> {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                slowly.add(one);
            });
            var told = new LinkedBlockingQueue<Occurrence>();
            var quick = watch(followers, Cursor.START, told);
            for (var key : List.of("a", "b", "c")) {
                submit(key);
                assertThat(told.take().identity()).hasToString("w/" + key);
            }
            released.countDown();
            for (var key : List.of("a", "b", "c")) {
                assertThat(slowly.take().identity()).hasToString("w/" + key);
            }
            slow.close();
            quick.close();
        }
    }

    @Test
    void a_store_that_does_not_answer_is_asked_again_and_only_what_is_wanted_is_told() throws InterruptedException {
        away.set(true);
        try (var followers = new Followers(counting)) {
            var told = new LinkedBlockingQueue<Occurrence>();
            submit("a");
            submit("b");
            var watch = new Watch(
                    followers,
                    Cursor.START,
                    one -> one.identity().key().toString().equals("b"),
                    told::add);
            while (looks.get() < 2) {
                Time.system().await(Duration.ofMillis(5));
            }
            away.set(false);
            assertThat(told.take().identity()).hasToString("w/b");
            watch.close();
        }
    }

    @Test
    void pages_of_what_is_wanted_go_on_where_they_ended() {
        try (var pawl = Pawl.inMemory()) {
            for (var i = 0; i < 30; i++) {
                pawl.submit(Workflow.named("w" + i % 3, String.class, String.class), Key.of(i), "in");
            }
            var first =
                    pawl.happened(Cursor.START, one -> one.identity().workflow().equals("w1"), 7);
            assertThat(first.occurrences()).hasSize(7);
            assertThat(first.more()).isTrue();
            var rest = pawl.happened(
                    new Cursor(first.next().text()),
                    one -> one.identity().workflow().equals("w1"),
                    7);
            assertThat(rest.occurrences()).hasSize(3);
            assertThat(rest.more()).isFalse();
            assertThatThrownBy(() -> pawl.watch(new Cursor("1.2"), one -> {})).hasMessageContaining("no cursor");
        }
    }
}
