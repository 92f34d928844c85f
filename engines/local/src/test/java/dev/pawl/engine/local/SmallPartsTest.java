package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Prices;
import dev.pawl.event.Events;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Progress;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.StoreFailure.Move;
import dev.pawl.store.StoreGone;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FakeTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is kept until somebody takes it is bounded, told once, and answered as it was answered. */
class SmallPartsTest {
    private static final Change CHANGE = new Change.Retire(1);

    @Test
    void a_change_is_answered_once_it_is_known_what_became_of_it() {
        var done = new Pending(CHANGE, false);
        assertThat(done.isAnswered()).isFalse();
        assertThat(done.isDone()).isFalse();
        done.answer(Applied.now());
        assertThat(done.isAnswered()).isTrue();
        assertThat(done.isDone()).isTrue();
        var refused = new Pending(CHANGE, false);
        refused.answer(new Applied.LeaseLost());
        assertThat(refused.isAnswered()).isTrue();
        assertThat(refused.isDone()).isFalse();
    }

    @Test
    void why_a_store_could_not_be_told_is_thrown_as_what_it_was() {
        var gone = new Pending(CHANGE, false);
        gone.fail(new StoreGone("it was deleted", null));
        assertThat(gone.isAnswered()).isTrue();
        assertThatExceptionOfType(StoreGone.class).isThrownBy(gone::await).withMessage("it was deleted");
        var busy = new Pending(CHANGE, false);
        busy.fail(new StoreFailure(Move.ASK_AGAIN, "busy", null));
        assertThatExceptionOfType(StoreFailure.class)
                .isThrownBy(busy::await)
                .satisfies(thrown -> assertThat(thrown.move()).isEqualTo(Move.ASK_AGAIN));
    }

    @Test
    void what_users_code_throws_is_thrown_again_as_it_was() {
        assertThat(UserCode.<String>result(UserCode.call(() -> "x"))).isEqualTo("x");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> UserCode.result(UserCode.call(() -> {
                    throw new IOException("theirs");
                })))
                .withMessage("theirs");
    }

    @Test
    void of_very_many_scopes_the_newest_words_wait_and_of_each_the_last() {
        var slot = new ProgressSlot(new FakeTime());
        for (var i = 0; i < 150; i++) {
            slot.put(Place.parse("item-" + i), 1, Progress.of("begun"));
        }
        slot.put(Place.parse("item-149"), 2, Progress.of("nearly"));
        var waiting = slot.take();
        assertThat(waiting).hasSize(100);
        assertThat(waiting.getFirst().place()).isEqualTo(Place.parse("item-50"));
        assertThat(waiting.getLast())
                .isEqualTo(new Entry.Progressed(Place.parse("item-149"), 2, 151, Progress.of("nearly")));
    }

    @Test
    void a_table_of_prices_that_cannot_be_read_is_told_once_and_keeps_nobody_from_working() {
        var told = new ArrayList<String>();
        var unreadable = new DelegatingStore(new MemoryStore(new FakeTime())) {
            @Override
            public Optional<KeptPrices> pricesAfter(long number) {
                throw new IllegalArgumentException("line 3");
            }
        };
        var prices = new CurrentPrices(null, told::add);
        prices.look(unreadable);
        prices.look(unreadable);
        assertThat(told).isEqualTo(List.of("line 3"));
        assertThat(prices.now()).isEqualTo(Prices.none());
    }

    @Test
    void more_changes_than_go_into_one_commit_are_all_made_in_their_order() {
        var store = new MemoryStore(new FakeTime());
        var ports = EnginePorts.system(Events.NOWHERE);
        var nobody = new ClaimDesk.Crew() {
            @Override
            public void start(Lease lease, Claimed claimed) {}

            @Override
            public void storeFailed(StoreFailure storeFailure) {}
        };
        var committers = new Committers(store, ports, new ClaimDesk(1, nobody), 1, Duration.ofSeconds(1));
        committers.start("test");
        var changes = IntStream.range(0, Committer.MOST_AT_ONCE + 1)
                .mapToObj(i -> new Change.SubmitJob(new Identity("w", Key.of(i)), "1", null))
                .toList();
        assertThat(committers.commitAll(changes)).hasSize(changes.size()).allMatch(Applied::done);
        committers.stop();
        assertThat(store.find(changes.getLast().identity())).isPresent();
    }
}
