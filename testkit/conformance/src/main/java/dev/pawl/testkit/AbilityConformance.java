package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Handling;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowAnswer.RowEnding;
import dev.pawl.ledger.RowRef;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a store says that it can do it can, and what it says that it cannot it does not pretend to. */
public abstract class AbilityConformance extends StoreHarness {
    /** Longer than most results, and soon written. */
    private static final int LONG = 4 << 20;

    private static final int MOST_LOOKS = 10_000;

    private static String text(long characters) {
        return "\"" + "x".repeat((int) characters - 2) + "\"";
    }

    @Test
    void it_is_a_sql_database_or_has_nothing_to_do_with_sql() {
        assertThat(driver.store().sql().isPresent())
                .isEqualTo(driver.store().abilities().sql());
    }

    @Test
    void it_knows_who_is_dead_or_names_nobody() {
        driver.enlist(1);
        driver.enlist(2);
        var other = handle();
        try (var one = driver.store().lifeline(1)) {
            try (var two = driver.store().lifeline(2)) {
                assertThat(one).isNotNull();
                assertThat(two).isNotNull();
                assertThat(other.knownGone(other.workers())).isEmpty();
            }
            if (driver.store().abilities().knowsTheDead()) {
                assertThat(other.knownGone(other.workers())).containsExactly(2L);
            } else {
                assertThat(other.knownGone(other.workers())).isEmpty();
            }
        }
    }

    @Test
    void what_was_changed_is_seen_at_once_unless_looks_may_lag() {
        var other = handle();
        for (var i = 0; i < 20; i++) {
            driver.submit("j" + i, "1");
            var looks = 0;
            while (other.find(identity("j" + i)).isEmpty()) {
                assertThat(driver.store().abilities().looksMayLag()).isTrue();
                assertThat(++looks).isLessThan(MOST_LOOKS);
            }
        }
    }

    @Test
    void what_is_left_to_do_is_seen_at_once_unless_that_may_lag() {
        driver.enlist(1);
        var child = new Change.CalledJob(identity("child"), new StoredJob.Given("1", Handling.usual()), false);
        var parents = new ArrayList<StoreDriver.Held>();
        for (var i = 0; i <= FollowUp.MOST_OTHERS; i++) {
            driver.submit("p" + i, "1");
        }
        while (parents.size() <= FollowUp.MOST_OTHERS) {
            driver.claim(1, FollowUp.MOST_OTHERS).forEach(one -> parents.add(driver.claimed(one)));
        }
        parents.forEach(parent -> driver.apply(parent.call("c", child)));
        driver.apply(driver.claimed(driver.claim(1, 1).getFirst()).finish("1"));
        var other = handle();
        var looks = 0;
        while (other.followUps(0, 1).isEmpty()) {
            assertThat(driver.store().abilities().followUpsMayLag()).isTrue();
            assertThat(++looks).isLessThan(MOST_LOOKS);
        }
    }

    @Test
    void it_says_what_its_clock_says_as_exactly_as_it_says() {
        for (var i = 0; i < 5; i++) {
            time.advance(Duration.ofMillis(1_234));
            var off = Duration.between(
                            time.now(),
                            driver.store().exchange(List.of(), Wanted.NOTHING).now())
                    .abs();
            // A millisecond is as exact as times are kept.
            assertThat(off)
                    .isLessThanOrEqualTo(driver.store().abilities().clockError().plusMillis(1));
        }
    }

    @Test
    void a_value_is_kept_up_to_its_greatest_length_and_refused_beyond_that() {
        driver.enlist(1);
        var most = driver.store().abilities().greatestValue();
        var longest = most.orElse(LONG);
        var held = driver.hold("a", 1);
        assertThat(driver.apply(held.step("s", text(longest - 100))).done()).isTrue();
        assertThat(driver.apply(held.finish(text(longest))).done()).isTrue();
        assertThat(driver.job(held.job().id()).outcome().result()).hasSize((int) longest);
        assertThat(driver.submit("long", text(longest)).done()).isTrue();
        if (most.isPresent()) {
            driver.submit("b", "1");
            var other = driver.claimed(driver.claim(1, 2).stream()
                    .filter(one -> one.job().identity().equals(identity("b")))
                    .findFirst()
                    .orElseThrow());
            var step = new Change.RecordStepIfOwned(
                    other.hold(), other.id(1), List.of(new Entry.StepDone(new Place("", "s", ""), text(longest + 1))));
            assertThat(driver.apply(step)).isInstanceOf(Applied.Refused.class);
            assertThat(driver.apply(other.finish(text(longest + 1)))).isInstanceOf(Applied.Refused.class);
            assertThat(driver.submit("longer", text(longest + 1))).isInstanceOf(Applied.Refused.class);
            assertThat(driver.entries(other)).isEmpty();
            assertThat(driver.store().find(identity("longer"))).isEmpty();
            assertThat(driver.apply(other.finish("1")).done()).isTrue();
        }
    }

    private static Change.EnrolRows enrol(int rows) {
        return new Change.EnrolRows(
                "reviews",
                IntStream.range(0, rows)
                        .mapToObj(i -> new NewRow("r" + i, "1", "hash"))
                        .toList(),
                false);
    }

    @Test
    void as_many_rows_are_taken_at_once_as_it_says_and_no_more() {
        var most = driver.store().abilities().mostRows();
        assertThat(most).isBetween(1, Change.OfLedger.MOST_ROWS);
        if (most < Change.OfLedger.MOST_ROWS) {
            assertThat(driver.apply(enrol(most + 1))).isInstanceOf(Applied.Refused.class);
            assertThat(driver.store().rowCounts("reviews")).isEmpty();
        }
        assertThat(driver.apply(enrol(most))).isInstanceOf(Applied.OfRows.class);
        var held = driver.hold("a", driver.enlist(1));
        for (var rows : most < Change.OfLedger.MOST_ROWS ? List.of(most + 1, most) : List.of(most)) {
            var refs = IntStream.range(0, rows)
                    .mapToObj(i -> new RowRef("r" + i, 1))
                    .toList();
            var answers = IntStream.range(0, rows)
                    .mapToObj(i -> new RowAnswer("r" + i, 1, 1, new RowEnding.RowSucceeded("1"), null))
                    .toList();
            var sent = driver.apply(new Change.SendRowsIfOwned(
                    held.hold(),
                    held.id(1),
                    List.of(new Entry.StepDone(new Place("", "rows-" + rows, ""), "null")),
                    new PartSending("reviews", "part", refs, 3)));
            var told = driver.apply(new Change.ReconcileRows("reviews", answers, 3));
            assertThat(sent.done()).isEqualTo(rows <= most);
            assertThat(told instanceof Applied.OfRows).isEqualTo(rows <= most);
        }
    }
}
