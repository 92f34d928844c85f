package dev.pawl.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.key.Key;
import dev.pawl.ledger.LedgerRow.RowTries;
import dev.pawl.ledger.RowAnswer.RowEnding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What comes of what is said of a row. */
class RowRulesTest {
    private static final Instant NOW = Instant.parse("2026-04-12T02:00:00Z");
    private static final NewRow NEW = NewRow.of(Key.of("a"), "1");
    private static final LedgerRow ROW = LedgerRow.enrolled(NEW, NOW);
    private static final RowEnding GOOD = new RowEnding.RowSucceeded("1");
    private static final RowEnding LATER = new RowEnding.RowFailed("transient", "not now", false, true);
    private static final RowEnding NEVER = new RowEnding.RowFailed("blocked", "never", true, true);

    private static LedgerRow sent(LedgerRow row) {
        return there(RowRules.send(row, row.generation(), "p", 3));
    }

    private static LedgerRow there(RowRules.RowRuling ruling) {
        return Objects.requireNonNull(ruling.row());
    }

    private static RowRules.RowRuling answer(LedgerRow row, int attempt, AttemptState known, RowEnding ending) {
        return RowRules.answer(row, known, new RowAnswer("a", row.generation(), attempt, ending, null), 3, NOW);
    }

    @Test
    void the_diagram_in_the_docs_is_drawn_from_the_table() throws IOException {
        var text = new StringBuilder("```mermaid\nstateDiagram-v2\n    [*] --> PENDING: enrolled\n");
        for (var move : RowMove.values()) {
            for (var from : move.from()) {
                text.append("    %s --> %s: %s\n".formatted(from, move.to(), move.words()));
            }
        }
        text.append("```");
        assertThat(Files.readString(Path.of("../docs/guide/ledger.md")))
                .as("put this into docs/guide/ledger.md:\n" + text)
                .contains(text);
    }

    @Test
    void only_another_generation_leaves_what_succeeded_and_every_state_can_be_left() {
        var left = EnumSet.noneOf(RowState.class);
        for (var move : RowMove.values()) {
            left.addAll(move.from());
            if (move.isPossible(RowState.SUCCEEDED)) {
                assertThat(move).isEqualTo(RowMove.RENEW);
            }
        }
        assertThat(left).containsExactlyInAnyOrder(RowState.values());
    }

    @Test
    void an_answer_to_an_attempt_that_is_settled_changes_nothing_but_that_it_succeeded_after_all() {
        var row = sent(ROW);
        for (var known : AttemptState.values()) {
            for (var ending : List.of(LATER, NEVER, new RowEnding.NeverSent("n"), new RowEnding.RowAbandoned("a"))) {
                var ruling = answer(row, 1, known, ending);
                var failedSince = known == AttemptState.ABANDONED && ending instanceof RowEnding.RowFailed;
                if (known != AttemptState.OPEN && !failedSince) {
                    assertThat(ruling.outcome()).as(known + " " + ending).isEqualTo(RowOutcome.ALREADY);
                    assertThat(ruling.row()).isNull();
                }
            }
            assertThat(answer(row, 1, known, GOOD).outcome())
                    .isEqualTo(known == AttemptState.SUCCEEDED ? RowOutcome.ALREADY : RowOutcome.SETTLED);
        }
        assertThat(RowRules.answer(null, AttemptState.OPEN, new RowAnswer("a", 1, 1, GOOD, null), 3, NOW)
                        .outcome())
                .isEqualTo(RowOutcome.REFUSED);
        assertThat(RowRules.answer(row, null, new RowAnswer("a", 1, 9, GOOD, null), 3, NOW)
                        .outcome())
                .isEqualTo(RowOutcome.REFUSED);
    }

    @Test
    void one_that_failed_does_not_move_a_row_of_which_another_is_open_or_that_is_settled() {
        var abandoned = there(answer(sent(ROW), 1, AttemptState.OPEN, new RowEnding.RowAbandoned("a")));
        assertThat(abandoned.tries()).isEqualTo(new RowTries(1, 1, null, 0));
        var again = sent(abandoned);
        var late = answer(again, 1, AttemptState.ABANDONED, NEVER);
        assertThat(late.outcome()).isEqualTo(RowOutcome.KEPT);
        assertThat(late.row()).isEqualTo(again);
        var done = there(answer(again, 2, AttemptState.OPEN, GOOD));
        assertThat(done.tries()).isEqualTo(new RowTries(2, 2, null, 2));
        assertThat(answer(done, 1, AttemptState.ABANDONED, NEVER).outcome()).isEqualTo(RowOutcome.KEPT);
        assertThat(answer(done, 1, AttemptState.ABANDONED, GOOD).outcome()).isEqualTo(RowOutcome.DUPLICATE);
    }

