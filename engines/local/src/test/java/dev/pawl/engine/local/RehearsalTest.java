package dev.pawl.engine.local;

import static dev.pawl.effect.Contract.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.local.Rehearsal.RehearsalEnd;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.Workflow;
import dev.pawl.key.Place;
import dev.pawl.store.Change;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FakeTime;
import dev.pawl.testkit.StoreDriver;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Code over a recorded journal ends in one of few ways, and does nothing. */
class RehearsalTest {
    private static final Workflow<Integer, String> W =
            Workflow.named(StoreDriver.WORKFLOW, Integer.class, String.class);

    private final FakeTime time = new FakeTime();
    private final MemoryStore store = new MemoryStore(time);
    private final StoreDriver driver = new StoreDriver(store);

    private Rehearsal rehearse(StoreDriver.Held held, Workflow.Body<Integer, String> body) {
        return Rehearsal.of(
                driver.job(held.job().id()), store.journal(held.job().id()), W.implementedBy(body));
    }

    @Test
    void code_that_has_everything_recorded_is_finished_and_code_that_has_not_says_what_it_would_do() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.step("one", "\"1\""));
        assertThat(rehearse(held, (run, input) -> run.step("one", String.class, () -> "never")))
                .isEqualTo(new Rehearsal(RehearsalEnd.FINISHED, new Place("", "one", ""), "\"1\""));
        assertThat(rehearse(held, (run, input) -> {
                    run.step("one", String.class, () -> "never");
                    return run.step("two", String.class, () -> "never");
                }))
                .isEqualTo(new Rehearsal(RehearsalEnd.WOULD_DO, new Place("", "two", ""), "it is not recorded"));
    }

    @Test
    void code_that_fails_fails_now_or_later_and_with_an_account_too() {
        var held = driver.hold("a", driver.enlist(1));
        for (var thrown : List.of(
                new PermanentFailure("broken"), new IllegalStateException("broken"), new AccountTrouble("broken"))) {
            assertThat(rehearse(held, (run, input) -> {
                        throw thrown;
                    }))
                    .as(thrown.toString())
                    .extracting(Rehearsal::endedAs)
                    .isEqualTo(RehearsalEnd.FAILS);
        }
    }

    @Test
    void code_that_does_not_come_to_what_is_in_doubt_would_ask() {
        var held = driver.hold("a", driver.enlist(1));
        driver.apply(held.intend(1));
        assertThat(rehearse(held, (run, input) -> "done").endedAs()).isEqualTo(RehearsalEnd.WOULD_ASK);
    }

    @Test
    void code_that_waits_would_wait_and_a_job_that_was_called_off_is_finished() {
        var held = driver.hold("a", driver.enlist(1));
        assertThat(rehearse(held, (run, input) -> {
                            run.sleep("night", Duration.ofHours(1));
                            return "";
                        })
                        .endedAs())
                .isEqualTo(RehearsalEnd.WOULD_WAIT);
        driver.apply(new Change.CancelJob(held.job().id(), driver.newId(), StoreDriver.ANNA));
        assertThat(rehearse(held, (run, input) -> run.effect("send", none(), "", String.class, (r, a) -> "never"))
                        .endedAs())
                .isEqualTo(RehearsalEnd.FINISHED);
    }
}
