package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Decision;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Verification;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.Rejected;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Interleavings that were found by searching a small model of the protocol, each kept away by a test named after it. */
class InterleavingsTest {

    private static final Workflow<String, String> MAIL = Workflow.named("mail", String.class, String.class);
    private static final Duration SETTLE = Duration.ofSeconds(60);

    private final Stage stage = new Stage();
    private final List<String> landed = new ArrayList<>();

    private Verification<String> lookUp(Attempt attempt) {
        return landed.contains(attempt.key()) ? Verification.happened("found") : Verification.didNotHappen();
    }

    private Contract<String> asked() {
        return verifiable(this::lookUp);
    }

    /** A body that sends one mail, acting as given. */
    private Workflow.Implementation<String, String> sending(Contract<String> contract, Job.Effect<String, String> act) {
        return MAIL.implementedBy((job, input) -> job.effect("send", contract, input, String.class, act));
    }

    private String land(Attempt attempt) {
        landed.add(attempt.key());
        return "sent by " + attempt.number();
    }

    // ---- 1

    @Test
    void frozen_between_check_and_send_for_less_than_the_deadline_nothing_happens_twice() {
        var a = stage.actor("a");
        var b = stage.actor("b");
        stage.work(a, sending(asked(), (request, attempt) -> {
            a.process.freeze(Duration.ofSeconds(90), false);
            a.pause(Duration.ofMillis(1));
            return land(attempt);
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.frozen());
        stage.work(b, sending(asked(), (request, attempt) -> land(attempt)));
        stage.until(job, JobState.DONE);

        assertThat(landed)
                .as("B asked, was told no, and waited until A could no longer have sent")
                .hasSize(1);
        assertThat(stage.events("took-over")).hasSize(1);
    }

    @Test
    void frozen_between_check_and_send_for_longer_than_every_deadline_is_reported_as_duplicated() {
        var a = stage.actor("a");
        var b = stage.actor("b");
        stage.work(a, sending(asked(), (request, attempt) -> {
            a.process.freeze(Duration.ofMinutes(10), false);
            a.process.pauseQuietly(Duration.ofMillis(1));
            return land(attempt);
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.frozen());
        stage.work(b, sending(asked(), (request, attempt) -> land(attempt)));
        stage.until(job, JobState.DONE);
        assertThat(landed).hasSize(1);
        stage.until(() -> !stage.events("duplicated").isEmpty());

        assertThat(landed).as("no store can stop it").hasSize(2);
        assertThat(stage.journal(job)).anyMatch(entry -> entry instanceof Entry.Duplicated);
        assertThat(stage.job(job).state()).isEqualTo(JobState.DONE);
        assertThat(stage.store.duplicated(10)).hasSize(1);
    }

    /** A worker that stands still before it sends, sends long after others have ceased to wait, and hears no answer. */
    private void standsStillAndHearsNothing(Stage.Actor a, boolean machineSleeps) {
        stage.work(a, sending(asked(), (request, attempt) -> {
            a.process.freeze(Duration.ofMinutes(10), machineSleeps);
            a.process.pauseQuietly(Duration.ofMillis(1));
            land(attempt);
            throw new IllegalStateException("no answer");
        }));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sent_late_and_unheard_is_reported_where_the_effect_was_done_again_meanwhile(boolean machineSleeps) {
        var a = stage.actor("a");
        standsStillAndHearsNothing(a, machineSleeps);
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.frozen());
        stage.work(stage.actor("b"), sending(asked(), (request, attempt) -> land(attempt)));
        stage.until(job, JobState.DONE);
        stage.until(() -> !stage.events("duplicated").isEmpty());

        assertThat(landed).as("no store can stop it").hasSize(2);
        assertThat(stage.journal(job)).anyMatch(entry -> entry instanceof Entry.Duplicated twice && twice.unheard());
        assertThat(stage.store.duplicated(10)).hasSize(1);
    }

    @Test
    void sent_late_and_unheard_is_looked_for_once_more_where_nothing_was_done_meanwhile() {
        var a = stage.actor("a");
        standsStillAndHearsNothing(a, false);
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.frozen());
        var b = stage.actor("b");
        stage.work(b, sending(asked(), (request, attempt) -> {
            throw new NotSent("refused", Duration.ofMinutes(30), null);
        }));
        stage.until(() -> landed.size() == 1);
        stage.until(job, JobState.DONE);
        assertThat(landed).as("it was found there, and not sent again").hasSize(1);
        assertThat(stage.journal(job))
                .anyMatch(entry -> entry instanceof Entry.Answered late && late.answer() instanceof Answer.Late)
                .noneMatch(entry -> entry instanceof Entry.Duplicated);
    }

    @Test
    void a_duplicate_that_is_known_while_the_store_cannot_be_told_is_reported_as_soon_as_it_can() {
        var a = stage.actor("a");
        UnaryOperator<Store> deafAtFirst = store -> new DelegatingStore(store) {
            @Override
            public Exchanged exchange(List<Change> changes, Wanted wanted) {
                if (stage.events("lease-lost").isEmpty()
                        && changes.stream().anyMatch(change -> change instanceof Change.AnswerAttempt)) {
                    throw new StoreFailure(StoreFailure.Move.ASK_AGAIN, "planned: no answer", null);
                }
                return super.exchange(changes, wanted);
            }
        };
        stage.work(a, options -> options, deafAtFirst, sending(asked(), (request, attempt) -> {
            a.process.freeze(Duration.ofMinutes(10), false);
            a.process.pauseQuietly(Duration.ofMillis(1));
            return land(attempt);
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.frozen());
        stage.work(stage.actor("b"), sending(asked(), (request, attempt) -> land(attempt)));
        stage.until(job, JobState.DONE);
        stage.until(() -> !stage.events("duplicated").isEmpty());
        assertThat(stage.events("lease-lost"))
                .as("its answer was kept, and told later")
                .isNotEmpty();
        assertThat(stage.events("duplicated")).hasSize(1);
    }

    // ---- 2

    @Test
    void a_job_handed_back_while_its_request_is_in_the_socket_is_not_sent_again() {
        var a = stage.actor("a");
        var b = stage.actor("b");
        stage.work(a, Duration.ofSeconds(1), sending(asked(), (request, attempt) -> {
            stage.after(Duration.ofSeconds(8), () -> land(attempt));
            a.pause(Duration.ofSeconds(30));
            return "never read";
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.forAWhile(Duration.ofSeconds(1));
        a.shutDown();
        stage.until(() -> stage.job(job).state() == JobState.READY);
        stage.work(b, sending(asked(), (request, attempt) -> land(attempt)));
        stage.until(job, JobState.DONE);
        assertThat(landed).hasSize(1);
        assertThat(stage.result(job)).isEqualTo("\"found\"");
    }

    @Test
    void a_list_that_lags_is_not_believed_too_early() {
        var a = stage.actor("a");
        var visible = new ArrayList<String>();
        Contract<String> lagging = verifiable(attempt ->
                visible.contains(attempt.key()) ? Verification.happened("listed") : Verification.didNotHappen());
        stage.work(a, sending(lagging, (request, attempt) -> {
            land(attempt);
            stage.after(SETTLE.minusSeconds(1), () -> visible.add(attempt.key()));
            throw new IllegalStateException("connection reset");
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(job, JobState.DONE);
        assertThat(landed).hasSize(1);
        assertThat(stage.result(job)).isEqualTo("\"listed\"");
    }

    @Test
    void a_time_out_whose_thread_ignores_interrupts_does_not_let_the_job_go() {
        var a = stage.actor("a");
        var b = stage.actor("b");
        var running = new AtomicInteger();
        Workflow.Body<String, String> body =
                (job, input) -> job.step(named("stubborn").timeout(Duration.ofSeconds(5)), String.class, () -> {
                    assertThat(running.incrementAndGet())
                            .as("nobody else runs it meanwhile")
                            .isEqualTo(1);
                    a.process.pauseQuietly(Duration.ofMinutes(5));
                    running.decrementAndGet();
                    return "late, but there";
                });
        stage.work(a, MAIL.implementedBy(body));
        stage.work(b, MAIL.implementedBy(body));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"late, but there\"");
    }

    // ---- 3

    @Test
    void a_late_rejected_closes_only_its_own_attempt() {
        var a = stage.actor("a");
        var b = stage.actor("b");
        stage.work(a, sending(idempotent(), (request, attempt) -> {
            a.process.freeze(Duration.ofSeconds(60), false);
            a.pause(Duration.ofMillis(1));
            throw new Rejected("401");
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.frozen());
        stage.work(b, sending(idempotent(), (request, attempt) -> land(attempt)));
        stage.until(job, JobState.DONE);
        stage.forAWhile(Duration.ofMinutes(2));

        assertThat(stage.job(job).state()).isEqualTo(JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"sent by 2\"");
    }

    // ---- 4

    @Test
    void a_rejection_does_not_make_an_earlier_doubt_forgotten() {
        var a = stage.actor("a");
        stage.work(a, sending(idempotent(), (request, attempt) -> {
            if (attempt.number() == 1) {
                land(attempt);
                throw new IllegalStateException("timed out, and it happened");
            }
            throw new Rejected("401");
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(job, JobState.PAUSED);

        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.IN_DOUBT);
        assertThat(stage.apply(new Change.ResubmitJob(stage.job(job).id(), stage.newId(), Stage.ANNA)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(stage.decide(job, Verdict.DONE, "\"yes\"")).isInstanceOf(Applied.Now.class);
        stage.until(job, JobState.DONE);
        assertThat(landed).hasSize(1);
    }

    // ---- 5

    @Test
    void a_destination_that_has_forgotten_the_key_is_not_trusted_after_the_weekend() {
        var a = stage.actor("a");
        stage.work(a, sending(idempotent(Duration.ofHours(24)), (request, attempt) -> {
            land(attempt);
            a.process.freeze(Duration.ofSeconds(1), false);
            stage.after(Duration.ZERO, a.process::crash);
            a.pause(Duration.ofHours(1));
            return "never";
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.crashed());
        stage.forAWhile(Duration.ofDays(3));

        var b = stage.actor("b");
        stage.work(b, sending(idempotent(Duration.ofHours(24)), (request, attempt) -> land(attempt)));
        stage.until(job, JobState.PAUSED);
        assertThat(landed).hasSize(1);
        assertThat(stage.question(job).because()).contains("remembers keys for");
    }

    @Test
    void a_worker_with_a_wrong_clock_neither_trusts_a_forgotten_key_nor_believes_too_early() {
        var a = stage.actor("a");
        a.process.jump(Duration.ofHours(-30));
        stage.work(a, sending(idempotent(Duration.ofHours(24)), (request, attempt) -> {
            land(attempt);
            stage.after(Duration.ZERO, a.process::crash);
            a.pause(Duration.ofHours(1));
            return "never";
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.crashed());
        stage.forAWhile(Duration.ofHours(25));
        var b = stage.actor("b");
        b.process.jump(Duration.ofHours(-20));
        stage.work(b, sending(idempotent(Duration.ofHours(24)), (request, attempt) -> land(attempt)));
        stage.until(job, JobState.PAUSED);
        assertThat(landed)
                .as("25 hours later the key is forgotten, whatever the clock of b says")
                .hasSize(1);
    }

    @Test
    void a_worker_whose_clock_is_ahead_does_not_believe_too_early_that_nothing_happened() {
        var asked = new AtomicInteger();
        Contract<String> absent = Contract.<String>verifiable(attempt -> {
                    asked.incrementAndGet();
                    return landed.isEmpty() ? Verification.didNotHappen() : Verification.happened("there");
                })
                .settle(Duration.ofSeconds(60));
        var a = stage.actor("a");
        stage.work(a, sending(absent, (request, attempt) -> {
            stage.after(Duration.ofSeconds(40), () -> land(attempt));
            stage.after(Duration.ZERO, a.process::crash);
            a.pause(Duration.ofHours(1));
            return "never";
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.crashed());
        var b = stage.actor("b");
        b.process.jump(Duration.ofHours(5));
        stage.work(b, sending(absent, (request, attempt) -> land(attempt)));
        stage.until(job, JobState.DONE);
        assertThat(landed).as("it was on its way").hasSize(1);
        assertThat(asked.get()).isGreaterThan(1);
    }

    // ---- 6

    @Test
    void a_renamed_effect_is_asked_about_and_told_with_was_it_is_found() {
        var a = stage.actor("a");
        stage.work(a, MAIL.implementedBy((job, input) -> {
            job.effect("send", none(), input, String.class, (request, attempt) -> land(attempt));
            return job.step("then", String.class, () -> {
                a.process.crash();
                a.pause(Duration.ofHours(1));
                return "never";
            });
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.crashed());

        var b = stage.actor("b");
        stage.work(
                b,
                MAIL.implementedBy((run, input) ->
                        run.effect("send-mail", none(), input, String.class, (request, attempt) -> land(attempt))));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.CODE_CHANGED);
        assertThat(landed).hasSize(1);
        b.process.crash();

        var c = stage.actor("c");
        stage.work(
                c,
                MAIL.implementedBy((run, input) -> run.effect(
                        named("send-mail").was("send"),
                        none(),
                        input,
                        String.class,
                        (request, attempt) -> land(attempt))));
        stage.decide(job, Verdict.RETRY, null);
        stage.until(job, JobState.DONE);
        assertThat(landed).hasSize(1);
        assertThat(stage.result(job)).isEqualTo("\"sent by 1\"");
    }

    @Test
    void steps_that_moved_and_items_that_came_in_another_order_find_their_records() {
        var a = stage.actor("a");
        var runs = new ArrayList<String>();
        stage.work(a, MAIL.implementedBy((job, input) -> {
            for (var item : List.of("one", "two", "three")) {
                job.step(named("each").item(item), String.class, () -> {
                    runs.add(item);
                    return item;
                });
            }
            return job.step("last", String.class, () -> {
                a.process.crash();
                a.pause(Duration.ofHours(1));
                return "never";
            });
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.crashed());
        var b = stage.actor("b");
        stage.work(b, MAIL.implementedBy((run, input) -> {
            var first = run.step("last", String.class, () -> "moved up");
            var all = new StringBuilder(first);
            for (var item : List.of("three", "one", "four", "two")) {
                all.append(' ').append(run.step(named("each").item(item), String.class, () -> {
                    runs.add(item);
                    return item;
                }));
            }
            return all.toString();
        }));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"moved up three one four two\"");
        assertThat(runs).containsExactly("one", "two", "three", "four");
    }

    @Test
    void a_contract_edited_while_an_attempt_is_open_does_not_settle_it() {
        var a = stage.actor("a");
        stage.work(a, sending(none(), (request, attempt) -> {
            land(attempt);
            a.process.crash();
            a.pause(Duration.ofHours(1));
            return "never";
        }));
        var job = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.crashed());
        var b = stage.actor("b");
        stage.work(b, sending(idempotent(), (request, attempt) -> land(attempt)));
        stage.until(job, JobState.PAUSED);
        assertThat(landed).as("the open attempt was made without a contract").hasSize(1);
    }

    @Test
    void an_open_attempt_that_the_code_no_longer_comes_to_stops_the_next_effect_and_the_end() {
        var a = stage.actor("a");
        stage.work(a, sending(none(), (request, attempt) -> {
            land(attempt);
            a.process.crash();
            a.pause(Duration.ofHours(1));
            return "never";
        }));
        var one = stage.submit(MAIL, "x", "hello");
        stage.until(() -> a.process.crashed());
        var b = stage.actor("b");
        stage.work(
                b,
                MAIL.implementedBy((run, input) ->
                        run.effect("other", none(), input, String.class, (request, attempt) -> land(attempt))));
        stage.until(one, JobState.PAUSED);
        assertThat(stage.question(one).kind()).isEqualTo(QuestionKind.NO_LONGER_CALLED);
        b.process.crash();
        var c = stage.actor("c");
        stage.work(c, MAIL.implementedBy((run, input) -> "nothing to do"));
        stage.decide(one, Verdict.RETRY, null);
        stage.until(one, JobState.DONE);
        assertThat(landed).hasSize(1);
    }

    // ---- 7

    @Test
    void one_poisoned_job_fails_and_its_neighbours_are_not_punished() {
        var jobs = new ArrayList<Identity>();
        for (var i = 0; i < 12; i++) {
            jobs.add(stage.submit(MAIL, "n" + i, i == 5 ? "poison" : "fine"));
        }
        for (var boots = 0;
                boots < 30
                        && jobs.stream().anyMatch(job -> !stage.job(job).state().finished());
                boots++) {
            var actor = stage.actor("p" + boots);
            stage.work(
                    actor,
                    MAIL.implementedBy((job, input) -> job.step("go", String.class, () -> {
                        if (input.equals("poison")) {
                            actor.process.crash();
                        }
                        actor.pause(Duration.ofSeconds(1));
                        return input;
                    })));
            stage.forAWhile(Duration.ofMinutes(2));
        }
        for (var i = 0; i < 12; i++) {
            assertThat(stage.job(jobs.get(i)).state())
                    .as("job " + i)
                    .isEqualTo(i == 5 ? JobState.FAILED : JobState.DONE);
        }
        assertThat(stage.job(jobs.get(5)).standing().suspicion().strikes()).isEqualTo(3);
    }

    // ---- and what a person says too early

    @Test
    void a_persons_retry_waits_until_no_attempt_can_land_and_even_now_does_not() {
        var a = stage.actor("a");
        var acts = new ArrayList<Long>();
        stage.work(a, sending(none(), (request, attempt) -> {
            acts.add(a.process.nanos());
            if (attempt.number() == 1) {
                throw new IllegalStateException("no answer");
            }
            return land(attempt);
        }));
        var patient = stage.submit(MAIL, "patient", "hello");
        stage.until(patient, JobState.PAUSED);
        stage.decide(patient, Verdict.RETRY, null);
        stage.until(patient, JobState.DONE);
        assertThat(Duration.ofNanos(acts.get(1) - acts.get(0)))
                .as("the act had ended when the job asked, so only the settle time counts")
                .isBetween(SETTLE, SETTLE.plusSeconds(20));

        acts.clear();
        var hasty = stage.submit(MAIL, "hasty", "hello");
        stage.until(hasty, JobState.PAUSED);
        stage.decide(hasty, Decision.retry().evenNow().by(Stage.ANNA));
        stage.until(hasty, JobState.DONE);
        assertThat(Duration.ofNanos(acts.get(1) - acts.get(0))).isLessThan(SETTLE);
    }
}