    @Test
    void only_what_is_settled_and_has_been_for_long_is_pruned() {
        var done = there(answer(sent(ROW), 1, AttemptState.OPEN, GOOD));
        var never = there(answer(sent(ROW), 1, AttemptState.OPEN, NEVER));
        var dropped = there(RowRules.say(never, true, RowRef.of(never), new RowWord.Drop(), NOW));
        var later = NOW.plus(Duration.ofDays(1));
        assertThat(RowRules.mayBePruned(done, later)).isTrue();
        assertThat(RowRules.mayBePruned(done, NOW)).isFalse();
        assertThat(RowRules.mayBePruned(never, later)).isFalse();
        assertThat(RowRules.mayBePruned(dropped, later)).isTrue();
        assertThat(RowRules.mayBePruned(ROW, later)).isFalse();
    }

    @Test
    void a_row_that_was_settled_by_an_earlier_attempt_stays_so_while_a_later_one_is_open() {
        var again = sent(there(answer(sent(ROW), 1, AttemptState.OPEN, new RowEnding.RowAbandoned("a"))));
        var late = there(answer(again, 1, AttemptState.ABANDONED, GOOD));
        assertThat(late.state()).isEqualTo(RowState.SUCCEEDED);
        assertThat(late.tries().openIn()).as("the second is open yet").isEqualTo("p");
        assertThat(RowRules.mayBePruned(late, NOW.plus(Duration.ofDays(1))))
                .as("its part names what it has sent")
                .isFalse();
        var abandoned = RowRules.answer(
                late, AttemptState.OPEN, new RowAnswer("a", 1, 2, new RowEnding.RowAbandoned("a"), null), 2, NOW);
        assertThat(abandoned.outcome()).isEqualTo(RowOutcome.SETTLED);
        assertThat(there(abandoned).state()).isEqualTo(RowState.SUCCEEDED);
        assertThat(there(abandoned).tries()).isEqualTo(new RowTries(2, 2, null, 1));
    }

    @Test
    void what_was_tried_as_often_as_it_may_be_is_not_sent_however_many_were_allowed_before() {
        var failed = there(answer(sent(ROW), 1, AttemptState.OPEN, LATER));
        assertThat(failed.state()).isEqualTo(RowState.RETRYABLE);
        assertThat(RowRules.send(failed, 1, "q", 2).outcome()).isEqualTo(RowOutcome.SENT);
        assertThat(RowRules.send(failed, 1, "q", 1).outcome()).isEqualTo(RowOutcome.REFUSED);
    }

    @Test
    void an_answer_to_an_attempt_that_is_not_the_last_leaves_the_last_open() {
        var row = sent(ROW).tried(new RowTries(2, 0, "p", 0));
        assertThat(there(answer(row, 1, AttemptState.OPEN, LATER)).tries()).isEqualTo(new RowTries(2, 1, "p", 0));
    }

    @Test
    void what_is_said_is_bounded() {
        assertThatIllegalArgumentException().isThrownBy(() -> new NewRow("", "1", "h"));
        assertThatIllegalArgumentException().isThrownBy(() -> new NewRow("a\u0000", "1", "h"));
        assertThatIllegalArgumentException().isThrownBy(() -> new NewRow("a".repeat(1_025), "1", "h"));
        assertThatIllegalArgumentException().isThrownBy(() -> LedgerPart.checkName(" "));
        assertThatIllegalArgumentException().isThrownBy(() -> LedgerPart.checkName("p".repeat(65)));
        assertThatIllegalArgumentException().isThrownBy(() -> new RowEnding.RowFailed("", "why", true, true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PartSending("c", "p", List.of(), 1))
                .withMessageContaining("1 to 1,000 rows");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PartSending("c", "p", List.of(new RowRef("a", 1)), 0));
    }
}
