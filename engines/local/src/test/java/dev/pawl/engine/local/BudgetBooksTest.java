package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Use;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A use counts here until a look that is sure to have seen it, and no longer. */
class BudgetBooksTest {
    private final BudgetBooks books = new BudgetBooks();
    private final Entry.Used used =
            new Entry.Used(new Place("", "pay", ""), 1, List.of(Use.of("m").input(10)), Duration.ZERO);

    private long counted() {
        return books.of("w").tokens().all();
    }

    private void look() {
        books.lookEnded(books.lookBegins());
    }

    @Test
    void what_rides_counts_here_alone() {
        books.add("w", used);
        look();
        assertThat(counted()).isEqualTo(10);
        assertThat(books.anyMaybeSeen("w")).isFalse();
        assertThat(books.of("other").tokens().all()).isZero();
    }

    @Test
    void what_was_sent_before_a_look_is_seen_by_it() {
        books.add("w", used);
        books.sending(List.of(used));
        books.sent(List.of(used));
        assertThat(counted()).isEqualTo(10);
        look();
        assertThat(counted()).isZero();
    }

    @Test
    void what_is_under_way_may_be_counted_twice_until_the_next_look() {
        books.add("w", used);
        books.sending(List.of(used));
        var seen = books.lookBegins();
        books.sent(List.of(used));
        books.lookEnded(seen);
        assertThat(counted()).isEqualTo(10);
        assertThat(books.anyMaybeSeen("w")).isTrue();
        assertThat(books.anyMaybeSeen("other")).isFalse();
        look();
        assertThat(counted()).isZero();
        assertThat(books.anyMaybeSeen("w")).isFalse();
    }

    @Test
    void what_rides_again_was_not_sent() {
        books.add("w", used);
        books.sending(List.of(used));
        books.sent(List.of(used));
        books.ride(used);
        look();
        assertThat(counted()).isEqualTo(10);
    }

    @Test
    void what_is_not_counted_for_all_is_not_remembered() {
        books.sending(List.of(used));
        books.sent(List.of(used));
        books.ride(used);
        assertThat(counted()).isZero();
    }
}
