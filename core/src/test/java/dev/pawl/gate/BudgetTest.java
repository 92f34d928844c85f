package dev.pawl.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Use;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a budget is spent, when nobody can tell, and at which gate one waits for more. */
class BudgetTest {
    private static Cost cost(long nanoUsd, long input, long output, Cost.Unknown unknown) {
        return new Cost(nanoUsd, new Use.Tokens(input, output, 0), 0, Duration.ZERO, unknown);
    }

    private static Cost known(long nanoUsd, long input, long output) {
        return cost(nanoUsd, input, output, Cost.Unknown.NOTHING);
    }

    @Test
    void money_is_spent_when_as_much_is_gone_as_may_be() {
        var limit = Budget.usd("2");
        assertThat(limit.spent(known(1_999_999_999L, 9, 9), 0)).isFalse();
        assertThat(limit.spent(known(2_000_000_000L, 0, 0), 0)).isTrue();
        assertThat(limit.spent(known(2_000_000_000L, 0, 0), 1))
                .as("allowed once more")
                .isFalse();
        assertThat(limit.spent(known(4_000_000_000L, 0, 0), 1)).isTrue();
        assertThat(limit.of(known(1_500_000_000L, 1, 1))).contains("1.50");
        assertThat(limit).hasToString(Cost.text(2_000_000_000L));
    }

    @Test
    void tokens_are_counted_in_and_out_together() {
        var limit = Budget.tokens(100);
        assertThat(limit.spent(known(1L << 50, 60, 39), 0)).isFalse();
        assertThat(limit.spent(known(0, 60, 40), 0)).isTrue();
        assertThat(limit.of(known(0, 60, 40))).isEqualTo("100 tokens");
        assertThat(limit).hasToString("100 tokens");
    }

    @Test
    void nobody_can_tell_where_a_price_is_missing_or_a_use_cannot_be_read() {
        var unpriced = cost(1, 1, 1, new Cost.Unknown(1, 0, 0));
        var uncounted = cost(1, 1, 1, new Cost.Unknown(0, 0, 1));
        assertThat(Budget.usd("1").unclear(unpriced)).contains("has no price");
        assertThat(Budget.usd("1").unclear(known(1, 1, 1))).isNull();
        assertThat(Budget.tokens(1).unclear(unpriced)).isNull();
        assertThat(Budget.tokens(1).unclear(uncounted)).contains("cannot be read");
    }

    @Test
    void a_budget_says_for_what_it_is_and_is_more_than_nothing() {
        var limit = Budget.tokens(1);
        assertThat(List.of(Budget.perJob(limit), Budget.perWorkflow(limit), Budget.perDay(limit)))
                .extracting(Budget::per)
                .containsExactly(Budget.Per.JOB, Budget.Per.WORKFLOW, Budget.Per.DAY);
        assertThatIllegalArgumentException().isThrownBy(() -> Budget.tokens(0));
    }

    @Test
    void gates_have_the_names_that_people_type() {
        assertThat(GateNames.account("essay")).isEqualTo("account/essay");
        assertThat(GateNames.budget("essay", Budget.Per.WORKFLOW)).isEqualTo("budget/workflow/essay");
        assertThat(GateNames.budget("essay", Budget.Per.DAY)).isEqualTo("budget/day/essay");
        assertThatIllegalArgumentException().isThrownBy(() -> GateNames.budget("essay", Budget.Per.JOB));
        var job = GateNames.budgetOf(new Identity("essay", Key.of("a")));
        assertThat(job).isEqualTo("budget/job/essay/a");
        assertThat(GateNames.isOfOneJob(job)).isTrue();
        assertThat(GateNames.isOfOneJob("budget/day/essay")).isFalse();
    }
}
