package dev.pawl.checks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What an engine does when it is asked for what cannot be, when the store cannot be reached, and when its number is taken from it. */
class EngineCornersTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void an_engine_works_one_implementation_of_each_workflow_and_begins_once() {
        var code = W.implementedBy((run, input) -> "ok");
        stage.work(actor, code);
        assertThatIllegalStateException()
                .isThrownBy(() -> actor.engine().work(List.of(code)))
                .withMessageContaining("works already");
        var other = stage.actor("b");
        stage.enter(other, seen -> seen);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> other.engine().work(List.of(code, code)))
                .withMessageContaining("implemented twice");
    }

    @Test
    void a_submission_that_the_store_refuses_is_told_as_it_is() {
        stage.enter(actor, store -> new DelegatingStore(store) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                return changes.getFirst() instanceof Change.SubmitJob
                        ? new Exchanged(List.of(new Applied.Refused("no room")), List.of(), null, stage.now())
                        : super.exchange(changes, wanted);
            }
        });
        var heard = new ArrayList<Applied>();
        actor.asks(() -> heard.add(actor.engine().submit(new Identity("w", Key.of("x")), "\"in\"")));
        stage.until(() -> !heard.isEmpty());
        assertThat(heard).containsExactly(new Applied.Refused("no room"));
    }

    private static UnaryOperator<Store> unreachable(AtomicBoolean gone) {
        return store -> new FaultyStore(
                store, (changes, wanted) -> gone.get() ? FaultyStore.Fate.FAIL_BEFORE : FaultyStore.Fate.PASS);
    }

    @Test
    void an_engine_that_only_submits_says_so_when_the_store_cannot_be_reached() {
        stage.enter(actor, unreachable(new AtomicBoolean(true)));
        var heard = new ArrayList<String>();
        actor.asks(() -> {
            try {
                actor.engine().submit(new Identity("w", Key.of("x")), "\"in\"");
            } catch (StoreFailure failure) {
                heard.add(String.valueOf(failure.getMessage()));
            }
        });
        stage.until(() -> !heard.isEmpty());
        assertThat(heard.getFirst()).contains("planned");
    }

    @Test
    void a_worker_that_never_reached_the_store_or_lost_it_stops_without_a_word() {
        var gone = new AtomicBoolean(true);
        stage.work(actor, options -> options, unreachable(gone), W.implementedBy((run, input) -> "ok"));
        actor.shutDown();
        stage.forAWhile(Duration.ofMinutes(2));
        assertThat(stage.store.workers()).isEmpty();

        gone.set(false);
        var other = stage.actor("b");
        stage.work(other, options -> options, unreachable(gone), W.implementedBy((run, input) -> "ok"));
        stage.until(() -> !stage.store.workers().isEmpty());
        gone.set(true);
        stage.until(() -> !stage.events("worker-lost").isEmpty());
        other.shutDown();
        stage.forAWhile(Duration.ofMinutes(2));
        assertThat(stage.store.workers()).as("others find out by themselves").hasSize(1);
    }

    @Test
    void for_how_long_the_store_takes_nothing_is_known_and_forgotten_once_it_answers() {
        var gone = new AtomicBoolean(false);
        stage.work(actor, options -> options, unreachable(gone), W.implementedBy((run, input) -> "ok"));
        stage.until(() -> !stage.store.workers().isEmpty());
        assertThat(actor.engine().storeTroubleFor(Duration.ZERO)).isEmpty();
        gone.set(true);
        stage.until(() -> actor.engine().storeTroubleFor(Duration.ZERO).isPresent());
        assertThat(actor.engine().storeTroubleFor(Duration.ofMinutes(3))).isEmpty();
        stage.forAWhile(Duration.ofMinutes(4));
        assertThat(actor.engine().storeTroubleFor(Duration.ofMinutes(3)))
                .get()
                .asString()
                .contains("planned");
        gone.set(false);
        stage.until(() -> actor.engine().storeTroubleFor(Duration.ZERO).isEmpty());
    }

    private void ignoringInterrupts(Duration howLong) {
        var end = actor.process.nanos() + howLong.toNanos();
        while (actor.process.nanos() < end) {
            try {
                actor.pause(Duration.ofSeconds(7));
            } catch (InterruptedException ignored) {
                // That is the point.
            }
        }
    }

    @Test
    void a_worker_whose_act_does_not_end_is_left_to_be_found_by_others() {
        Workflow.Body<String, String> body = (run, input) -> run.step("s", String.class, () -> {
            if (calls.incrementAndGet() == 1) {
                ignoringInterrupts(Duration.ofMinutes(5));
            }
            return "ok";
        });
        stage.work(actor, Duration.ofSeconds(1), W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> calls.get() == 1);
        actor.shutDown();
        stage.forAWhile(Duration.ofSeconds(10));
        assertThat(stage.store.workers()).as("it has not said good-bye").hasSize(1);
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(calls).hasValue(2);
    }

    @Test
    void a_number_that_is_declared_dead_while_it_is_enlisted_is_given_up() {
        var asked = new AtomicInteger();
        UnaryOperator<Store> hasty = store -> new FaultyStore(store, (changes, wanted) -> {
            for (var change : changes) {
                if (change instanceof Change.Enlist enlist) {
                    stage.apply(new Change.TakeOver(enlist.worker(), 0, WorkerEnd.BEAT_STOOD_STILL));
                    return asked.incrementAndGet() == 1 ? FaultyStore.Fate.FAIL_AFTER : FaultyStore.Fate.PASS;
                }
            }
            return FaultyStore.Fate.PASS;
        });
        stage.work(actor, options -> options, hasty, W.implementedBy((run, input) -> "ok"));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.events("enlisted")).as("under another number").hasSize(1);
        assertThat(asked).hasValue(3);
    }
}
