package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Verification;
import dev.pawl.failure.EndedInDoubt;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.OutOfReach;
import dev.pawl.failure.ResultNotKept;
import dev.pawl.failure.StillGoing;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is promised of an act that goes on although its worker is gone. */
class OutlivingTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final TypeToken<String> TEXT = TypeToken.of(String.class);
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final Stage stage = new Stage();
    private final Stage.Actor first = stage.actor("a");
    private final Stage.Actor second = stage.actor("b");
    private final List<String> seen = new ArrayList<>();

    /** An act that says what it is told to, and notes which attempts it saw. */
    private final class Scripted implements Job.Outliving<String, String> {
        private final Callable<String> acts;
        private final Callable<String> pickedUp;

        private Scripted(Callable<String> acts, Callable<String> pickedUp) {
            this.acts = acts;
            this.pickedUp = pickedUp;
        }

        @Override
        public void prepare(String request, Attempt attempt) {
            seen.add("prepare " + attempt.number());
        }

        @Override
        public String act(String request, Attempt attempt) throws Exception {
            seen.add("act " + attempt.number() + " under " + attempt.fence());
            return acts.call();
        }

        @Override
        public String pickUp(String request, Attempt attempt) throws Exception {
            seen.add("pick up " + attempt.number() + " under " + attempt.fence());
            return pickedUp.call();
        }
    }

    private Identity dies(Contract<String> contract, Callable<String> pickedUp, Callable<String> later) {
        var acts = new AtomicInteger();
        Workflow.Body<String, String> body = (run, input) -> run.effect(
                named("e").timeout(TIMEOUT).attempts(2),
                contract,
                input,
                TEXT,
                new Scripted(
                        () -> {
                            if (acts.incrementAndGet() > 1) {
                                return later.call();
                            }
                            first.pause(Duration.ofDays(1));
                            return "never";
                        },
                        pickedUp));
        stage.work(first, W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> acts.get() == 1);
        first.process.crash();
        stage.work(second, W.implementedBy(body));
        return job;
    }

    /** Goes on until somebody wants it to end, and then says this. */
    private Callable<String> untilInterrupted(Exception says) {
        return () -> {
            try {
                first.pause(Duration.ofDays(1));
            } catch (InterruptedException e) {
                throw says;
            }
            return "never";
        };
    }

    private static String outOfReach() throws OutOfReach {
        throw new OutOfReach("its minder is gone");
    }

    @Test
    void what_a_dead_worker_began_is_picked_up_and_its_result_is_the_attempts_own() {
        var job = dies(none(), () -> "found", () -> "again");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"found\"");
        assertThat(seen).containsExactly("prepare 1", "act 1 under 1", "pick up 1 under 1");
    }

    @Test
    void what_certainly_did_not_happen_is_done_again_under_any_contract() {
        var job = dies(
                none(),
                () -> {
                    throw new NotSent("never started");
                },
                () -> "again");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"again\"");
        assertThat(seen).contains("prepare 2").doesNotContain("pick up 2");
    }

    @Test
    void out_of_reach_and_without_a_contract_it_asks_and_says_why() {
        var job = dies(none(), OutlivingTest::outOfReach, () -> "again");
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).because()).contains("its minder is gone");
        var begun = stage.journal(job).stream()
                .filter(Entry.Intended.class::isInstance)
                .count();
        assertThat(begun).isEqualTo(1);
    }

    @Test
    void out_of_reach_an_idempotent_one_is_sent_again_at_once() {
        var job = dies(idempotent(), OutlivingTest::outOfReach, () -> "again");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"again\"");
    }

    /** The kernel knows that the first worker is gone; its command is not, and may send until its time is up. */
    @Test
    void the_death_of_its_worker_does_not_end_an_act_that_outlives_it() {
        var asked = new ArrayList<Duration>();
        var start = stage.now();
        var job = dies(
                verifiable(a -> {
                    asked.add(Duration.between(start, stage.now()));
                    return Verification.didNotHappen();
                }),
                OutlivingTest::outOfReach,
                () -> "again");
        stage.until(job, JobState.DONE);
        assertThat(asked.getLast()).isGreaterThan(TIMEOUT.plus(Contract.USUAL_SETTLE));
    }

    @Test
    void an_act_that_is_known_to_have_ended_in_doubt_sends_nothing_more() {
        var start = stage.now();
        var job = dies(
                verifiable(a -> Verification.didNotHappen()),
                () -> {
                    throw new EndedInDoubt("exit 79");
                },
                () -> "again");
        stage.until(job, JobState.DONE);
        assertThat(Duration.between(start, stage.now())).isLessThan(TIMEOUT);
        assertThat(seen.stream().filter(one -> one.startsWith("pick up"))).hasSize(1);
        assertThat(stage.journal(job)).anyMatch(Entry.ActEnded.class::isInstance);
    }

    /** A laptop slept, a clock jumped: the deadline has passed, and the command is seen to run. */
    @Test
    void what_is_seen_to_go_on_is_looked_at_again_and_nothing_is_concluded() {
        var looks = new AtomicInteger();
        var asked = new AtomicInteger();
        var job = dies(
                verifiable(a -> {
                    asked.incrementAndGet();
                    return Verification.didNotHappen();
                }),
                () -> {
                    if (looks.incrementAndGet() < 50) {
                        throw new StillGoing("it still runs");
                    }
                    return "found";
                },
                () -> "again");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"found\"");
        assertThat(asked).hasValue(0);
    }

    /** A worker that stops does not wait for a command; whoever takes the job over goes on with it. */
    @Test
    void a_worker_that_stops_leaves_it_running_for_the_next_one() {
        Workflow.Body<String, String> body = (run, input) -> run.effect(
                named("e").timeout(TIMEOUT),
                Contract.<String>none(),
                input,
                TEXT,
                new Scripted(untilInterrupted(new OutOfReach("it goes on")), () -> "found"));
        stage.work(first, Duration.ofSeconds(1), W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> !seen.isEmpty());
        first.shutDown();
        stage.until(job, JobState.READY);
        stage.work(second, W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"found\"");
    }

    @Test
    void one_that_could_not_be_prepared_begins_no_attempt_and_is_prepared_again_after_a_while() {
        var prepared = new AtomicInteger();
        stage.work(
                first,
                W.implementedBy((run, input) -> run.effect(
                        named("e"), Contract.<String>none(), input, TEXT, new Job.Outliving<String, String>() {
                            @Override
                            public void prepare(String request, Attempt attempt) {
                                seen.add("prepare " + attempt.number());
                                if (prepared.incrementAndGet() <= 20) {
                                    throw new IllegalStateException("the disk is full");
                                }
                            }

                            @Override
                            public String act(String request, Attempt attempt) {
                                return "attempt " + attempt.number();
                            }

                            @Override
                            public String pickUp(String request, Attempt attempt) {
                                return "nobody asks";
                            }
                        })));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        assertThat(stage.journal(job)).noneMatch(Entry.Intended.class::isInstance);
        assertThat(stage.store.gates())
                .singleElement()
                .satisfies(gate -> assertThat(gate.text(1, ""))
                        .contains(
                                "e could not be laid out: IllegalStateException: the disk is full",
                                "it opens by itself"));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).as("none was spent").isEqualTo("\"attempt 1\"");
        assertThat(seen).hasSize(21).containsOnly("prepare 1");
    }

    @Test
    void a_step_is_told_the_same_attempt_after_a_crash_and_the_next_one_after_a_failure() {
        Workflow.Body<String, String> body = (run, input) -> run.step(named("s"), TEXT, attempt -> {
            seen.add(attempt.number() + " " + attempt.key());
            if (seen.size() == 1) {
                first.pause(Duration.ofDays(1));
            }
            if (seen.size() == 2) {
                throw new IllegalStateException("broken");
            }
            return "done";
        });
        stage.work(first, W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> seen.size() == 1);
        first.process.crash();
        stage.work(second, W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(seen).hasSize(3);
        assertThat(seen.get(0)).isEqualTo(seen.get(1)).startsWith("1 ");
        assertThat(seen.get(2)).startsWith("2 ").endsWith(seen.get(0).substring(2));
    }

    @Test
    void what_attempts_wrote_is_kept_with_each_of_them_and_a_resume_does_not_read_it() {
        stage.work(first, W.implementedBy((run, input) -> {
            run.step(named("s"), TEXT, attempt -> {
                run.log("x".repeat(Entry.Logged.MOST_CHARS));
                run.log("step " + attempt.number());
                if (attempt.number() == 1) {
                    throw new IllegalStateException("broken");
                }
                return "done";
            });
            return run.effect("e", Contract.<String>none(), input, String.class, (request, a) -> {
                run.log("effect");
                return "done";
            });
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        var logs = stage.journal(job).stream()
                .filter(Entry.Logged.class::isInstance)
                .map(Entry.Logged.class::cast)
                .toList();
        assertThat(logs).extracting(Entry.Logged::number).containsExactly(1, 2, 1);
        assertThat(logs).allMatch(log -> log.text().length() <= Entry.Logged.MOST_CHARS);
        assertThat(logs.get(0).text()).endsWith("step 1");
        assertThat(logs.get(2).text()).isEqualTo("effect");
    }

    @Test
    void a_log_is_written_inside_a_step_or_an_effect() {
        stage.work(first, W.implementedBy((run, input) -> {
            run.log("nobody's");
            return "never";
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(job).outcome().failure())
                        .failure()
                        .message())
                .contains("logs outside a step");
    }

    @Test
    void a_person_who_says_retry_is_believed_when_it_can_no_longer_be_sent() {
        var start = stage.now();
        var job = dies(none(), OutlivingTest::outOfReach, () -> "again");
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.RETRY, null);
        stage.until(job, JobState.DONE);
        assertThat(Duration.between(start, stage.now())).isGreaterThan(TIMEOUT);
        assertThat(stage.result(job)).isEqualTo("\"again\"");
    }

    @Test
    void an_act_whose_time_is_up_while_it_goes_on_is_picked_up_later_by_the_same_worker() {
        Workflow.Body<String, String> body = (run, input) -> run.effect(
                named("e").timeout(TIMEOUT),
                Contract.<String>none(),
                input,
                TEXT,
                new Scripted(untilInterrupted(new StillGoing("it goes on")), () -> "found"));
        stage.work(first, W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"found\"");
    }

    @Test
    void what_is_out_of_reach_in_the_same_run_is_asked_about_and_not_picked_up() {
        stage.work(
                first,
                W.implementedBy((run, input) -> run.effect(
                        named("e"),
                        Contract.<String>none(),
                        input,
                        TEXT,
                        new Scripted(OutlivingTest::outOfReach, () -> "found"))));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.PAUSED);
        assertThat(seen).containsExactly("prepare 1", "act 1 under 1");
    }

    @Test
    void code_that_no_longer_knows_how_to_pick_it_up_settles_it_by_its_contract() {
        Workflow.Body<String, String> before = (run, input) -> run.effect(
                named("e"),
                Contract.<String>none(),
                input,
                TEXT,
                new Scripted(
                        () -> {
                            first.pause(Duration.ofDays(1));
                            return "never";
                        },
                        () -> "found"));
        stage.work(first, W.implementedBy(before));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> seen.size() == 2);
        first.process.crash();
        stage.work(
                second,
                W.implementedBy((run, input) ->
                        run.effect(named("e"), Contract.<String>none(), input, TEXT, (request, a) -> "again")));
        stage.until(job, JobState.PAUSED);
    }

    @Test
    void one_that_is_cut_short_while_it_is_laid_out_is_laid_out_by_the_next_worker_and_closes_no_gate() {
        Workflow.Body<String, String> body = (run, input) ->
                run.effect(named("e"), Contract.<String>none(), input, TEXT, new Job.Outliving<String, String>() {
                    @Override
                    public void prepare(String request, Attempt attempt) throws Exception {
                        seen.add("prepare " + attempt.number());
                        if (seen.size() == 1) {
                            first.pause(Duration.ofMinutes(1));
                        }
                    }

                    @Override
                    public String act(String request, Attempt attempt) {
                        return "attempt " + attempt.number();
                    }

                    @Override
                    public String pickUp(String request, Attempt attempt) {
                        return "nobody asks";
                    }
                });
        stage.work(first, Duration.ofSeconds(1), W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> !seen.isEmpty());
        first.shutDown();
        stage.until(job, JobState.READY);
        assertThat(stage.store.gates()).isEmpty();
        stage.work(second, W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"attempt 1\"");
        assertThat(seen).containsExactly("prepare 1", "prepare 1");
    }

    @Test
    void what_is_picked_up_and_says_nothing_that_can_be_kept_has_happened_and_its_result_is_asked_for() {
        var job = dies(
                none(),
                () -> {
                    throw new ResultNotKept("the disk is full");
                },
                () -> "again");
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
        stage.decide(job, Verdict.DONE, "\"as anna saw it\"");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"as anna saw it\"");
        assertThat(seen).containsExactly("prepare 1", "act 1 under 1", "pick up 1 under 1");
    }
}
