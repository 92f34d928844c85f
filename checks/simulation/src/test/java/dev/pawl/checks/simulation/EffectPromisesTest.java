package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Reworded;
import dev.pawl.effect.Verification;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.LeaseLost;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.Rejected;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an effect is promised. */
class EffectPromisesTest {

    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger acts = new AtomicInteger();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    @Test
    void the_intent_is_committed_before_the_act_and_the_answer_before_the_result() {
        var during = new ArrayList<Entry>();
        var job = run((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
            during.addAll(stage.journal(run.identity()));
            return "r";
        }));
        stage.until(job, JobState.DONE);
        assertThat(during).hasSize(1).first().isInstanceOf(Entry.Intended.class);
        assertThat(stage.journal(job)).anyMatch(e -> e instanceof Entry.Answered);
    }

    @Test
    void not_sent_is_tried_again_under_every_contract_and_rejected_is_not() {
        var job = run((run, input) -> {
            try {
                run.effect("rejected", none(), input, String.class, (request, a) -> {
                    throw new Rejected("400");
                });
            } catch (StepFailed failed) {
                return run.effect("e", none(), input, String.class, (request, a) -> {
                    if (acts.incrementAndGet() < 3) {
                        throw new NotSent("refused");
                    }
                    return failed.failure().message() + ", then sent by attempt " + a.number();
                });
            }
            return "never";
        });
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"400, then sent by attempt 3\"");
    }

    @Test
    void account_trouble_closes_a_gate_and_spends_nothing() {
        var job = run((run, input) -> run.effect(named("e").attempts(1), none(), input, String.class, (request, a) -> {
            if (acts.incrementAndGet() == 1) {
                throw new AccountTrouble("402");
            }
            return "ok";
        }));
        stage.until(job, JobState.WAITING);
        stage.openGates();
        stage.until(job, JobState.DONE);
    }

    @Test
    void an_idempotent_effect_in_doubt_is_sent_again_with_the_same_key() {
        var keys = new ArrayList<String>();
        var job = run((run, input) -> run.effect("e", idempotent(), input, String.class, (request, a) -> {
            keys.add(a.key());
            if (keys.size() < 3) {
                throw new IllegalStateException("no answer");
            }
            return "ok";
        }));
        stage.until(job, JobState.DONE);
        assertThat(keys).hasSize(3);
        assertThat(keys.stream().distinct()).hasSize(1);
    }

    @Test
    void an_idempotent_effect_whose_attempts_are_spent_in_doubt_asks_and_never_fails() {
        var job = run(
                (run, input) -> run.effect(named("e").attempts(2), idempotent(), input, String.class, (request, a) -> {
                    acts.incrementAndGet();
                    throw new IllegalStateException("no answer");
                }));
        stage.until(job, JobState.PAUSED);
        assertThat(acts).hasValue(2);
        assertThat(stage.question(job).because()).contains("no attempts are left");
    }

    @Test
    void verify_has_four_answers() {
        var said = new ArrayDeque<Verification<String>>(List.of(
                Verification.askAgain(Duration.ofSeconds(10)),
                Verification.cannotTell("broken"),
                Verification.askAgain(Duration.ofSeconds(10)),
                Verification.happened("found")));
        var job = run((run, input) ->
                run.effect("e", verifiable(a -> said.removeFirst()), input, String.class, (request, a) -> {
                    acts.incrementAndGet();
                    throw new IllegalStateException("no answer");
                }));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"found\"");
        assertThat(acts).hasValue(1);
        assertThat(said).isEmpty();
    }

    @Test
    void a_destination_that_cannot_tell_a_few_times_is_a_question() {
        var looks = new AtomicInteger();
        var job = run((run, input) -> run.effect(
                "e",
                verifiable(a -> {
                    looks.incrementAndGet();
                    throw new IllegalStateException("503");
                }),
                input,
                String.class,
                (request, a) -> {
                    throw new IllegalStateException("no answer");
                }));
        stage.until(job, JobState.PAUSED);
        assertThat(looks).hasValue(3);
        assertThat(stage.question(job).because()).contains("could not tell");
    }

    @Test
    void did_not_happen_acts_again_once_nothing_can_land_any_more() {
        var times = new ArrayList<Long>();
        var job = run((run, input) ->
                run.effect("e", verifiable(a -> Verification.didNotHappen()), input, String.class, (request, a) -> {
                    times.add(actor.process.nanos());
                    if (times.size() == 1) {
                        throw new IllegalStateException("no answer");
                    }
                    return "ok";
                }));
        stage.until(job, JobState.DONE);
        assertThat(Duration.ofNanos(times.get(1) - times.get(0)))
                .as("the act had ended, so only the settle time counts, not the deadline")
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(110));
    }

    @Test
    void both_contracts_together_act_again_while_the_key_is_remembered_and_verify_after() {
        var looks = new AtomicInteger();
        var contract = Contract.<String>idempotent(Duration.ofMinutes(1)).orVerifiable(a -> {
            looks.incrementAndGet();
            return Verification.happened("found");
        });
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.effect("e", contract, input, String.class, (request, a) -> {
                    acts.incrementAndGet();
                    actor.process.crash();
                    actor.pause(Duration.ofHours(1));
                    return "never";
                })));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> actor.process.crashed());
        stage.forAWhile(Duration.ofMinutes(5));
        var other = stage.actor("b");
        stage.work(
                other,
                W.implementedBy((run, input) -> run.effect("e", contract, input, String.class, (request, a) -> {
                    acts.incrementAndGet();
                    return "again";
                })));
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(1);
        assertThat(looks).hasValue(1);
    }

    @Test
    void another_request_while_an_attempt_is_open_is_a_question_and_afterwards_an_event() {
        var wording = new AtomicInteger();
        var job = run((run, input) -> {
            var sent =
                    run.effect("e", idempotent(), "mail " + wording.incrementAndGet(), String.class, (request, a) -> {
                        acts.incrementAndGet();
                        throw new IllegalStateException("no answer");
                    });
            return run.step("s", String.class, () -> sent);
        });
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.DRIFT);
        assertThat(acts).as("not a second mail").hasValue(1);
        stage.decide(job, Verdict.DONE, "\"sent\"");
        stage.until(job, JobState.DONE);
        assertThat(stage.events("drifted")).isNotEmpty();
        assertThat(stage.result(job)).isEqualTo("\"sent\"");
    }

    @Test
    void an_act_that_returned_has_happened_whatever_becomes_of_its_result() {
        var job = run((run, input) -> {
            run.effect("e", idempotent(), input, Object.class, (request, a) -> {
                acts.incrementAndGet();
                var endless = new ArrayList<Object>();
                endless.add(endless);
                return endless;
            });
            return "went on";
        });
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
        assertThat(stage.decide(job, Verdict.RETRY, null))
                .as("it happened: there is no retry")
                .isInstanceOf(Applied.Refused.class);
        stage.decide(job, Verdict.SKIP, null);
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(1);
    }

    @Test
    void a_person_can_give_an_effect_in_doubt_up_and_the_workflow_is_told() {
        var job = run((run, input) -> {
            try {
                return run.effect("e", none(), input, String.class, (request, a) -> {
                    throw new IllegalStateException("no answer");
                });
            } catch (StepFailed failed) {
                return failed.failure().message();
            }
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.FAIL, null);
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).contains("given up by anna");
    }

    @Test
    void what_nobody_knows_is_given_up_as_ambiguous_and_so_is_the_call_of_a_job_that_failed_of_it() {
        var mailing = Workflow.named("mailing", String.class, String.class);
        stage.work(
                actor,
                mailing.implementedBy((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
                    throw new IllegalStateException("no answer");
                })),
                W.implementedBy((run, input) -> run.call("mailing", mailing, Key.of("x"), input)));
        var caller = stage.submit(W, "x", "in");
        var child = new Identity("mailing", Key.of("x"));
        stage.until(() -> stage.store.find(child).isPresent());
        stage.until(child, JobState.PAUSED);
        stage.decide(child, Verdict.FAIL, null);
        stage.until(caller, JobState.FAILED);
        assertThat(failed(child)).isEqualTo(FailureClass.AMBIGUOUS);
        assertThat(failed(caller)).isEqualTo(FailureClass.AMBIGUOUS);
    }

    /** What once was written down with more in it. */
    record Shorter(String to) implements Reworded {
        @Override
        public Object earlier() {
            return Map.of("to", to, "everything", "else");
        }
    }

    @Test
    void an_attempt_with_an_earlier_form_of_the_same_request_is_no_drift() {
        stage.work(
                actor,
                W.implementedBy((run, input) ->
                        run.effect("e", idempotent(), new Shorter(input).earlier(), String.class, (request, a) -> {
                            actor.process.crash();
                            throw new IllegalStateException("no answer");
                        })));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> actor.process.crashed());
        stage.work(
                stage.actor("b"),
                W.implementedBy((run, input) ->
                        run.effect("e", idempotent(), new Shorter(input), String.class, (request, a) -> "sent")));
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job)).noneMatch(entry -> entry instanceof Entry.Asked);
        assertThat(stage.events("drifted")).isEmpty();
    }

    private FailureClass failed(Identity job) {
        return Objects.requireNonNull(stage.job(job).outcome().failure())
                .failure()
                .kind();
    }

    @Test
    void a_job_given_up_in_doubt_and_retried_is_in_doubt_again() {
        var job = run((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
            acts.incrementAndGet();
            throw new IllegalStateException("no answer");
        }));
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.FAIL, null);
        stage.until(job, JobState.FAILED);
        stage.apply(new Change.RetryJob(stage.job(job).id(), stage.newId(), Stage.ANNA));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.IN_DOUBT);
        assertThat(acts).as("nobody has said that it did not happen").hasValue(1);
    }

    @Test
    void a_late_workers_answer_settles_what_a_person_was_asked_about() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
                    actor.process.freeze(Duration.ofMinutes(3), false);
                    actor.process.pauseQuietly(Duration.ofMillis(1));
                    acts.incrementAndGet();
                    return "late";
                })));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> actor.process.frozen());
        var other = stage.actor("b");
        stage.work(
                other,
                W.implementedBy((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
                    acts.incrementAndGet();
                    return "again";
                })));
        stage.until(job, JobState.PAUSED);
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"late\"");
        assertThat(acts).hasValue(1);
    }

    @Test
    void a_result_that_is_too_large_has_happened_and_is_not_repeated() {
        var job = run((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
            acts.incrementAndGet();
            return "x".repeat((4 << 20) + 1);
        }));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
        stage.decide(job, Verdict.DONE, "\"short\"");
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(1);
        assertThat(stage.result(job)).isEqualTo("\"short\"");
    }

    @Test
    void a_person_who_retries_a_rejected_effect_gets_it_tried() {
        var job = run((run, input) -> run.effect(named("e").attempts(1), none(), input, String.class, (request, a) -> {
            if (acts.incrementAndGet() == 1) {
                throw new Rejected("401");
            }
            return "ok";
        }));
        stage.until(job, JobState.FAILED);
        stage.apply(new Change.RetryJob(stage.job(job).id(), stage.newId(), Stage.ANNA));
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(2);
    }

    @Test
    void a_mended_account_does_not_say_that_an_earlier_attempt_did_not_happen() {
        var job = run((run, input) ->
                run.effect("e", idempotent(Duration.ofHours(1)), input, String.class, (request, a) -> {
                    if (acts.incrementAndGet() == 1) {
                        throw new IllegalStateException("no answer, and it happened");
                    }
                    throw new AccountTrouble("402");
                }));
        stage.until(() -> acts.get() == 2);
        stage.until(job, JobState.WAITING);
        stage.forAWhile(Duration.ofHours(3));
        stage.openGates();
        stage.until(() ->
                stage.job(job).state() == JobState.PAUSED && stage.question(job).kind() == QuestionKind.IN_DOUBT);
        assertThat(acts).as("the key is forgotten by now, so nothing is sent").hasValue(2);
    }

    @Test
    void an_effect_that_became_a_step_keeps_its_doubt() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
                    actor.process.crash();
                    actor.pause(Duration.ofHours(1));
                    return "never";
                })));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> actor.process.crashed());
        var other = stage.actor("b");
        stage.work(
                other,
                W.implementedBy((run, input) -> run.step("e", String.class, () -> {
                    acts.incrementAndGet();
                    return "as a step";
                })));
        stage.until(job, JobState.PAUSED);
        assertThat(acts).hasValue(0);
        stage.decide(job, Verdict.RETRY, null);
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(1);
    }

    @Test
    void values_that_ride_are_not_lost_when_an_answer_comes_first() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
                    actor.process.freeze(Duration.ofMinutes(4), false);
                    actor.process.pauseQuietly(Duration.ofMillis(1));
                    return "late";
                })));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> actor.process.frozen());
        var ids = new ArrayList<String>();
        var other = stage.actor("b");
        var tries = new AtomicInteger();
        stage.work(other, W.implementedBy((run, input) -> {
            ids.add(run.uuid("id").toString());
            run.effect("e", none(), input, String.class, (request, a) -> "never");
            return run.step("s", String.class, () -> {
                if (tries.incrementAndGet() == 1) {
                    throw new IllegalStateException("once more from the top");
                }
                return "ok";
            });
        }));
        stage.until(job, JobState.DONE);
        assertThat(ids.stream().distinct())
                .as("noted before the question was asked, kept ever after")
                .hasSize(1);
    }

    @Test
    void code_that_throws_lease_lost_itself_does_not_strand_its_job() {
        var job = run((run, input) -> {
            if (acts.incrementAndGet() == 1) {
                throw new LeaseLost("says the user's code");
            }
            return "ok";
        });
        stage.until(job, JobState.DONE);
    }

    @Test
    void a_new_effect_acts_when_every_recorded_one_was_met() {
        stage.work(actor, W.implementedBy((run, input) -> {
            run.effect("one", none(), input, String.class, (request, a) -> "1");
            return run.step("crash", String.class, () -> {
                actor.process.crash();
                actor.pause(Duration.ofHours(1));
                return "never";
            });
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> actor.process.crashed());
        var other = stage.actor("b");
        stage.work(
                other,
                W.implementedBy((run, input) -> run.effect("one", none(), input, String.class, (request, a) -> "never")
                        + run.effect("two", none(), input, String.class, (request, a) -> "2")));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"12\"");
    }
}
