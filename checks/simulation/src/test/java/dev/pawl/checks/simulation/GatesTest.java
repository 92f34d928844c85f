package dev.pawl.checks.simulation;

import static dev.pawl.gate.Budget.perDay;
import static dev.pawl.gate.Budget.perJob;
import static dev.pawl.gate.Budget.perWorkflow;
import static dev.pawl.gate.Budget.tokens;
import static dev.pawl.gate.Budget.usd;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.engine.local.EngineOptions;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.NotSent;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.text.LocalTimeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One question for all who wait; what runs finishes; a day's budget opens by itself. */
class GatesTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Workflow<String, String> CHILD = Workflow.named("child", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger calls = new AtomicInteger();

    private static EngineOptions seldom(EngineOptions options) {
        return options.poll(Duration.ofMinutes(1));
    }

    private Gate gate() {
        assertThat(stage.store.gates()).hasSize(1);
        return stage.store.gates().getFirst();
    }

    private List<Identity> submit(int many) {
        return IntStream.range(0, many)
                .mapToObj(i -> stage.submit(W, "job-" + i, "in"))
                .toList();
    }

    private boolean all(List<Identity> jobs, JobState state) {
        return jobs.stream().allMatch(job -> stage.job(job).state() == state);
    }

    private static String use(dev.pawl.job.Job run, String step, int tokens) {
        return run.step(step, String.class, () -> {
            run.use("m", tokens, 0, 0, 0);
            return step;
        });
    }

    private static String useTwice(dev.pawl.job.Job run, String input) {
        use(run, "a", 100);
        return use(run, "b", 100);
    }

    @Test
    void trouble_with_the_account_is_one_question_for_all_and_no_attempt_is_spent() {
        var mended = new AtomicBoolean();
        stage.work(
                actor,
                GatesTest::seldom,
                W.implementedBy((run, input) -> run.step(named("pay").attempts(1), String.class, () -> {
                    calls.incrementAndGet();
                    if (!mended.get()) {
                        throw new AccountTrouble("no credit");
                    }
                    return "paid";
                })));
        var jobs = submit(30);
        stage.until(() -> all(jobs, JobState.WAITING));
        assertThat(gate().name()).isEqualTo("account/w");
        assertThat(stage.store.waitingAt("account/w")).isEqualTo(30);
        assertThat(calls.get()).as("the rest did not even try").isLessThanOrEqualTo(16);
        assertThat(stage.events("gate-closed")).hasSize(1);
        mended.set(true);
        stage.forAWhile(Duration.ofDays(2));
        assertThat(all(jobs, JobState.WAITING)).isTrue();
        stage.openGates();
        stage.until(() -> all(jobs, JobState.DONE));
    }

    @Test
    void trouble_that_may_be_over_soon_opens_its_gate_by_itself_and_no_attempt_is_spent() {
        var mended = new AtomicBoolean();
        stage.work(
                actor,
                GatesTest::seldom,
                W.implementedBy((run, input) -> run.step(named("pay").attempts(1), String.class, () -> {
                    if (!mended.get()) {
                        throw new AccountTrouble("no route", Duration.ofMinutes(5));
                    }
                    return "paid";
                })));
        var jobs = submit(3);
        stage.until(() -> all(jobs, JobState.WAITING));
        assertThat(gate().closing()).isNotNull();
        mended.set(true);
        stage.forAWhile(Duration.ofMinutes(4));
        assertThat(all(jobs, JobState.WAITING)).isTrue();
        stage.forAWhile(Duration.ofMinutes(2));
        stage.until(() -> all(jobs, JobState.DONE));
    }

    @Test
    void whoever_says_to_be_left_alone_is_left_alone_by_all_who_pass_the_same_gate() {
        var times = new ArrayList<Long>();
        stage.work(actor, W.implementedBy((run, input) -> {
            run.sleep(
                    "first", Duration.ofSeconds(run.identity().key().toString().equals("job-0") ? 1 : 5));
            return run.step(named("ask").through("provider"), String.class, () -> {
                times.add(actor.process.nanos());
                if (calls.incrementAndGet() == 1) {
                    throw new NotSent("429", Duration.ofMinutes(10), null);
                }
                return "ok";
            });
        }));
        var jobs = submit(5);
        stage.until(() -> all(jobs, JobState.DONE));
        assertThat(calls).hasValue(6);
        assertThat(Duration.ofNanos(times.get(1) - times.get(0)))
                .as("nobody asked meanwhile, and nobody had to open anything")
                .isGreaterThanOrEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void a_jobs_budget_stops_it_before_the_next_attempt_and_a_person_allows_as_much_again() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> {
                            for (var i = 0; i < 5; i++) {
                                use(run, "s" + i, 60);
                            }
                            return "done";
                        })
                        .budget(perJob(tokens(100))));
        var job = submit(1).getFirst();
        stage.until(job, JobState.WAITING);
        assertThat(gate().name()).isEqualTo("budget/job/w/job-0");
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.StepDone))
                .hasSize(2);
        stage.openGates();
        stage.until(() -> gate().closings() == 2);
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.StepDone))
                .as("200 allowed: stopped at 240")
                .hasSize(4);
        stage.openGates();
        stage.until(job, JobState.DONE);
    }

    @Test
    void what_children_cost_counts_for_the_callers_budget() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> {
                            run.call("c", CHILD, Key.of("c"), "in");
                            return use(run, "s", 1);
                        })
                        .budget(perJob(tokens(100))),
                CHILD.implementedBy((run, input) -> use(run, "s", 150)));
        var job = submit(1).getFirst();
        stage.until(() -> !stage.store.gates().isEmpty());
        stage.until(job, JobState.WAITING);
        assertThat(gate().closing()).asString().contains("100 tokens");
    }

    @Test
    void a_days_budget_lets_what_runs_finish_and_opens_by_itself_the_next_day() {
        stage.work(
                actor,
                GatesTest::seldom,
                W.implementedBy((run, input) -> {
                            use(run, "a", 100);
                            run.sleep("a-while", Duration.ofMinutes(1));
                            return use(run, "b", 100);
                        })
                        .budget(perDay(tokens(1_500))));
        var jobs = submit(20);
        stage.until(() -> all(jobs, JobState.WAITING) && !stage.store.gates().isEmpty());
        var gate = gate();
        assertThat(gate.name()).isEqualTo("budget/day/w");
        assertThat(gate.text(20, ""))
                .contains("opens by itself at " + LocalTimeText.of(Instant.parse("2026-04-13T00:00:00Z")));
        stage.forAWhile(Duration.ofHours(3));
        var doneToday = jobs.stream()
                .filter(job -> stage.job(job).state() == JobState.DONE)
                .count();
        assertThat(doneToday).isLessThan(20);
        var stepsToday = steps(jobs);
        stage.forAWhile(Duration.ofHours(20));
        assertThat(steps(jobs)).as("it went on at midnight").isGreaterThan(stepsToday);
        stage.until(() -> all(jobs, JobState.DONE));
        assertThat(gate().raised().times()).as("nobody had to open it").isZero();
    }

    private long steps(List<Identity> jobs) {
        return jobs.stream()
                .flatMap(job -> stage.journal(job).stream())
                .filter(e -> e instanceof Entry.StepDone)
                .count();
    }

    @Test
    void more_that_a_person_allows_on_one_day_is_not_allowed_on_the_next() {
        stage.work(
                actor,
                GatesTest::seldom,
                W.implementedBy((run, input) -> {
                            for (var i = 0; i < 40; i++) {
                                use(run, "s" + i, 100);
                            }
                            return "done";
                        })
                        .budget(perDay(tokens(1_000))));
        var job = submit(1).getFirst();
        stage.until(() -> !stage.store.gates().isEmpty());
        stage.openGates();
        stage.until(() -> gate().closings() == 2);
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.StepDone))
                .hasSize(20);
        stage.forAWhile(Duration.ofHours(23));
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.StepDone))
                .as("a day's worth more, not two")
                .hasSize(30);
    }

    @Test
    void a_workflows_budget_that_was_raised_in_the_code_opens_by_itself() {
        stage.work(actor, W.implementedBy(GatesTest::useTwice).budget(perWorkflow(tokens(100))));
        var jobs = submit(3);
        stage.until(() -> all(jobs, JobState.WAITING));
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy(GatesTest::useTwice).budget(perWorkflow(tokens(10_000))));
        stage.until(() -> all(jobs, JobState.DONE));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void a_use_whose_commit_is_under_way_while_somebody_looks_counts_once(int offset) {
        stage.work(
                actor,
                W.implementedBy((run, input) -> {
                            actor.pause(Duration.ofMillis(offset));
                            for (var i = 0; i < 400; i++) {
                                run.step("s" + i, String.class, () -> {
                                    actor.pause(Duration.ofMillis(6));
                                    run.use("m", 1, 0, 0, 0);
                                    return "used";
                                });
                            }
                            return "done";
                        })
                        .budget(perWorkflow(tokens(300))));
        var job = submit(1).getFirst();
        stage.until(job, JobState.WAITING);
        assertThat(stage.journal(job).stream().filter(e -> e instanceof Entry.StepDone))
                .hasSize(300);
        assertThat(stage.events("gate-closed")).hasSize(1);
    }

    @Test
    void a_gate_that_closes_while_somebody_looks_is_told_once() {
        for (var when = 950; when < 1_100; when++) {
            var then = Duration.ofMillis(when);
            var other = new Stage();
            var worker = other.actor("b");
            other.work(
                    worker,
                    W.implementedBy((run, input) -> run.step(named("pay").attempts(1), String.class, () -> {
                        var until = input.equals("first") ? then : then.plusMillis(3);
                        worker.pause(until.minusNanos(worker.process.nanos()));
                        throw new AccountTrouble("no credit");
                    })));
            var first = other.submit(W, "1", "first");
            var second = other.submit(W, "2", "second");
            other.until(first, JobState.WAITING);
            other.until(second, JobState.WAITING);
            assertThat(other.events("gate-closed")).as("after " + then).hasSize(1);
        }
    }

    @Test
    void a_gate_that_somebody_else_has_opened_meanwhile_is_not_told_of() {
        UnaryOperator<Store> slower = store -> new FaultyStore(store, (changes, wanted) -> {
            for (var change : changes) {
                if (change instanceof Change.OpenGate open) {
                    stage.apply(open);
                }
            }
            return FaultyStore.Fate.PASS;
        });
        stage.work(actor, W.implementedBy(GatesTest::useTwice).budget(perWorkflow(tokens(100))));
        var jobs = submit(3);
        stage.until(() -> all(jobs, JobState.WAITING));
        actor.process.crash();
        stage.work(
                stage.actor("b"),
                options -> options,
                slower,
                W.implementedBy(GatesTest::useTwice).budget(perWorkflow(tokens(10_000))));
        stage.until(() -> all(jobs, JobState.DONE));
        assertThat(stage.events("open-gate")).isEmpty();
    }

    @Test
    void a_budget_in_dollars_stops_when_nobody_can_tell_what_was_spent() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> {
                            use(run, "a", 1);
                            return use(run, "b", 1);
                        })
                        .budget(perJob(usd("5.00"))));
        var job = submit(1).getFirst();
        stage.until(job, JobState.WAITING);
        assertThat(gate().closing()).asString().contains("has no price");
        stage.openGates();
        stage.until(job, JobState.DONE);
    }

    @Test
    void an_items_gate_does_not_stop_the_others() {
        var open = new AtomicBoolean();
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.map("m", List.of("a", "b"), item -> item, (each, item) -> {
                            if (item.equals("b")) {
                                each.sleep("nap", Duration.ofHours(1));
                                return each.step("s", String.class, () -> item + calls.incrementAndGet());
                            }
                            return each.step(named("pay").through("bank"), String.class, () -> {
                                if (!open.get()) {
                                    throw new AccountTrouble("no credit");
                                }
                                return item;
                            });
                        })
                        .toString()));
        var job = submit(1).getFirst();
        stage.until(() -> calls.get() == 1);
        open.set(true);
        stage.openGates();
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"[a, b1]\"");
    }
}
