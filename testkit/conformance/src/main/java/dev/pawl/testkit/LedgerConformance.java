package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.journal.Entry;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.ledger.AttemptState;
import dev.pawl.ledger.LedgerPart.PartSeal;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.LedgerRow;
import dev.pawl.ledger.ListedRow;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowAnswer.RowEnding;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowHistory.RowTry;
import dev.pawl.ledger.RowOutcome;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowRules;
import dev.pawl.ledger.RowState;
import dev.pawl.ledger.RowWord;
import dev.pawl.ledger.SentRow;
import dev.pawl.list.Cursor;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows that are not jobs: enrolled once, sent under a fence, answered without one, and never moved back. */
public abstract class LedgerConformance extends StoreHarness {
    private static final String C = "reviews";
    private static final int MOST = 2;

    /** A store in which nothing is, at another place. */
    protected abstract Store another();

    private static NewRow row(String key, String payload) {
        return NewRow.of(Key.of(key), payload);
    }

    private static List<NewRow> rows(String... keys) {
        return Arrays.stream(keys)
                .map(key -> row(key, "{\"text\":\"" + key + "\"}"))
                .toList();
    }

    private List<RowOutcome> enrol(List<NewRow> rows, boolean renewing) {
        return outcomes(new Change.EnrolRows(C, rows, renewing));
    }

    private List<RowOutcome> outcomes(Change change) {
        return ((Applied.OfRows) driver.apply(change)).outcomes();
    }

    private Applied send(StoreDriver.Held run, String part, String... keys) {
        return send(
                run, part, Arrays.stream(keys).map(key -> new RowRef(key, 1)).toList());
    }

    private Applied send(StoreDriver.Held run, String part, List<RowRef> rows) {
        return driver.apply(sending(run, part, rows));
    }

    private static Change.SendRowsIfOwned sending(StoreDriver.Held run, String part, List<RowRef> rows) {
        return new Change.SendRowsIfOwned(
                run.hold(),
                run.id(1),
                List.of(new Entry.StepDone(new Place("", "send", part + "-" + rows.hashCode()), "null")),
                new PartSending(C, part, rows, MOST));
    }

    private Applied seal(StoreDriver.Held run, String part, long many) {
        return driver.apply(new Change.SealPartIfOwned(
                run.hold(),
                run.id(1),
                List.of(new Entry.StepDone(new Place("", "seal", part), "null")),
                new PartSealing(C, part, new PartSeal(many, "h" + many))));
    }

    private static RowAnswer succeeded(String key, int attempt) {
        return new RowAnswer(key, 1, attempt, new RowEnding.RowSucceeded("\"" + key + attempt + "\""), "{\"n\":1}");
    }

    private static RowAnswer failed(String key, int attempt, boolean forGood) {
        return new RowAnswer(
                key,
                1,
                attempt,
                new RowEnding.RowFailed(forGood ? "blocked" : "transient", "why", forGood, true),
                null);
    }

    private List<RowOutcome> answer(RowAnswer... answers) {
        return outcomes(new Change.ReconcileRows(C, List.of(answers), MOST));
    }

    private List<RowOutcome> say(RowWord word, String... keys) {
        return outcomes(new Change.SayOfRows(
                C, Arrays.stream(keys).map(key -> new RowRef(key, 1)).toList(), word, ANNA));
    }

    private LedgerRow there(String key) {
        return driver.store().row(C, key).orElseThrow().listed().row();
    }

    private @Nullable String result(String key) {
        return driver.store().row(C, key).orElseThrow().listed().result();
    }

    private StoreDriver.Held run() {
        driver.enlist(1);
        return driver.hold("run", 1);
    }

    private Map<RowState, Long> counts() {
        var counts = new HashMap<RowState, Long>();
        driver.store().rowCounts(C).forEach(count -> counts.merge(count.state(), count.many(), Long::sum));
        return counts;
    }

