package dev.pawl.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Use;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.key.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What owners used that are gone is unknown for as long as nobody can know it, and no longer. */
class LostOwnersTest {
    private static final Instant T0 = Instant.parse("2026-04-12T23:59:00Z");
    private static final Place PAY = new Place("", "pay", "");
    private static final Place ASK = new Place("", "ask", "");
    private static final Terms NONE = new Terms(null, false, Duration.ofSeconds(60));
    private static final Entry GONE = new Entry.OwnerGone(1, true, 0);
    private static final Entry.Accounted FOUND = new Entry.Accounted(1, T0.plusSeconds(60));

    private final List<JournalLine> lines = new ArrayList<>();

    private History after(Entry... entries) {
        for (var entry : entries) {
            var at = entry instanceof Entry.OwnerGone ? FOUND.gone() : T0;
            lines.add(new JournalLine(lines.size() + 1, Changes.owned(1, lines.size()), 0, at, entry));
        }
        return History.of(lines, 0);
    }

    private static Entry intended(Place place) {
        return new Entry.Intended(place, 1, "f", NONE, Duration.ofMinutes(2));
    }

    private static Entry answered(Answer.Source source) {
        return new Entry.Answered(PAY, 1, Answer.happened("1"), source);
    }

    @Test
    void who_left_an_attempt_behind_is_accounted_for_once_a_worker_has_told_of_it() {
        var open = after(intended(PAY), GONE);
        assertThat(open.goneBetweenEffects()).isEmpty();
        assertThat(open.goneFrom(PAY, 1)).containsExactly(FOUND);
        assertThat(open.toldOf()).isEmpty();
        assertThat(after(answered(Answer.Source.PERSON)).toldOf())
                .as("a person has not seen what it used")
                .isEmpty();
        assertThat(after(new Entry.StepDone(ASK, "1"), answered(Answer.Source.WORKER))
                        .toldOf())
                .containsExactly(FOUND);
        assertThat(after(FOUND).toldOf()).isEmpty();
    }

    @Test
    void what_such_an_attempt_used_is_enough_although_nobody_knows_whether_it_happened() {
        after(intended(PAY), GONE);
        var used = new Entry.Used(PAY, 1, List.of(Use.of("m").input(1)), Duration.ZERO);
        assertThat(after(used).toldOf()).containsExactly(FOUND);
    }

    @Test
    void who_was_in_no_effect_may_have_been_in_the_step_that_is_run_again() {
        assertThat(after(new Entry.StepDone(ASK, "1"), GONE).goneBetweenEffects())
                .containsExactly(FOUND);
        var failure = Failure.of(FailureClass.TRANSIENT, "t", "broken");
        assertThat(after(new Entry.StepTried(new Place("", "next", ""), 1, failure))
                        .goneBetweenEffects())
                .isEmpty();
    }

    @Test
    void of_who_died_while_items_of_a_fan_out_were_at_work_nobody_knows() {
        var item = new Place("items/7", "send", "");
        assertThat(after(intended(item), GONE).goneBetweenEffects())
                .as("one of them was in an effect, others perhaps in steps")
                .isEmpty();
        lines.clear();
        after(GONE);
        assertThat(after(intended(item)).goneBetweenEffects()).isEmpty();
    }

    @Test
    void a_cost_that_was_found_out_is_unknown_no_more() {
        assertThat(after(GONE).cost()).hasToString("unknown");
        assertThat(Costs.of(lines).total()).hasToString("unknown");
        assertThat(after(FOUND).cost()).hasToString("0.00USD");
        assertThat(Costs.of(lines).total()).hasToString("0.00USD");
    }
}
