package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Use;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.effect.Verification;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.Rejected;
import dev.pawl.failure.ResultNotKept;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an effect does in rare company: of gates, approvals, late answers and odd destinations. */
class EffectCornersTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Place SENT = new Place("", "e", "");

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final AtomicInteger acts = new AtomicInteger();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    // ---- gates

    @Test
    void an_effect_whose_destination_wants_to_be_left_alone_waits_at_its_gate_with_all_others() {
        var job = run((run, input) ->
                run.effect(named("e").through("provider"), none(), input, String.class, (request, a) -> {
                    return switch (acts.incrementAndGet()) {
                        case 1 -> throw new NotSent("429", Duration.ofMinutes(10), null);
                        case 2 -> throw new NotSent("refused");
                        default -> "ok";
                    };
                }));
        stage.until(job, JobState.WAITING);
        assertThat(stage.job(job).outcome().gate()).isEqualTo("provider");
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(3);
    }

    @Test
    void a_step_through_a_gate_that_fails_without_a_wish_is_tried_again_in_its_own_time() {
        var job = run((run, input) -> run.step(named("s").through("provider"), String.class, () -> {
            if (acts.incrementAndGet() == 1) {
                throw new NotSent("refused");
            }
            return "ok";
        }));
        stage.until(job, JobState.DONE);
        assertThat(stage.store.gates()).isEmpty();
    }

    @Test
    void trouble_with_the_account_after_a_spent_attempt_waits_and_goes_on() {
        var job = run((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
            return switch (acts.incrementAndGet()) {
                case 1 -> throw new NotSent("refused");
                case 2 -> throw new AccountTrouble("402");
                default -> "ok";
            };
        }));
        stage.until(() -> stage.store.gates().stream().anyMatch(gate -> gate.closing() != null));
        stage.until(job, JobState.WAITING);
        stage.openGates();
        stage.until(job, JobState.DONE);
    }

    @Test
    void trouble_with_the_account_while_an_attempt_is_in_doubt_waits_and_forgets_no_doubt() {
        var job = run((run, input) -> run.effect("e", idempotent(), input, String.class, (request, a) -> {
            return switch (acts.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("no answer");
                case 2 -> throw new AccountTrouble("402");
                default -> "ok";
            };
        }));
        stage.until(() -> acts.get() == 2);
        stage.until(job, JobState.WAITING);
        stage.openGates();
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(3);
    }

    // ---- what it used

    @Test
    void what_an_attempt_in_doubt_used_is_kept() {
        var job = run((run, input) -> run.effect("e", idempotent(), input, String.class, (request, a) -> {
            run.use(Use.of("m").input(7));
            if (acts.incrementAndGet() == 1) {
                throw new IllegalStateException("no answer");
            }
            return "ok";
        }));
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job).stream().filter(entry -> entry instanceof Entry.Used))
                .hasSize(2);
    }

    // ---- approvals

    @Test
    void an_approval_is_of_the_request_that_the_effect_makes() {
        var job = run((run, input) -> {
            run.approve("e", "this", "may I?", Duration.ofHours(1));
            return run.effect("e", none(), "that", String.class, (request, a) -> "ok");
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.FAILED);
        assertThat(String.valueOf(stage.job(job).outcome().failure())).contains("another request");
    }

    @Test
    void an_approval_has_an_end() {
        var refused = new ArrayList<String>();
        var job = run((run, input) -> {
            for (var expires : List.of(Duration.ZERO, Duration.ofDays(400))) {
                try {
                    run.approve("e", "this", "may I?", expires);
                } catch (IllegalArgumentException e) {
                    refused.add(String.valueOf(e.getMessage()));
                }
            }
            run.approve("e", "this", "may I?", Duration.ofHours(1));
            return "";
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.DONE);
        assertThat(refused).filteredOn(why -> why.contains("within a year")).hasSize(4);
    }

    /** Until when the second attempt of an idempotent effect that needs a yes each time may begin, from the yes on. */
    private Duration goodFor(Duration expires, Duration memory) {
        var until = new ArrayList<Instant>();
        UnaryOperator<Store> watched = store -> new DelegatingStore(store) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                for (var change : changes) {
                    if (change instanceof Change.IntendEffectIfOwned intend) {
                        until.add(Objects.requireNonNull(intend.goodUntil()));
                    }
                }
                return super.exchange(changes, wanted);
            }

            @Override
            public void close() {}
        };
        stage.work(actor, options -> options, watched, W.implementedBy((run, input) -> {
            run.approve("e", input, "may I?", expires);
            return run.effect("e", idempotent(memory), input, String.class, (request, a) -> {
                if (acts.incrementAndGet() == 1) {
                    throw new IllegalStateException("no answer");
                }
                return "ok";
            });
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(() -> acts.get() == 1);
        stage.until(job, JobState.PAUSED);
        var asked = actor.process.now();
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.DONE);
        assertThat(acts).as("the first attempt used the yes up").hasValue(2);
        return Duration.between(asked, until.getLast());
    }

    @Test
    void an_attempt_begins_while_the_yes_is_good_although_the_key_is_remembered_for_longer() {
        assertThat(goodFor(Duration.ofHours(1), Duration.ofDays(2))).isLessThanOrEqualTo(Duration.ofHours(1));
    }

    @Test
    void an_attempt_begins_while_the_key_is_remembered_although_the_yes_is_good_for_longer() {
        assertThat(goodFor(Duration.ofDays(2), Duration.ofHours(1))).isLessThanOrEqualTo(Duration.ofHours(1));
    }

    // ---- looking

    @Test
    void a_look_up_that_returns_nothing_could_not_tell() {
        var looks = new AtomicInteger();
        var job = run((run, input) -> run.effect("e", verifiable(a -> nothing(looks)), input, String.class, (r, a) -> {
            throw new IllegalStateException("no answer");
        }));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.journal(job))
                .anyMatch(entry ->
                        entry instanceof Entry.CouldNotTell told && told.why().contains("returned null"));
        assertThat(looks.get()).isGreaterThan(1);
    }

    @SuppressWarnings("NullAway") // what a careless user writes
    private static Verification<String> nothing(AtomicInteger looks) {
        looks.incrementAndGet();
        return null;
    }

    @Test
    void a_destination_that_never_tells_is_a_question_at_last() {
        stage.apply(new Change.Enlist(99, "other", Duration.ofSeconds(30), Taking.of("w")));
        var job = stage.submit(W, "x", "in");
        var held = stage.store
                .exchange(List.of(), new Wanted(99, 1, Taking.of("w"), 1, true))
                .claimed()
                .getFirst()
                .job();
        var hold = new Change.Hold(held.id(), held.standing().fence());
        var fence = held.standing().fence();
        var intended = new Entry.Intended(
                SENT,
                1,
                Json.fingerprint("\"in\""),
                new Terms(null, true, Duration.ofMinutes(1)),
                Duration.ofMinutes(2));
        stage.apply(new Change.IntendEffectIfOwned(hold, Changes.owned(fence, 0), List.of(intended), null));
        stage.apply(new Change.RecordStepIfOwned(
                hold,
                Changes.owned(fence, 1),
                Collections.nCopies(1_000, new Entry.ToldToAskAgain(SENT, Duration.ofSeconds(1)))));
        stage.apply(new Change.ReleaseJob(
                hold,
                Changes.owned(fence, 1_001),
                List.of(new Entry.Released(fence, "why", Duration.ZERO)),
                Change.ReleaseJob.Until.HAND_BACK));
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.effect(
                        "e",
                        verifiable(a -> Verification.askAgain(Duration.ofSeconds(1))),
                        input,
                        String.class,
                        (request, a) -> "sent again " + acts.incrementAndGet())));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).because()).contains("asked 1000 times and never told");
        assertThat(acts).hasValue(0);
    }

    @Test
    void a_look_up_that_is_cut_short_is_nobodys_fault() {
        Workflow.Body<String, String> body = (run, input) -> run.effect(
                "e",
                verifiable(a -> {
                    if (acts.incrementAndGet() == 1) {
                        actor.pause(Duration.ofMinutes(1));
                    }
                    return Verification.happened("found");
                }),
                input,
                String.class,
                (request, a) -> {
                    throw new IllegalStateException("no answer");
                });
        stage.work(actor, Duration.ofSeconds(1), W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> acts.get() == 1);
        actor.shutDown();
        stage.until(job, JobState.READY);
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job)).noneMatch(entry -> entry instanceof Entry.CouldNotTell);
    }

    @Test
    void the_effects_own_word_stands_although_its_time_was_over() {
        var job = run((run, input) ->
                run.effect(named("e").timeout(Duration.ofSeconds(5)), none(), input, String.class, (request, a) -> {
                    if (acts.incrementAndGet() == 1) {
                        try {
                            actor.pause(Duration.ofMinutes(1));
                        } catch (InterruptedException e) {
                            throw new NotSent("it never left");
                        }
                    }
                    return "ok";
                }));
        stage.until(job, JobState.DONE);
        assertThat(acts).hasValue(2);
    }

    @Test
    void a_rejection_stands_although_its_time_was_over() {
        var job = run((run, input) ->
                run.effect(named("e").timeout(Duration.ofSeconds(5)), none(), input, String.class, (request, a) -> {
                    try {
                        actor.pause(Duration.ofMinutes(1));
                    } catch (InterruptedException e) {
                        throw new Rejected("400");
                    }
                    return "ok";
                }));
        stage.until(job, JobState.FAILED);
    }

    // ---- what a person said

    @Test
    void an_effect_that_a_person_says_is_done_without_a_result_gives_nothing() {
        var job = run((run, input) -> {
            var result = run.effect("e", none(), input, String.class, (request, a) -> {
                throw new IllegalStateException("no answer");
            });
            return "got " + (result == null ? "nothing" : result);
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.DONE, null);
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"got nothing\"");
    }

    // ---- what others did meanwhile

    /** A store in which something happens right before a change that fits. */
    private UnaryOperator<Store> before(Predicate<Change> fits, Runnable what) {
        var once = new AtomicBoolean(true);
        return store -> new DelegatingStore(store) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                if (changes.stream().anyMatch(fits) && once.compareAndSet(true, false)) {
                    what.run();
                }
                return super.exchange(changes, wanted);
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void an_attempt_is_not_begun_when_an_earlier_one_turns_out_to_have_happened() {
        var job = new Identity("w", Key.of("x"));
        UnaryOperator<Store> late = before(
                change -> change instanceof Change.IntendEffectIfOwned intend
                        && intend.intent().number() == 2,
                () -> stage.apply(new Change.AnswerAttempt(
                        stage.job(job).id(),
                        stage.newId(),
                        new Change.AttemptRef(0, SENT, 1),
                        Answer.happened("\"late\""),
                        Answer.Source.WORKER,
                        null)));
        stage.work(actor, options -> options, late, W.implementedBy((run, input) -> {
            run.random("rides-along");
            return run.effect("e", none(), input, String.class, (request, a) -> {
                acts.incrementAndGet();
                throw new NotSent("so it seemed");
            });
        }));
        stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"late\"");
        assertThat(acts).hasValue(1);
    }

    // ---- a store that refuses

    private static UnaryOperator<Store> refusing(Predicate<Change> fits, int times) {
        var left = new AtomicInteger(times);
        return store -> new DelegatingStore(store) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                if (changes.stream().anyMatch(fits) && left.getAndDecrement() > 0) {
                    return new Exchanged(
                            Collections.nCopies(
                                    changes.size(), (Applied) new Applied.Refused("the database refused it")),
                            List.of(),
                            null,
                            super.exchange(List.of(), Wanted.NOTHING).now());
                }
                return super.exchange(changes, wanted);
            }

            @Override
            public void close() {}
        };
    }

    private void refused(Predicate<Change> fits, @Nullable String expected) {
        stage.work(actor, options -> options, refusing(fits, 1), W.implementedBy((run, input) -> {
            run.step("s", String.class, () -> "");
            return run.effect("e", none(), input, String.class, (request, a) -> {
                if (acts.incrementAndGet() == 1) {
                    throw new NotSent("refused");
                }
                return "ok";
            });
        }));
        var job = stage.submit(W, "x", "in");
        if (expected == null) {
            stage.until(job, JobState.DONE);
        } else {
            stage.until(job, JobState.PAUSED);
            assertThat(stage.question(job).because()).contains(expected);
        }
    }

    @Test
    void a_result_that_the_store_refuses_has_happened_and_was_not_kept() {
        refused(
                change -> change instanceof Change.AnswerAttempt answer && answer.answer() instanceof Answer.Happened,
                "its result could not be kept");
        assertThat(stage.question(new Identity("w", Key.of("x"))).kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
    }

    @Test
    void an_answer_that_the_store_refuses_is_a_doubt() {
        refused(
                change ->
                        change instanceof Change.AnswerAttempt answer && answer.answer() instanceof Answer.DidNotHappen,
                "may have happened");
        assertThat(acts).hasValue(1);
    }

    @Test
    void a_record_that_the_store_refuses_is_tried_again() {
        refused(change -> change instanceof Change.RecordStepIfOwned, null);
        assertThat(stage.events("try-later")).hasSize(2);
    }

    @Test
    void an_end_that_the_store_refuses_breaks_the_run_and_another_goes_on() {
        refused(change -> change instanceof Change.FinishJob, null);
        assertThat(stage.events("broken")).hasSize(1);
        assertThat(stage.events("worker-lost")).hasSize(1);
    }

    /** Takes longer than it may, and is interrupted. */
    private static void untilItIsOver(Stage.Actor worker) {
        try {
            worker.pause(Duration.ofMinutes(1));
        } catch (InterruptedException over) {
            // It has something to say yet.
        }
    }

    @Test
    void what_an_act_says_of_itself_stands_however_late_it_says_so() {
        for (var says : List.of(new Rejected("no such account"), new NotSent("refused"))) {
            var late = new Stage();
            var worker = late.actor("a");
            var tries = new AtomicInteger();
            late.work(
                    worker,
                    W.implementedBy((run, input) -> run.effect(
                            named("e").timeout(Duration.ofSeconds(5)).attempts(1),
                            none(),
                            input,
                            String.class,
                            (request, a) -> {
                                tries.incrementAndGet();
                                untilItIsOver(worker);
                                throw says;
                            })));
            var job = late.submit(W, "x", "in");
            late.until(job, JobState.FAILED);
            assertThat(Objects.requireNonNull(late.job(job).outcome().failure())
                            .failure()
                            .message())
                    .contains(String.valueOf(says.getMessage()));
            assertThat(tries).as("nobody is in doubt").hasValue(1);
        }
    }

    @Test
    void a_result_that_could_not_be_kept_is_asked_for_however_late_that_is_known() {
        var job = run((run, input) ->
                run.effect(named("e").timeout(Duration.ofSeconds(5)), none(), input, String.class, (request, a) -> {
                    acts.incrementAndGet();
                    untilItIsOver(actor);
                    throw new ResultNotKept("the disk is full");
                }));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
        assertThat(stage.question(job).because()).contains("the disk is full");
        assertThat(acts).hasValue(1);
    }

    @Test
    void a_very_long_reason_for_which_a_result_was_not_kept_is_not_in_the_question() {
        var job = run((run, input) -> run.effect("e", none(), input, String.class, (request, a) -> {
            throw new ResultNotKept("full ".repeat(1_000));
        }));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).because()).isEqualTo("it happened, and its result could not be kept");
    }
}