    @Test
    void a_row_is_enrolled_once_and_another_payload_is_told_or_makes_a_new_generation() {
        assertThat(driver.store().collections()).isEmpty();
        assertThat(enrol(rows("a", "b"), false)).containsOnly(RowOutcome.ENROLLED);
        assertThat(enrol(rows("b", "c"), false)).containsExactly(RowOutcome.ALREADY, RowOutcome.ENROLLED);
        assertThat(driver.store().collections().getFirst().number()).isEqualTo(2);
        assertThat(enrol(rows("a", "b", "c"), true)).containsOnly(RowOutcome.ALREADY);
        assertThat(driver.store().collections().getFirst().number())
                .as("nothing was brought")
                .isEqualTo(2);

        var changed = row("a", "{\"text\":\"other\"}");
        assertThat(enrol(List.of(changed), false)).containsExactly(RowOutcome.CHANGED);
        assertThat(there("a").generation()).isEqualTo(1);
        assertThat(enrol(List.of(changed), true)).containsExactly(RowOutcome.RENEWED);
        assertThat(enrol(List.of(changed), true)).containsExactly(RowOutcome.ALREADY);
        assertThat(there("a").generation()).isEqualTo(2);
        assertThat(driver.store().row(C, "a").orElseThrow().listed().payload()).isEqualTo("{\"text\":\"other\"}");
        assertThat(counts()).containsExactly(Map.entry(RowState.PENDING, 3L));
        assertThat(driver.store().row(C, "nobody")).isEmpty();
        assertThat(driver.store().row("nowhere", "a")).isEmpty();
    }

    @Test
    void rows_are_sent_under_a_fence_in_the_commit_of_the_journal_and_each_has_one_open_attempt() {
        enrol(rows("a", "b", "c"), false);
        var run = run();
        var first = sending(
                run, "p1", List.of(new RowRef("a", 1), new RowRef("b", 1), new RowRef("x", 1), new RowRef("c", 2)));
        assertThat(driver.apply(first)).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(first)).as("asked again").isInstanceOf(Applied.Already.class);
        assertThat(driver.entries(run)).hasSize(1);
        assertThat(sent("p1")).extracting(SentRow::key).containsExactly("a", "b");
        assertThat(sent("p1")).extracting(SentRow::payload).contains("{\"text\":\"a\"}");
        assertThat(there("a").tries().openIn()).isEqualTo("p1");
        assertThat(there("c").tries()).isEqualTo(LedgerRow.RowTries.NONE);

        send(run, "p2", "a", "c");
        assertThat(sent("p2")).extracting(SentRow::key).as("a is open").containsExactly("c");
        assertThat(seal(run, "p2", 1)).isInstanceOf(Applied.Now.class);
        assertThat(seal(run, "p2", 1)).as("with what it has").isInstanceOf(Applied.Now.class);
        assertThat(send(run, "p2", "b")).isInstanceOf(Applied.Conflict.class);
        assertThat(seal(run, "p2", 7)).isInstanceOf(Applied.Conflict.class);
        assertThat(seal(run, "p9", 7)).isInstanceOf(Applied.Refused.class);
        assertThat(driver.store().parts(C, "", 10))
                .extracting(part -> part.name() + part.job())
                .containsExactly("p1" + run.job().id(), "p2" + run.job().id());
        assertThat(driver.store().parts(C, "p1", 10).getFirst().seal()).isEqualTo(new PartSeal(1, "h1"));

