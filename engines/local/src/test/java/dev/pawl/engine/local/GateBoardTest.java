package dev.pawl.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.cost.Use;
import dev.pawl.gate.Budget;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.store.Change;
import dev.pawl.store.Wanted;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.StoreDriver;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a process knows of gates and budgets between two looks at the store. */
class GateBoardTest {
    private static final Workflow<String, String> W = Workflow.named(StoreDriver.WORKFLOW, String.class, String.class);

    private final FakeTime time = new FakeTime();
    private final MemoryStore store = new MemoryStore(time);
    private final StoreDriver driver = new StoreDriver(store);
    private final BudgetBooks books = new BudgetBooks();
    private final GateBoard board = new GateBoard(List.of(), books);

    private List<Change.OpenGate> look(Budget budget) {
        return board.look(
                store, time.now(), List.of(W.implementedBy((run, input) -> "").budget(budget)));
    }

    private void uses(Use use) {
        var held = driver.hold("job-" + time.nanos() + use, driver.enlist(1));
        driver.apply(new Change.RecordStepIfOwned(
                held.hold(),
                held.id(1),
                List.of(new Entry.Used(new Place("", "s", ""), 1, List.of(use), Duration.ZERO))));
    }

    private void close(String gate) {
        var held = driver.hold("at-" + gate, driver.enlist(1));
        store.exchange(
                List.of(new Change.WaitAtGateIfOwned(
                        held.hold(),
                        held.id(0),
                        List.of(),
                        new Gate.Wish(gate, new Gate.Reason(Gate.Cause.BUDGET, "spent", null, 0L)),
                        null)),
                Wanted.NOTHING);
    }

    @Test
    void what_was_spent_yesterday_does_not_count_today() {
        uses(Use.of("m").input(70));
        look(Budget.perDay(Budget.tokens(100)));
        assertThat(books.spent(W.name(), Budget.Per.DAY, time.now()).tokens().all())
                .isEqualTo(70);
        time.advance(Duration.ofDays(1));
        assertThat(books.spent(W.name(), Budget.Per.DAY, time.now()).tokens().all())
                .isZero();
        assertThat(books.spent(W.name(), Budget.Per.WORKFLOW, time.now())
                        .tokens()
                        .all())
                .isEqualTo(70);
    }

    @Test
    void a_budget_opens_when_there_is_room_again_and_everybody_can_tell() {
        var gate = GateNames.budget(W.name(), Budget.Per.WORKFLOW);
        uses(Use.of("m").input(70).costing(5L));
        close(gate);
        assertThat(look(Budget.perWorkflow(Budget.tokens(50)))).as("no room").isEmpty();
        assertThat(look(Budget.perWorkflow(Budget.tokens(100))))
                .extracting(Change.OpenGate::gate)
                .containsExactly(gate);
        assertThat(look(Budget.perWorkflow(Budget.usd("1")))).hasSize(1);
        uses(Use.of("unpriced").input(1));
        assertThat(look(Budget.perWorkflow(Budget.usd("1"))))
                .as("nobody can tell")
                .isEmpty();
    }

    @Test
    void a_jobs_own_budget_has_no_gate_in_common_with_others() {
        assertThatIllegalArgumentException().isThrownBy(() -> GateNames.budget("w", Budget.Per.JOB));
    }
}
