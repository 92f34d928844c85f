package dev.pawl.checks.simulation;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.event.Event;
import dev.pawl.event.EventField;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Code that ignores interrupts holds neither its worker's other jobs up nor its own promise. */
class OverdueTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Workflow<String, String> STUCK = Workflow.named("stuck", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicBoolean released = new AtomicBoolean();

    private void work() {
        stage.work(
                actor,
                options -> options.slots(1).grace(Duration.ofSeconds(30)),
                W.implementedBy((run, input) -> run.step("s", String.class, () -> "ran")),
                STUCK.implementedBy((run, input) ->
                        run.step(named("s").timeout(Duration.ofMinutes(1)), String.class, this::ignoresInterrupts)));
    }

    private String ignoresInterrupts() {
        while (!released.get()) {
            try {
                actor.pause(Duration.ofSeconds(1));
            } catch (InterruptedException ignored) {
                // That is what this is about.
            }
        }
        return "ended";
    }

    @Test
    void it_is_told_with_its_stack_and_its_slot_serves_others_while_its_job_stays_where_it_is() {
        work();
        var stuck = stage.submit(STUCK, "x", "in");
        stage.until(stuck, JobState.RUNNING);
        var other = stage.submit(W, "y", "in");
        stage.forAWhile(Duration.ofSeconds(65));
        assertThat(stage.job(other).state()).as("there is one slot").isEqualTo(JobState.READY);
        assertThat(stage.events("overdue")).isEmpty();

        stage.until(other, JobState.DONE);
        var told = stage.events("overdue");
        assertThat(told).hasSize(1);
        assertThat(told.getFirst().level()).isEqualTo(Event.Level.LOUD);
        assertThat(told.getFirst().said(EventField.STEP)).isEqualTo("s");
        assertThat(told.getFirst().said(EventField.ATTEMPT)).isEqualTo("1");
        assertThat(told.getFirst().said(EventField.WHY))
                .contains("it was interrupted after 1m and goes on", "and it stands at dev.pawl.checks.");
        assertThat(Objects.requireNonNull(told.getFirst().thrown()).getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("ignoresInterrupts"));
        assertThat(actor.engine().overdue()).isEqualTo(1);

        stage.forAWhile(Duration.ofHours(1));
        assertThat(stage.job(stuck).state())
                .as("its worker lives, so it is nobody else's")
                .isEqualTo(JobState.RUNNING);
        assertThat(stage.events("overdue")).as("once").hasSize(1);
        released.set(true);
        stage.until(stuck, JobState.DONE);
        assertThat(stage.result(stuck)).as("what it said in the end stands").isEqualTo("\"ended\"");
        assertThat(actor.engine().overdue()).isZero();
    }

    @Test
    void as_many_slots_are_lent_as_there_are_and_no_more() {
        work();
        var one = stage.submit(STUCK, "1", "in");
        stage.until(one, JobState.RUNNING);
        var two = stage.submit(STUCK, "2", "in");
        stage.until(two, JobState.RUNNING);
        var other = stage.submit(W, "y", "in");
        stage.until(() -> stage.events("overdue").size() == 2);
        stage.forAWhile(Duration.ofHours(1));
        assertThat(stage.job(other).state()).isEqualTo(JobState.READY);
        released.set(true);
        stage.until(other, JobState.DONE);
        stage.until(one, JobState.DONE);
        stage.until(two, JobState.DONE);
        var again = stage.submit(STUCK, "3", "in");
        stage.until(again, JobState.DONE);
    }

    @Test
    void a_job_lends_its_one_slot_however_many_of_its_items_do_not_end() {
        var many = Workflow.named("many", String.class, String.class);
        var running = new AtomicInteger();
        stage.work(
                actor,
                options -> options.slots(2),
                many.implementedBy((run, input) -> {
                    run.map(
                            "each",
                            List.of("a", "b", "c"),
                            item -> item,
                            (scope, item) -> scope.step(
                                    named("s").timeout(Duration.ofMinutes(1)), String.class, this::ignoresInterrupts));
                    return "ended";
                }),
                W.implementedBy((run, input) -> run.step("s", String.class, () -> {
                    running.incrementAndGet();
                    while (!released.get()) {
                        actor.pause(Duration.ofSeconds(1));
                    }
                    return "ran";
                })));
        var stuck = stage.submit(many, "x", "in");
        stage.until(() -> actor.engine().overdue() == 3);
        for (var i = 0; i < 4; i++) {
            stage.submit(W, String.valueOf(i), "in");
        }
        stage.forAWhile(Duration.ofMinutes(10));
        assertThat(running).as("one slot is free, and one is lent").hasValue(2);
        released.set(true);
        stage.until(stuck, JobState.DONE);
        stage.until(() -> running.get() == 4);
    }

    @Test
    void whoever_closes_has_its_grace_and_the_job_goes_on_elsewhere_after_that() {
        work();
        var stuck = stage.submit(STUCK, "x", "in");
        stage.until(() -> actor.engine().overdue() == 1);
        var began = stage.now();
        var closed = new AtomicReference<Instant>();
        actor.asks(() -> {
            actor.engine().close();
            closed.set(stage.now());
        });
        stage.until(() -> closed.get() != null);
        assertThat(Duration.between(began, closed.get())).isBetween(Duration.ofSeconds(29), Duration.ofSeconds(61));
        stage.work(
                stage.actor("b"),
                STUCK.implementedBy((run, input) -> run.step("s", String.class, () -> "done elsewhere")));
        stage.until(stuck, JobState.DONE);
        released.set(true);
        stage.forAWhile(Duration.ofMinutes(1));
        assertThat(stage.result(stuck)).isEqualTo("\"done elsewhere\"");
    }
}