        var old = run.hold();
        driver.apply(run.release(Change.ReleaseJob.Until.HAND_BACK, Duration.ZERO));
        assertThat(driver.apply(new Change.SendRowsIfOwned(
                        old,
                        run.id(1) + 50,
                        List.of(new Entry.StepDone(new Place("", "late", ""), "null")),
                        new PartSending(C, "p3", List.of(new RowRef("b", 1)), MOST))))
                .isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.store().parts(C, "", 10)).hasSize(2);
        assertThat(driver.apply(new Change.NotePart(C, "p1", "{\"id\":\"batches/1\"}")))
                .isInstanceOf(Applied.Now.class);
        assertThat(driver.store().parts(C, "", 1).getFirst().provider()).isEqualTo("{\"id\":\"batches/1\"}");
        assertThat(driver.apply(new Change.NotePart(C, "p9", "{}"))).isInstanceOf(Applied.Refused.class);
    }

    @Test
    void a_job_that_was_called_off_sends_nothing_more_and_still_seals_what_it_has_sent() {
        enrol(rows("a", "b"), false);
        var run = run();
        send(run, "p1", "a");
        driver.apply(new Change.CancelJob(run.job().id(), driver.newId(), ANNA));
        assertThat(send(run, "p1", "b")).isInstanceOf(Applied.CalledOff.class);
        assertThat(seal(run, "p1", 1)).isInstanceOf(Applied.Now.class);
        assertThat(sent("p1")).hasSize(1);
    }

    private List<SentRow> sent(String part) {
        var all = new ArrayList<SentRow>();
        var page = driver.store().sent(C, part, Cursor.START, 2);
        all.addAll(page.rows());
        for (var next = page.next(); next != null; next = page.next()) {
            page = driver.store().sent(C, part, next, 2);
            all.addAll(page.rows());
        }
        return all;
    }

    @Test
    void an_answer_is_taken_in_every_state_of_the_job_and_a_row_that_succeeded_never_moves_back() {
        enrol(rows("a", "b", "c", "d"), false);
        var run = run();
        send(run, "p1", "a", "b", "c", "d");
        driver.apply(run.finish("1"));
        assertThat(answer(succeeded("a", 1), failed("b", 1, false), failed("c", 1, true)))
                .containsOnly(RowOutcome.SETTLED);
        assertThat(answer(
                        succeeded("a", 1),
                        failed("b", 1, false),
                        failed("c", 1, true),
                        succeeded("x", 1),
                        succeeded("a", 2)))
                .containsExactly(
                        RowOutcome.ALREADY,
                        RowOutcome.ALREADY,
                        RowOutcome.ALREADY,
                        RowOutcome.REFUSED,
                        RowOutcome.REFUSED);
        assertThat(answer(failed("a", 1, true))).containsExactly(RowOutcome.ALREADY);
        assertThat(there("a").state()).isEqualTo(RowState.SUCCEEDED);
        assertThat(result("a")).isEqualTo("\"a1\"");
        assertThat(there("b").state()).isEqualTo(RowState.RETRYABLE);
        assertThat(there("c").standing().because()).isEqualTo("blocked");
        assertThat(there("d").tries().openIn()).isEqualTo("p1");
        assertThat(answer(succeeded("c", 1)))
                .as("first it failed, then it is there")
                .containsExactly(RowOutcome.SETTLED);
        assertThat(there("c").state()).isEqualTo(RowState.SUCCEEDED);
        assertThat(driver.store().rowCounts(C))
                .containsExactly(
                        new RowCount(RowState.PENDING, "", false, 1),
                        new RowCount(RowState.SUCCEEDED, "", false, 2),
                        new RowCount(RowState.RETRYABLE, "transient", false, 1));
        assertThat(outcomes(new Change.ReconcileRows("nowhere", List.of(succeeded("a", 1)), MOST)))
                .containsExactly(RowOutcome.REFUSED);
        assertThat(answer(succeeded("nobody", 1))).containsExactly(RowOutcome.REFUSED);
    }

    @Test
    void attempts_are_counted_over_all_runs_and_one_that_was_never_sent_counts_for_nothing() {
        enrol(rows("a"), false);
        var run = run();
        send(run, "p1", "a");
        answer(new RowAnswer("a", 1, 1, new RowEnding.NeverSent("no create was intended"), null));
        assertThat(there("a").tries()).isEqualTo(new LedgerRow.RowTries(1, 0, null, 0));
        send(run, "p2", "a");
        answer(new RowAnswer("a", 1, 2, new RowEnding.RowFailed("account", "no credit", false, false), null));
        assertThat(there("a").tries().spent()).isZero();
        send(run, "p3", "a");
        answer(failed("a", 3, false));
        send(run, "p4", "a");
        answer(failed("a", 4, false));
        assertThat(there("a").state()).isEqualTo(RowState.PERMANENT);
        assertThat(there("a").standing().because()).isEqualTo(RowRules.SPENT);
        send(run, "p5", "a");
        assertThat(sent("p5")).isEmpty();
        assertThat(driver.store().row(C, "a").orElseThrow().tries())
                .extracting(RowTry::number, one -> one.ended().known())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(1, AttemptState.NEVER_SENT),
                        org.assertj.core.groups.Tuple.tuple(2, AttemptState.FAILED),
                        org.assertj.core.groups.Tuple.tuple(3, AttemptState.FAILED),
                        org.assertj.core.groups.Tuple.tuple(4, AttemptState.FAILED));
    }

    @Test
    void what_was_abandoned_may_be_sent_again_and_its_late_success_is_kept_or_counted_as_paid_twice() {
        enrol(rows("late", "twice", "spent"), false);
        var run = run();
        send(run, "p1", "late", "twice", "spent");
        for (var key : List.of("late", "twice", "spent")) {
            answer(new RowAnswer(key, 1, 1, new RowEnding.RowAbandoned("the deadline"), null));
        }
        send(run, "p2", "late", "twice", "spent");
        assertThat(sent("p2")).hasSize(3);
        assertThat(answer(succeeded("late", 1))).containsExactly(RowOutcome.SETTLED);
        assertThat(there("late").tries().openIn())
                .as("the other is still on its way")
                .isEqualTo("p2");
        assertThat(answer(failed("late", 2, false))).containsExactly(RowOutcome.KEPT);
        assertThat(there("late").state()).isEqualTo(RowState.SUCCEEDED);
        assertThat(result("late")).isEqualTo("\"late1\"");

        assertThat(answer(succeeded("twice", 2))).containsExactly(RowOutcome.SETTLED);
        assertThat(answer(succeeded("twice", 1))).containsExactly(RowOutcome.DUPLICATE);
        assertThat(result("twice")).as("the first that was told").isEqualTo("\"twice2\"");

        answer(new RowAnswer("spent", 1, 2, new RowEnding.RowAbandoned("the deadline"), null));
        assertThat(there("spent").state()).as("it would wait for ever").isEqualTo(RowState.PERMANENT);
        assertThat(answer(succeeded("spent", 2))).containsExactly(RowOutcome.SETTLED);
        assertThat(there("spent").state()).isEqualTo(RowState.SUCCEEDED);
    }

    @Test
    void an_answer_settles_only_its_own_generation() {
        enrol(rows("a"), false);
        var run = run();
        send(run, "p1", "a");
        enrol(List.of(row("a", "2")), true);
        assertThat(there("a").tries()).isEqualTo(LedgerRow.RowTries.NONE);
        send(run, "p2", List.of(new RowRef("a", 1)));
        assertThat(sent("p2")).as("seen as it was").isEmpty();
        send(run, "p2", List.of(new RowRef("a", 2)));
        assertThat(sent("p1").getFirst().payload())
                .as("a part reads what it has sent")
                .isEqualTo("{\"text\":\"a\"}");
        assertThat(sent("p2").getFirst().payload()).isEqualTo("2");
        assertThat(answer(succeeded("a", 1))).containsExactly(RowOutcome.KEPT);
        assertThat(there("a").state()).isEqualTo(RowState.PENDING);
        assertThat(result("a")).isNull();
        assertThat(answer(new RowAnswer("a", 2, 1, new RowEnding.RowSucceeded("\"two\""), null)))
                .containsExactly(RowOutcome.SETTLED);
        assertThat(result("a")).isEqualTo("\"two\"");
    }

    @Test
    void people_accept_drop_and_try_again_what_they_have_seen() {
        enrol(rows("accepted", "dropped", "again", "open"), false);
        var run = run();
        send(run, "p1", "accepted", "dropped", "again", "open");
        answer(failed("accepted", 1, true), failed("dropped", 1, true), failed("again", 1, true));
        assertThat(say(new RowWord.Accept("\"mine\""), "accepted", "open", "nobody"))
                .containsExactly(RowOutcome.SETTLED, RowOutcome.REFUSED, RowOutcome.REFUSED);
        assertThat(result("accepted")).isEqualTo("\"mine\"");
        assertThat(say(new RowWord.Drop(), "dropped", "accepted"))
                .containsExactly(RowOutcome.SETTLED, RowOutcome.REFUSED);
        assertThat(say(new RowWord.Drop(), "dropped")).containsExactly(RowOutcome.ALREADY);
        assertThat(there("dropped").standing().dealtWith()).isTrue();
        assertThat(say(new RowWord.TryAgain(), "again", "again"))
                .containsExactly(RowOutcome.SETTLED, RowOutcome.REFUSED);
        assertThat(there("again").tries().spent()).isZero();
        send(run, "p2", "again", "dropped");
        assertThat(sent("p2")).extracting(SentRow::key).containsExactly("again");
        assertThat(driver.store().row(C, "dropped").orElseThrow().said().getFirst())
                .satisfies(said -> {
                    assertThat(said.word()).isEqualTo("drop");
                    assertThat(said.who()).startsWith("anna");
                    assertThat(said.why()).isEqualTo(ANNA.why());
                });
        assertThat(driver.store().rowCounts(C)).contains(new RowCount(RowState.PERMANENT, "blocked", true, 1));
    }

    @Test
    void pruning_leaves_what_keeps_a_row_from_being_bought_twice() {
        enrol(rows("a", "b", "c"), false);
        var run = run();
        send(run, "p1", "a", "b");
        answer(succeeded("a", 1), failed("b", 1, true));
        time.advance(Duration.ofDays(2));
        var before = time.now().minus(Duration.ofDays(1));
        assertThat(driver.apply(new Change.PruneRows(C, before, 10))).isEqualTo(new Applied.Pruned(1));
        assertThat(driver.apply(new Change.PruneRows(C, before, 10))).isEqualTo(new Applied.Pruned(0));
        var pruned = driver.store().row(C, "a").orElseThrow();
        assertThat(pruned.listed().payload()).isNull();
        assertThat(pruned.listed().result()).isNull();
        assertThat(pruned.tries()).isEmpty();
        assertThat(pruned.listed().row().state()).isEqualTo(RowState.SUCCEEDED);
        assertThat(enrol(rows("a"), false)).containsExactly(RowOutcome.ALREADY);
        assertThat(enrol(List.of(row("a", "2")), false)).containsExactly(RowOutcome.CHANGED);
        say(new RowWord.Drop(), "b");
        time.advance(Duration.ofDays(2));
        assertThat(driver.apply(new Change.PruneRows(C, time.now(), 1))).isEqualTo(new Applied.Pruned(1));
        assertThat(counts()).containsEntry(RowState.SUCCEEDED, 1L).containsEntry(RowState.PERMANENT, 1L);
        assertThat(enrol(List.of(row("a", "2")), true)).containsExactly(RowOutcome.RENEWED);
    }

    @Test
    void rows_are_listed_by_state_class_and_key_in_pages_that_go_on_where_they_ended() {
        enrol(IntStream.range(0, 9).mapToObj(i -> row("a/" + i, "" + i)).toList(), false);
        enrol(IntStream.range(0, 4).mapToObj(i -> row("b" + i, "" + i)).toList(), false);
        var run = run();
        send(run, "p1", "b0", "b1", "b2", "b3");
        answer(failed("b0", 1, false), failed("b1", 1, true), succeeded("b2", 1));
        assertThat(keys(LedgerQuery.of(C)))
                .hasSize(13)
                .startsWith("a%2F0", "a%2F1")
                .endsWith("b3");
        assertThat(keys(LedgerQuery.of(C).keyPrefix("b"))).containsExactly("b0", "b1", "b2", "b3");
        assertThat(keys(LedgerQuery.of(C).keyPrefix("b").in(Set.of(RowState.RETRYABLE, RowState.PERMANENT))))
                .containsExactly("b0", "b1");
        assertThat(keys(LedgerQuery.of(C).in(Set.of(RowState.SUCCEEDED)))).containsExactly("b2");
        assertThat(keys(LedgerQuery.of(C).because("blocked"))).containsExactly("b1");
        assertThat(keys(LedgerQuery.of(C).keyPrefix("b").because("transient"))).containsExactly("b0");
        assertThat(keys(LedgerQuery.of(C).in(Set.of()))).isEmpty();
        assertThat(keys(LedgerQuery.of(C).keyPrefix("b").in(Set.of()))).isEmpty();
        assertThat(keys(LedgerQuery.of("nowhere"))).isEmpty();
        assertThat(driver.store()
                        .rows(LedgerQuery.of(C).in(Set.of(RowState.SUCCEEDED)).withValues())
                        .rows())
                .extracting(ListedRow::payload, ListedRow::result)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("2", "\"b21\""));
        assertThat(driver.store()
                        .rows(LedgerQuery.of(C).most(1))
                        .rows()
                        .getFirst()
                        .payload())
                .isNull();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> driver.store().rows(LedgerQuery.of(C).after(new Cursor("x"))));
    }

    private List<String> keys(LedgerQuery rowQuery) {
        var keys = new ArrayList<String>();
        var page = driver.store().rows(rowQuery.most(2));
        page.rows().forEach(row -> keys.add(row.row().key()));
        for (var next = page.next(); next != null; next = page.next()) {
            page = driver.store().rows(rowQuery.most(2).after(next));
            page.rows().forEach(row -> keys.add(row.row().key()));
        }
        return keys;
    }

    @Test
    void what_is_said_twice_of_one_attempt_in_one_change_comes_to_what_outweighs_the_other() {
        enrol(rows("a"), false);
        var run = run();
        send(run, "p1", "a");
        assertThat(answer(failed("a", 1, false), succeeded("a", 1), failed("a", 1, true)))
                .containsExactly(RowOutcome.SETTLED, RowOutcome.SETTLED, RowOutcome.ALREADY);
        assertThat(result("a")).isEqualTo("\"a1\"");
        var attempt =
                driver.store().row(C, "a").orElseThrow().tries().getFirst().ended();
        assertThat(attempt.known()).isEqualTo(AttemptState.SUCCEEDED);
        assertThat(attempt.use()).isEqualTo("{\"n\":1}");
    }

    @Test
    void what_a_part_has_sent_stays_until_it_is_answered_and_nothing_is_sent_of_what_is_gone() {
        enrol(rows("a", "b"), false);
        var run = run();
        send(run, "p1", "a", "b");
        enrol(List.of(row("a", "2")), true);
        send(run, "p2", List.of(new RowRef("a", 2)));
        answer(new RowAnswer("a", 2, 1, new RowEnding.RowSucceeded("2"), null), failed("b", 1, true));
        say(new RowWord.Drop(), "b");
        time.advance(Duration.ofDays(1));
        assertThat(driver.apply(new Change.PruneRows(C, time.now(), 10))).isEqualTo(new Applied.Pruned(1));
        assertThat(sent("p1").getFirst().payload()).isEqualTo("{\"text\":\"a\"}");
        assertThat(say(new RowWord.TryAgain(), "b")).containsExactly(RowOutcome.REFUSED);
        answer(succeeded("a", 1));
        assertThat(driver.apply(new Change.PruneRows(C, time.now(), 10))).isEqualTo(new Applied.Pruned(1));
    }

    @Test
    void a_part_is_filled_and_sealed_by_one_job() {
        enrol(rows("a", "b"), false);
        var run = run();
        send(run, "p1", "a");
        var other = driver.hold("other", 1);
        assertThat(send(other, "p1", "b")).isInstanceOf(Applied.Conflict.class);
        assertThat(seal(other, "p1", 1)).isInstanceOf(Applied.Conflict.class);
        assertThat(seal(run, "p1", 1)).isInstanceOf(Applied.Now.class);
        assertThat(sent("p1")).hasSize(1);
    }

    @Test
    void keys_are_found_by_their_beginning_whatever_they_go_on_with() {
        enrol(rows("a", "a\uD83D\uDE00", "a\uFF5E", "b"), false);
        assertThat(keys(LedgerQuery.of(C).keyPrefix("a")))
                .containsExactly(
                        "a",
                        Key.of("a\uFF5E").toString(),
                        Key.of("a\uD83D\uDE00").toString());
    }

    @Test
    void one_change_has_a_thousand_rows_at_the_most() {
        var many = IntStream.rangeClosed(0, Change.OfLedger.MOST_ROWS)
                .mapToObj(i -> row("k" + i, "1"))
                .toList();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new Change.EnrolRows(C, many, false));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new Change.EnrolRows(C, List.of(row("k", "\"" + "x".repeat(8 << 20) + "\"")), false));
        assertThat(enrol(many.subList(1, many.size()), false)).hasSize(1_000).containsOnly(RowOutcome.ENROLLED);
        assertThat(counts()).containsEntry(RowState.PENDING, 1_000L);
    }

    @Test
    void whatever_is_said_in_whatever_order_comes_to_what_the_rules_say_and_moves_to_another_store() {
        var random = new Random(7);
        var keys = List.of("a", "b", "c", "d", "e");
        enrol(rows("a", "b", "c", "d", "e"), false);
        var run = run();
        var expected = new LinkedHashMap<String, LedgerRow>();
        var tries = new HashMap<List<Object>, AttemptState>();
        keys.forEach(key -> expected.put(key, there(key)));
        for (var i = 0; i < 400; i++) {
            var key = keys.get(random.nextInt(keys.size()));
            var row = Objects.requireNonNull(expected.get(key));
            var generation = random.nextInt(8) == 0 ? 1 : row.generation();
            switch (random.nextInt(7)) {
                case 0 -> {
                    var part = "p" + i;
                    send(run, part, List.of(new RowRef(key, generation)));
                    var ruling = RowRules.send(row, generation, part, MOST);
                    if (ruling.row() != null) {
                        expected.put(key, ruling.row());
                        tries.put(List.of(key, generation, ruling.row().tries().made()), AttemptState.OPEN);
                    }
                }
                case 1 -> {
                    if (random.nextInt(6) == 0) {
                        var renewed = row(key, "" + i);
                        enrol(List.of(renewed), true);
                        expected.put(
                                key,
                                RowRules.enrol(row, renewed, true, time.now()).row());
                    }
                }
                case 2 -> {
                    var word = List.of(new RowWord.Accept("1"), new RowWord.Drop(), new RowWord.TryAgain())
                            .get(random.nextInt(3));
                    var seen = random.nextBoolean() ? RowRef.of(row) : new RowRef(key, generation);
                    var said = outcomes(new Change.SayOfRows(C, List.of(seen), word, ANNA));
                    var ruling = RowRules.say(row, true, seen, word, time.now());
                    assertThat(said).containsExactly(ruling.outcome());
                    if (ruling.row() != null) {
                        expected.put(key, ruling.row());
                        if (ruling.attempt() != null) {
                            tries.put(
                                    List.of(
                                            key,
                                            seen.generation(),
                                            ruling.row().tries().made()),
                                    ruling.attempt());
                        }
                    }
                }
                default -> {
                    var number = 1 + random.nextInt(Math.max(1, row.tries().made()));
                    var answer = new RowAnswer(
                            key,
                            generation,
                            number,
                            switch (random.nextInt(6)) {
                                case 0 -> new RowEnding.RowSucceeded("1");
                                case 1 -> new RowEnding.NeverSent("n");
                                case 2 -> new RowEnding.RowAbandoned("a");
                                case 3 -> new RowEnding.RowFailed("blocked", "b", true, true);
                                default -> new RowEnding.RowFailed("transient", "t", false, random.nextBoolean());
                            },
                            null);
                    var ref = List.<Object>of(key, generation, number);
                    var ruling = RowRules.answer(row, tries.get(ref), answer, MOST, time.now());
                    assertThat(answer(answer)).as("%s of %s", answer, row).containsExactly(ruling.outcome());
                    if (ruling.row() != null) {
                        expected.put(key, ruling.row());
                    }
                    if (ruling.attempt() != null) {
                        tries.put(ref, ruling.attempt());
                    }
                }
            }
            assertThat(there(key)).isEqualTo(expected.get(key));
            time.advance(Duration.ofMillis(1));
        }
        var counted = new HashMap<RowCount, Long>();
        expected.values()
                .forEach(row -> counted.merge(
                        new RowCount(
                                row.state(),
                                row.standing().because(),
                                row.standing().dealtWith(),
                                0),
                        1L,
                        Long::sum));
        var found = new HashMap<RowCount, Long>();
        driver.store()
                .rowCounts(C)
                .forEach(count ->
                        found.put(new RowCount(count.state(), count.because(), count.dealtWith(), 0), count.many()));
        assertThat(found).isEqualTo(counted);
        assertThat(counted.keySet()).extracting(RowCount::state).contains(RowState.SUCCEEDED);

        try (var other = another()) {
            other.receive(new IncomingStore("t", driver.store()::export));
            for (var key : keys) {
                assertThat(other.row(C, key)).isEqualTo(driver.store().row(C, key));
            }
            assertThat(other.rowCounts(C)).isEqualTo(driver.store().rowCounts(C));
            assertThat(other.parts(C, "", 1_000)).isEqualTo(driver.store().parts(C, "", 1_000));
            assertThat(other.collections()).isEqualTo(driver.store().collections());
            var there = new StoreDriver(other);
            assertThat(there.apply(new Change.EnrolRows(C, rows("new"), false)))
                    .isEqualTo(new Applied.OfRows(List.of(RowOutcome.ENROLLED)));
        }
    }

    @Test
    void who_lets_a_row_be_tried_again_lets_it_once_however_often_they_say_so() {
        var run = run();
        enrol(List.of(row("a", "1")), false);
        send(run, "p1", List.of(new RowRef("a", 1)));
        answer(failed("a", 1, true));
        var seen = RowRef.of(there("a"));
        var word = new Change.SayOfRows(C, List.of(seen), new RowWord.TryAgain(), ANNA);
        assertThat(outcomes(word)).containsExactly(RowOutcome.SETTLED);
        assertThat(outcomes(word)).as("its answer was lost").containsExactly(RowOutcome.ALREADY);
        send(run, "p2", List.of(new RowRef("a", 1)));
        answer(failed("a", 2, true));
        assertThat(outcomes(word))
                .as("it was tried since, and failed once more")
                .containsExactly(RowOutcome.REFUSED);
        assertThat(there("a").state()).isEqualTo(RowState.PERMANENT);
    }

    @Test
    void what_a_person_says_twice_because_its_answer_was_lost_was_said() {
        enrol(rows("a", "b"), false);
        var given = new Change.SayOfRows(C, List.of(RowRef.of(there("a"))), new RowWord.Accept("1"), ANNA);
        var dropped = new Change.SayOfRows(C, List.of(RowRef.of(there("b"))), new RowWord.Drop(), ANNA);
        for (var word : List.of(given, dropped)) {
            assertThat(outcomes(word)).containsExactly(RowOutcome.SETTLED);
            assertThat(outcomes(word)).containsExactly(RowOutcome.ALREADY);
        }
    }

    @Test
    void a_page_shows_each_row_once_as_it_is_at_one_moment_however_fast_they_move() throws InterruptedException {
        var keys = IntStream.range(0, 20).mapToObj(n -> "k" + n).toList();
        driver.apply(new Change.EnrolRows(
                "moving", keys.stream().map(key -> new NewRow(key, "1", "h")).toList(), false));
        var stop = new AtomicBoolean();
        var moves = new AtomicInteger();
        var others = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                for (var word : List.of(new RowWord.Drop(), new RowWord.TryAgain())) {
                    var said = new Change.SayOfRows(
                            "moving", List.of(new RowRef("k5", 1), new RowRef("k15", 1)), word, ANNA);
                    driver.store().exchange(List.of(said), Wanted.NOTHING);
                    moves.incrementAndGet();
                }
            }
        });
        try {
            for (var look = 0; look < 300 || moves.get() < 20; look++) {
                var page = driver.store().rows(LedgerQuery.of("moving").most(100));
                assertThat(page.rows().stream().map(one -> one.row().key())).containsExactlyElementsOf(keys);
            }
        } finally {
            stop.set(true);
            others.join();
        }
    }

    @Test
    void of_a_collection_that_is_not_there_nothing_is_sent_sealed_said_noted_or_pruned() {
        var run = run();
        assertThat(send(run, "p1", "a"))
                .isInstanceOfSatisfying(
                        Applied.Refused.class,
                        refused -> assertThat(refused.why()).contains("there is no collection " + C));
        assertThat(seal(run, "p1", 1)).isInstanceOf(Applied.Refused.class);
        assertThat(driver.entries(run)).isEmpty();
        assertThat(say(new RowWord.Drop(), "a", "b")).containsExactly(RowOutcome.REFUSED, RowOutcome.REFUSED);
        assertThat(driver.apply(new Change.NotePart(C, "p1", "{}"))).isInstanceOf(Applied.Refused.class);
        assertThat(driver.apply(new Change.PruneRows(C, time.now(), 10))).isEqualTo(new Applied.Pruned(0));
        assertThat(driver.store().collections()).isEmpty();
    }

    @Test
    void what_a_person_gave_a_row_that_was_pruned_is_pruned_too() {
        enrol(rows("a"), false);
        var run = run();
        send(run, "p1", "a");
        answer(failed("a", 1, true));
        say(new RowWord.Drop(), "a");
        time.advance(Duration.ofDays(1));
        assertThat(driver.apply(new Change.PruneRows(C, time.now(), 10))).isEqualTo(new Applied.Pruned(1));
        assertThat(say(new RowWord.Accept("\"mine\""), "a")).containsExactly(RowOutcome.SETTLED);
        assertThat(result("a")).isEqualTo("\"mine\"");
        time.advance(Duration.ofDays(1));
        assertThat(driver.apply(new Change.PruneRows(C, time.now(), 10))).isEqualTo(new Applied.Pruned(1));
        assertThat(result("a")).isNull();
        assertThat(there("a").state()).isEqualTo(RowState.SUCCEEDED);
        assertThat(driver.apply(new Change.PruneRows(C, time.now(), 10))).isEqualTo(new Applied.Pruned(0));
    }
}
