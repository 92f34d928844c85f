package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.none;
import static dev.pawl.job.Named.named;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Audit;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Verification;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.Rejected;
import dev.pawl.failure.StepFailed;
import dev.pawl.gate.GateNames;
import dev.pawl.job.Finding;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a job began elsewhere is ended there before a job ends that awaits it no more. */
class OwedEndTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Rhythm RHYTHM = Rhythm.every(ofSeconds(10), ofMinutes(5));
    private static final Audit ANNA = new Audit("anna", "enough");

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");

    /** A service at which sessions go on. */
    private final Set<String> begun = new LinkedHashSet<>();

    private final List<String> ended = new ArrayList<>();
    private final Set<String> endKeys = new LinkedHashSet<>();
    private int looks;

    private String begin(String topic, Attempt attempt) {
        begun.add("session-" + topic);
        return "session-" + topic;
    }

    private void end(String session, Attempt attempt) throws IOException {
        ended.add(session);
        endKeys.add(attempt.key());
    }

    private Contract<String> contract() {
        return Contract.<String>idempotent().awaitedAs("session", this::end);
    }

    private Finding<String> going() {
        looks++;
        return Finding.going();
    }

    /** Begins a session and awaits its end, which never comes. */
    private String session(Job job, String topic) {
        return awaited(job, job.effect("begin", contract(), topic, String.class, this::begin));
    }

    private String awaited(Job job, String session) {
        return session + " " + job.await("session", String.class, RHYTHM, this::going);
    }

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    private Applied cancel(Identity job) {
        return stage.apply(new Change.CancelJob(stage.job(job).id(), stage.newId(), ANNA));
    }

    private int owes(Identity job) {
        return stage.job(job).standing().owes();
    }

    @Test
    void a_job_that_is_called_off_while_it_waits_ends_what_goes_on_and_then_ends() {
        var job = run(this::session);
        stage.until(job, JobState.WAITING);
        stage.forAWhile(ofMinutes(10));
        assertThat(owes(job)).isEqualTo(1);
        var before = looks;
        cancel(job);
        assertThat(stage.job(job).state()).as("it does what it owes").isEqualTo(JobState.READY);
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-in");
        assertThat(looks).as("it is not looked at any more").isEqualTo(before);
        assertThat(owes(job)).isZero();
        assertThat(stage.journal(job)).filteredOn(Entry.Owes.class::isInstance).hasSize(1);
        assertThat(stage.journal(job))
                .filteredOn(Entry.OwesNoMore.class::isInstance)
                .hasSize(1);
    }

    @Test
    void what_has_ended_there_is_owed_nothing() {
        var job = run((run, input) -> {
            run.effect("begin", contract(), input, String.class, this::begin);
            var article = run.await("session", String.class, RHYTHM, () -> Finding.done("article"));
            run.sleep("settle", ofHours(1));
            return article;
        });
        stage.until(job, JobState.WAITING);
        assertThat(owes(job)).isZero();
        cancel(job);
        assertThat(stage.job(job).state()).isEqualTo(JobState.CANCELLED);
        assertThat(ended).isEmpty();
    }

    @Test
    void a_job_that_is_called_off_while_it_begins_or_looks_comes_back_at_once_and_ends_it() {
        var job = run((run, input) -> {
            var session = run.effect("begin", contract(), input, String.class, (topic, attempt) -> {
                actor.pause(ofSeconds(20));
                return begin(topic, attempt);
            });
            return session + run.await("session", String.class, RHYTHM, this::going);
        });
        stage.until(job, JobState.RUNNING);
        stage.forAWhile(ofSeconds(10));
        cancel(job);
        stage.until(job, JobState.CANCELLED);
        assertThat(begun).hasSize(1);
        assertThat(ended).containsExactly("session-in");

        var other = stage.submit(W, "looks", "other");
        stage.until(other, JobState.WAITING);
        stage.work(actor, W.implementedBy((run, input) -> {
            run.effect("begin", contract(), input, String.class, this::begin);
            return run.await("session", String.class, RHYTHM, () -> {
                cancel(other);
                return going();
            });
        }));
        stage.until(other, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-in", "session-other");
    }

    @Test
    void a_job_in_doubt_ends_what_the_answer_says_was_begun_and_nothing_that_was_not() {
        stage.work(
                actor,
                W.implementedBy((run, input) -> run.effect(
                        "begin",
                        Contract.<String>none().awaitedAs("session", this::end),
                        input,
                        String.class,
                        (topic, attempt) -> {
                            throw new IOException("connection reset");
                        })));
        var happened = stage.submit(W, "happened", "in");
        var not = stage.submit(W, "not", "in");
        stage.until(happened, JobState.PAUSED);
        stage.until(not, JobState.PAUSED);
        for (var job : List.of(happened, not)) {
            cancel(job);
            stage.until(job, JobState.PAUSED);
            assertThat(stage.job(job).standing().cancelling()).isTrue();
        }
        stage.decide(happened, Verdict.DONE, "\"session-7\"");
        stage.until(happened, JobState.CANCELLED);
        stage.decide(not, Verdict.FAIL, null);
        stage.until(not, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-7");
        assertThat(owes(not)).isZero();
    }

    @Test
    void what_is_in_doubt_is_looked_up_or_asked_with_its_key_once_more_before_it_is_ended_and_nothing_is_begun_anew() {
        var there = new LinkedHashSet<String>();
        stage.work(
                actor,
                W.implementedBy((run, input) -> awaited(
                        run,
                        run.effect(
                                "begin",
                                Contract.<String>verifiable(attempt -> there.contains(input)
                                                ? Verification.happened("session-" + input)
                                                : Verification.didNotHappen())
                                        .awaitedAs("session", this::end),
                                input,
                                String.class,
                                (topic, attempt) -> {
                                    begun.add(topic);
                                    if (topic.equals("landed")) {
                                        there.add(topic);
                                    }
                                    actor.pause(ofSeconds(20));
                                    throw new IOException("connection reset");
                                }))));
        for (var topic : List.of("landed", "lost")) {
            var job = stage.submit(W, topic, topic);
            stage.until(job, JobState.RUNNING);
            stage.forAWhile(ofSeconds(10));
            cancel(job);
            stage.until(job, JobState.CANCELLED);
            assertThat(owes(job)).isZero();
        }
        assertThat(begun).containsExactly("landed", "lost");
        assertThat(ended).containsExactly("session-landed");

        var keys = new LinkedHashSet<String>();
        var sent = new ArrayList<String>();
        stage.work(
                stage.actor("b"),
                W.implementedBy((run, input) ->
                        awaited(run, run.effect("begin", contract(), input, String.class, (topic, attempt) -> {
                            keys.add(attempt.key());
                            sent.add(topic);
                            if (sent.size() == 1) {
                                actor.pause(ofSeconds(20));
                                throw new IOException("connection reset");
                            }
                            return "session-" + topic;
                        }))));
        actor.shutDown();
        var again = stage.submit(W, "again", "again");
        stage.until(again, JobState.RUNNING);
        stage.forAWhile(ofSeconds(10));
        cancel(again);
        stage.until(again, JobState.CANCELLED);
        assertThat(sent).containsExactly("again", "again");
        assertThat(keys).hasSize(1);
        assertThat(ended).containsExactly("session-landed", "session-again");
    }

    @Test
    void no_gate_keeps_a_job_from_ending_what_goes_on() {
        var job = run((run, input) -> {
            if (input.equals("broke")) {
                run.step("pay", String.class, () -> {
                    throw new AccountTrouble("no credit");
                });
            }
            return session(run, input);
        });
        stage.until(job, JobState.WAITING);
        var broke = stage.submit(W, "broke", "broke");
        stage.until(
                () -> GateNames.account("w").equals(stage.job(broke).outcome().gate()));
        cancel(job);
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-in");
    }

    @Test
    void a_job_that_returns_without_having_awaited_ends_it_first() {
        var job = run((run, input) -> run.effect("begin", contract(), input, String.class, this::begin));
        stage.until(job, JobState.DONE);
        assertThat(ended).containsExactly("session-in");
        assertThat(stage.result(job)).isEqualTo("\"session-in\"");
    }

    @Test
    void a_job_that_fails_leaves_it_and_goes_on_awaiting_when_it_is_retried_or_ends_it_when_it_is_discarded() {
        var broken = new boolean[] {true};
        var job = run((run, input) -> {
            run.effect("begin", contract(), input, String.class, this::begin);
            run.step("check", String.class, () -> {
                if (broken[0]) {
                    throw new PermanentFailure("no credit");
                }
                return "";
            });
            return run.await("session", String.class, RHYTHM, this::going);
        });
        stage.until(job, JobState.FAILED);
        assertThat(owes(job)).isEqualTo(1);
        assertThat(ended).isEmpty();
        var stored = stage.job(job);
        assertThat(stage.apply(new Change.ResubmitJob(stored.id(), stage.newId(), ANNA)))
                .asString()
                .contains("left something going on elsewhere");
        broken[0] = false;
        stage.apply(new Change.RetryJob(stored.id(), stage.newId(), ANNA));
        stage.until(job, JobState.WAITING);
        assertThat(ended).isEmpty();
        assertThat(begun).hasSize(1);
        broken[0] = true;
        var second = stage.submit(W, "second", "second");
        stage.until(second, JobState.FAILED);
        stage.apply(new Change.DiscardJob(stage.job(second).id(), stage.newId(), ANNA));
        assertThat(stage.job(second).state()).isEqualTo(JobState.READY);
        stage.until(second, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-second");
    }

    @Test
    void
            an_end_that_fails_is_tried_again_under_one_key_and_one_that_fails_for_good_is_told_until_somebody_gives_it_up() {
        var failing = new ArrayList<>(List.of(new IOException("503"), new IOException("reset")));
        var job = run((run, input) -> {
            run.effect(
                    "begin",
                    Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> {
                        endKeys.add(attempt.key());
                        if (!failing.isEmpty()) {
                            throw failing.removeFirst();
                        }
                        ended.add(session);
                    }),
                    input,
                    String.class,
                    this::begin);
            return run.await("session", String.class, RHYTHM, this::going);
        });
        stage.until(job, JobState.WAITING);
        cancel(job);
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-in");
        assertThat(endKeys).hasSize(1);

        var lasting = stage.submit(W, "lasting", "lasting");
        stage.until(lasting, JobState.WAITING);
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            run.effect(
                    "begin",
                    Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> {
                        throw new Rejected("no such project");
                    }),
                    input,
                    String.class,
                    this::begin);
            return run.await("session", String.class, RHYTHM, this::going);
        }));
        actor.shutDown();
        cancel(lasting);
        stage.until(lasting, JobState.FAILED);
        var failure = Objects.requireNonNull(stage.job(lasting).outcome().failure());
        assertThat(failure.failure().message()).isEqualTo("what goes on elsewhere could not be ended: no such project");
        assertThat(failure.place()).hasToString("begin/end");
        stage.apply(new Change.RetryJob(stage.job(lasting).id(), stage.newId(), ANNA));
        stage.until(lasting, JobState.FAILED);
        assertThat(owes(lasting)).isEqualTo(1);
        stage.apply(new Change.DiscardJob(stage.job(lasting).id(), stage.newId(), ANNA));
        assertThat(stage.job(lasting).state()).as("given up").isEqualTo(JobState.CANCELLED);
        assertThat(owes(lasting)).isZero();
    }

    @Test
    void whoever_dies_while_it_ends_it_is_followed_by_another_with_the_same_key() {
        stage.work(actor, W.implementedBy((run, input) -> {
            run.effect(
                    "begin",
                    Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> {
                        end(session, attempt);
                        actor.process.crash();
                        actor.pause(ofSeconds(1));
                    }),
                    input,
                    String.class,
                    this::begin);
            return run.await("session", String.class, RHYTHM, this::going);
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        cancel(job);
        stage.until(() -> !ended.isEmpty());
        stage.work(stage.actor("b"), W.implementedBy(this::session));
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-in", "session-in");
        assertThat(endKeys).hasSize(1);
    }

    @Test
    void items_of_a_fan_out_are_each_ended_and_those_that_have_ended_are_not() {
        var job = run((run, input) ->
                String.join(" ", run.map("each", List.of("1", "2", "3"), item -> item, (each, item) -> {
                    each.effect("begin", contract(), item, String.class, this::begin);
                    each.effect(
                            named("more").item("a"),
                            Contract.<String>idempotent().awaitedAs("session", this::end),
                            item + "a",
                            String.class,
                            this::begin);
                    each.await(named("session").item("a"), String.class, RHYTHM, () -> Finding.done("ended"));
                    return each.await(
                            "session", String.class, RHYTHM, () -> item.equals("2") ? Finding.done("") : going());
                })));
        stage.until(job, JobState.WAITING);
        assertThat(owes(job)).isEqualTo(2);
        cancel(job);
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactlyInAnyOrder("session-1", "session-3");
    }

    @Test
    void who_says_that_it_has_ended_there_is_believed_and_who_waits_no_longer_has_it_ended() {
        var job = run((run, input) -> {
            run.effect("begin", contract(), input, String.class, this::begin);
            try {
                return run.await("session", String.class, RHYTHM, () -> Finding.needs("allow it"));
            } catch (StepFailed noLonger) {
                return "went on";
            }
        });
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.ELSEWHERE);
        stage.decide(job, Verdict.DONE, "\"article\"");
        stage.until(job, JobState.DONE);
        assertThat(ended).isEmpty();
        var given = stage.submit(W, "given", "given");
        stage.until(given, JobState.PAUSED);
        stage.decide(given, Verdict.FAIL, null);
        stage.until(given, JobState.DONE);
        assertThat(stage.result(given)).isEqualTo("\"went on\"");
        assertThat(ended).containsExactly("session-given");
        var off = stage.submit(W, "off", "off");
        stage.until(off, JobState.PAUSED);
        cancel(off);
        stage.until(off, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-given", "session-off");
    }

    @Test
    void code_that_no_longer_comes_to_it_cannot_end_it_and_says_so() {
        var job = run(this::session);
        stage.until(job, JobState.WAITING);
        actor.shutDown();
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> "changed"));
        cancel(job);
        stage.until(job, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(job).outcome().failure())
                        .failure()
                        .message())
                .contains("the code no longer comes to begin");
    }

    @Test
    void nothing_new_is_begun_in_a_job_that_only_ends_what_it_owes() {
        var steps = new ArrayList<String>();
        var job = run((run, input) -> {
            run.step("first", String.class, () -> {
                steps.add("first");
                return "";
            });
            run.effect("begin", contract(), input, String.class, this::begin);
            return run.await("session", String.class, RHYTHM, this::going);
        });
        stage.until(job, JobState.WAITING);
        actor.shutDown();
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            run.step("first", String.class, () -> "again");
            run.effect("begin", contract(), input, String.class, this::begin);
            run.step("second", String.class, () -> {
                steps.add("second");
                return "";
            });
            run.effect("other", none(), input, String.class, (request, attempt) -> {
                steps.add("other");
                return "";
            });
            return "returned";
        }));
        cancel(job);
        stage.until(job, JobState.CANCELLED);
        assertThat(steps).containsExactly("first");
        assertThat(ended).containsExactly("session-in");
    }

    @Test
    void a_session_that_certainly_never_began_is_owed_nothing_when_the_job_fails() {
        var job = run((run, input) -> run.effect("begin", contract(), input, String.class, (topic, attempt) -> {
            throw new Rejected("no such model");
        }));
        stage.until(job, JobState.FAILED);
        assertThat(owes(job)).isZero();
    }

    @Test
    void an_end_that_cannot_be_had_keeps_no_other_from_it() {
        var job = run((run, input) ->
                String.join(" ", run.map("each", List.of("1", "2", "3"), item -> item, (each, item) -> {
                    each.effect(
                            "begin",
                            Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> {
                                if (session.equals("session-1")) {
                                    throw new Rejected("no such project");
                                }
                                end(session, attempt);
                            }),
                            item,
                            String.class,
                            this::begin);
                    return each.await("session", String.class, RHYTHM, this::going);
                })));
        stage.until(job, JobState.WAITING);
        cancel(job);
        stage.until(job, JobState.FAILED);
        assertThat(ended).containsExactlyInAnyOrder("session-2", "session-3");
        assertThat(owes(job)).isEqualTo(1);
        stage.apply(new Change.DiscardJob(stage.job(job).id(), stage.newId(), ANNA));
        assertThat(stage.job(job).state()).as("given up").isEqualTo(JobState.CANCELLED);
    }

    @Test
    void items_that_are_in_doubt_are_looked_up_while_the_others_are_ended_and_nobody_is_asked() {
        var landed = new boolean[1];
        var code = W.implementedBy((run, input) ->
                String.join(" ", run.map("each", List.of("slow", "2"), item -> item, (each, item) -> {
                    each.effect(
                            "begin",
                            Contract.<String>verifiable(attempt -> landed[0]
                                            ? Verification.happened("session-slow")
                                            : Verification.didNotHappen())
                                    .settle(ofMinutes(20))
                                    .awaitedAs("session", this::end),
                            item,
                            String.class,
                            (topic, attempt) -> {
                                if (topic.equals("slow")) {
                                    throw new IOException("connection reset");
                                }
                                return begin(topic, attempt);
                            });
                    return each.await("session", String.class, RHYTHM, this::going);
                })));
        stage.work(actor, code);
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        cancel(job);
        stage.until(() -> ended.contains("session-2"));
        landed[0] = true;
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-2", "session-slow");
        assertThat(stage.journal(job)).noneMatch(Entry.Asked.class::isInstance);
    }

    @Test
    void what_is_in_doubt_elsewhere_in_the_job_holds_up_no_end() {
        var job = run((run, input) -> {
            run.effect("begin", contract(), input, String.class, this::begin);
            run.effect("notify", none(), input, String.class, (request, attempt) -> {
                throw new IOException("connection reset");
            });
            return run.await("session", String.class, RHYTHM, this::going);
        });
        stage.until(job, JobState.PAUSED);
        cancel(job);
        stage.until(() -> !ended.isEmpty());
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).place()).hasToString("notify");
        stage.decide(job, Verdict.SKIP, null);
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-in");
    }

    @Test
    void a_job_that_fails_after_it_was_called_off_ends_what_it_began() {
        var job = run((run, input) -> {
            run.effect("begin", contract(), input, String.class, this::begin);
            return run.step("check", String.class, () -> {
                actor.pause(ofMinutes(5));
                throw new PermanentFailure("no credit");
            });
        });
        stage.until(job, JobState.RUNNING);
        stage.forAWhile(ofMinutes(1));
        cancel(job);
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-in");
    }

    @Test
    void an_end_that_may_have_happened_and_that_nothing_ends_any_more_is_asked_about() {
        stage.work(actor, W.implementedBy((run, input) -> {
            run.effect(
                    "begin",
                    Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> {
                        end(session, attempt);
                        actor.process.crash();
                        actor.pause(ofSeconds(1));
                    }),
                    input,
                    String.class,
                    this::begin);
            return run.await("session", String.class, RHYTHM, this::going);
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.WAITING);
        cancel(job);
        stage.until(() -> !ended.isEmpty());
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> "changed"));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.NO_LONGER_CALLED);
        assertThat(stage.question(job).place()).hasToString("begin/end");
        stage.decide(job, Verdict.DONE, "null");
        stage.until(job, JobState.FAILED);
        stage.apply(new Change.DiscardJob(stage.job(job).id(), stage.newId(), ANNA));
        assertThat(stage.job(job).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void code_that_fails_before_it_comes_to_what_it_began_is_tried_again_and_said_when_it_gives_up() {
        var outages = new ArrayList<>(List.of("one", "two"));
        var job = run(this::session);
        stage.until(job, JobState.WAITING);
        actor.shutDown();
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            if (!outages.isEmpty()) {
                throw new IllegalStateException("no configuration: " + outages.removeFirst());
            }
            return session(run, input);
        }));
        cancel(job);
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-in");

        var lasting = stage.submit(W, "lasting", "lasting");
        stage.until(lasting, JobState.WAITING);
        outages.addAll(Collections.nCopies(100, "for good"));
        cancel(lasting);
        stage.until(lasting, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(lasting).outcome().failure())
                        .failure()
                        .message())
                .contains("before the code came to begin", "no configuration: for good");
    }

    @Test
    void an_end_may_log_and_a_step_inside_it_is_misuse() {
        var logs = run((run, input) -> {
            run.effect(
                    "begin",
                    Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> {
                        run.log("ending " + session);
                        end(session, attempt);
                    }),
                    input,
                    String.class,
                    this::begin);
            return "returned";
        });
        stage.until(logs, JobState.DONE);
        assertThat(stage.journal(logs))
                .anyMatch(entry -> entry instanceof Entry.Logged logged
                        && logged.text().equals("ending session-in")
                        && logged.place().toString().equals("begin/end"));

        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            run.effect(
                    "begin",
                    Contract.<String>idempotent()
                            .awaitedAs("session", (session, attempt) -> run.step("nested", String.class, () -> "")),
                    input,
                    String.class,
                    this::begin);
            return "returned";
        }));
        actor.shutDown();
        var nested = stage.submit(W, "nested", "nested");
        stage.until(() -> stage.job(nested).state() == JobState.FAILED
                || stage.job(nested).state() == JobState.PAUSED);
        assertThat(stage.journal(nested))
                .noneMatch(entry -> entry.place().toString().equals("nested"));
    }

    @Test
    void a_wait_that_is_renamed_is_still_the_one_that_was_named() {
        var first = run((run, input) -> {
            run.effect("begin", contract(), input, String.class, this::begin);
            run.sleep("settle", ofMinutes(30));
            return run.await("session", String.class, RHYTHM, this::going);
        });
        stage.until(first, JobState.WAITING);
        actor.shutDown();
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            run.effect(
                    "begin",
                    Contract.<String>idempotent().awaitedAs("article", this::end),
                    input,
                    String.class,
                    this::begin);
            run.sleep("settle", ofMinutes(30));
            return run.await(named("article").was("session"), String.class, RHYTHM, () -> Finding.done("an article"));
        }));
        stage.until(first, JobState.DONE);
        assertThat(ended).isEmpty();
    }

    @Test
    void a_wait_that_stands_before_what_it_awaits_is_misuse() {
        var job = run((run, input) -> {
            run.await("session", String.class, RHYTHM, () -> Finding.done("an earlier one"));
            return run.effect("begin", contract(), input, String.class, this::begin);
        });
        stage.until(job, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(job).outcome().failure())
                        .failure()
                        .message())
                .contains("is awaited as \"session\", which has ended before it begins");
        assertThat(begun).isEmpty();
    }

    @Test
    void what_ended_there_with_something_that_cannot_be_kept_is_not_ended_once_more() {
        var job = run((run, input) -> {
            run.effect("begin", contract(), input, String.class, this::begin);
            return run.await("session", String.class, RHYTHM, () -> Finding.done("x".repeat(5_000_000)));
        });
        stage.until(job, JobState.FAILED);
        assertThat(owes(job)).isZero();
        assertThat(ended).isEmpty();
    }

    @Test
    void a_person_who_goes_on_without_what_certainly_began_is_told_that_it_goes_on() {
        var job = run((run, input) -> {
            run.effect(
                    "begin",
                    contract(),
                    input,
                    String.class,
                    (topic, attempt) -> begin(topic, attempt) + "x".repeat(5_000_000));
            return "went on";
        });
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
        stage.decide(job, Verdict.SKIP, null);
        stage.until(job, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(job).outcome().failure())
                        .failure()
                        .message())
                .contains("what came of begin was not kept");
        stage.apply(new Change.DiscardJob(stage.job(job).id(), stage.newId(), ANNA));
        assertThat(stage.job(job).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void a_signal_that_came_is_not_received_by_a_job_that_only_ends_what_it_owes() {
        var job = run((run, input) -> {
            run.effect("begin", contract(), input, String.class, this::begin);
            run.awaitSignal("first", String.class, ofHours(1));
            return run.awaitSignal("second", String.class, ofHours(1)).orElse("none");
        });
        stage.until(job, JobState.WAITING);
        cancel(job);
        stage.apply(
                new Change.Deliver(stage.job(job).id(), new Message("1", Message.Kind.SIGNAL, "first", "\"late\"")));
        stage.until(job, JobState.CANCELLED);
        assertThat(stage.journal(job)).noneMatch(Entry.Received.class::isInstance);
        assertThat(ended).containsExactly("session-in");
    }

    /** Ends nothing: it is refused there. */
    private Contract<String> refused() {
        return Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> {
            throw new Rejected("no such project");
        });
    }

    private String failure(Identity job) {
        return Objects.requireNonNull(stage.job(job).outcome().failure())
                .failure()
                .message();
    }

    @Test
    void what_was_approved_once_and_is_in_doubt_is_not_sent_again_by_a_job_that_was_called_off_and_a_person_is_asked() {
        Workflow.Body<String, String> body = (run, input) -> {
            run.approve("begin", input, "may it begin?", ofHours(1));
            return awaited(run, run.effect("begin", contract(), input, String.class, (topic, attempt) -> {
                begin(topic, attempt);
                actor.process.crash();
                actor.pause(ofSeconds(1));
                return "never";
            }));
        };
        var job = run(body);
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(() -> !begun.isEmpty());
        cancel(job);
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.NO_LONGER_CALLED);
        assertThat(stage.question(job).place()).hasToString("begin");
        stage.decide(job, Verdict.DONE, "\"session-in\"");
        stage.until(job, JobState.CANCELLED);
        assertThat(stage.journal(job))
                .filteredOn(Entry.Intended.class::isInstance)
                .hasSize(2);
        assertThat(ended).containsExactly("session-in");
    }

    @Test
    void of_two_ends_that_cannot_be_had_the_first_is_told_and_both_are_left() {
        var job = run((run, input) -> {
            run.effect(named("begin").item("1"), refused(), "1", String.class, this::begin);
            return run.effect(named("begin").item("2"), refused(), "2", String.class, this::begin);
        });
        stage.until(job, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(job).outcome().failure()).place())
                .hasToString("begin@1/end");
        assertThat(owes(job)).isEqualTo(2);
    }

    @Test
    void code_that_fails_after_it_came_to_all_that_it_began_is_not_tried_again_for_an_end_that_cannot_be_had() {
        var job = run((run, input) -> awaited(run, run.effect("begin", refused(), input, String.class, this::begin)));
        stage.until(job, JobState.WAITING);
        actor.shutDown();
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            run.effect("begin", refused(), input, String.class, this::begin);
            throw new IllegalStateException("no configuration");
        }));
        cancel(job);
        stage.until(job, JobState.FAILED);
        assertThat(failure(job)).contains("no such project");
        assertThat(stage.journal(job)).noneMatch(Entry.StepTried.class::isInstance);
    }

    @Test
    void a_step_that_has_failed_for_good_keeps_the_code_from_what_it_began_and_nothing_is_tried_again() {
        var job = run((run, input) -> {
            try {
                run.step("check", String.class, () -> {
                    throw new PermanentFailure("no credit");
                });
            } catch (StepFailed failed) {
                // It begins all the same.
            }
            return session(run, input);
        });
        stage.until(job, JobState.WAITING);
        actor.shutDown();
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            run.step("check", String.class, () -> "checked");
            return session(run, input);
        }));
        cancel(job);
        stage.until(job, JobState.FAILED);
        assertThat(failure(job)).contains("before the code came to begin", "no credit");
        assertThat(stage.journal(job))
                .filteredOn(Entry.StepTried.class::isInstance)
                .hasSize(1);
        assertThat(ended).isEmpty();
        assertThat(owes(job)).isEqualTo(1);
    }

    @Test
    void a_job_that_is_called_off_while_it_ends_what_it_owes_ends_the_rest_of_it_too() {
        var slow = Contract.<String>idempotent().awaitedAs("session", (String session, Attempt attempt) -> {
            actor.pause(ofMinutes(1));
            end(session, attempt);
        });
        var job = run((run, input) -> {
            run.effect(named("begin").item("1"), slow, "1", String.class, this::begin);
            return run.effect(named("begin").item("2"), slow, "2", String.class, this::begin);
        });
        stage.until(() -> begun.size() == 2);
        stage.forAWhile(ofSeconds(20));
        assertThat(ended).isEmpty();
        cancel(job);
        stage.until(() -> stage.job(job).state().finished());
        assertThat(ended).containsExactly("session-1", "session-2");
        assertThat(owes(job)).isZero();
    }

    @Test
    void what_a_person_says_was_begun_without_saying_what_came_of_it_is_ended_with_nothing() {
        var given = new ArrayList<String>();
        var job = run((run, input) -> run.effect(
                "begin",
                Contract.<String>none().awaitedAs("session", (session, attempt) -> given.add("given " + session)),
                input,
                String.class,
                (topic, attempt) -> {
                    throw new IOException("connection reset");
                }));
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.DONE, null);
        stage.until(job, JobState.DONE);
        assertThat(given).containsExactly("given null");
    }

    @Test
    void what_began_and_was_not_kept_is_asked_for_once_more_when_the_job_is_called_off_and_then_ended() {
        var job = run((run, input) -> run.effect(
                "begin",
                contract(),
                input,
                String.class,
                (topic, attempt) -> begin(topic, attempt) + "x".repeat(5_000_000)));
        stage.until(job, JobState.PAUSED);
        cancel(job);
        stage.until(job, JobState.PAUSED);
        assertThat(stage.job(job).standing().cancelling()).isTrue();
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.RESULT_NOT_KEPT);
        assertThat(ended).isEmpty();
        stage.decide(job, Verdict.DONE, "\"session-in\"");
        stage.until(job, JobState.CANCELLED);
        assertThat(ended).containsExactly("session-in");
    }

    /** Begins what cannot be ended, and leaves a notice in doubt. */
    private Workflow.Body<String, String> beginsAndNotifies() {
        return (run, input) -> {
            run.effect("begin", refused(), input, String.class, this::begin);
            return run.effect("notify", none(), input, String.class, (request, attempt) -> {
                actor.process.crash();
                actor.pause(ofSeconds(1));
                return "never";
            });
        };
    }

    /** The doubt is asked about, and then the end is told that could not be had. */
    private void asksAndFails(Identity job) {
        stage.until(() ->
                stage.job(job).state() == JobState.PAUSED || stage.journal(job).size() > 50);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.NO_LONGER_CALLED);
        assertThat(stage.question(job).place()).hasToString("notify");
        stage.decide(job, Verdict.SKIP, null);
        stage.until(job, JobState.FAILED);
        assertThat(failure(job)).contains("no such project");
        assertThat(owes(job)).isEqualTo(1);
    }

    @Test
    void what_the_code_no_longer_comes_to_is_asked_about_before_the_job_fails_for_an_end_that_cannot_be_had() {
        var job = run(beginsAndNotifies());
        stage.until(() -> stage.journal(job).stream()
                        .filter(Entry.Intended.class::isInstance)
                        .count()
                == 2);
        stage.work(
                stage.actor("b"),
                W.implementedBy((run, input) -> run.effect("begin", refused(), input, String.class, this::begin)));
        asksAndFails(job);
    }

    @Test
    void what_a_job_that_was_called_off_no_longer_comes_to_is_asked_about_before_it_fails_for_an_end() {
        var job = run(beginsAndNotifies());
        stage.until(() -> stage.journal(job).stream()
                        .filter(Entry.Intended.class::isInstance)
                        .count()
                == 2);
        cancel(job);
        stage.work(
                stage.actor("b"),
                W.implementedBy((run, input) -> run.effect("begin", refused(), input, String.class, this::begin)));
        asksAndFails(job);
    }

    @Test
    void a_worker_that_loses_the_job_while_it_ends_something_leaves_all_the_rest_to_the_one_that_has_it() {
        var slow = new AtomicBoolean(true);
        var contract = Contract.<String>idempotent().awaitedAs("session", (String session, Attempt attempt) -> {
            if (slow.getAndSet(false)) {
                actor.pause(ofSeconds(20));
            }
            end(session, attempt);
        });
        Workflow.Body<String, String> body = (run, input) -> {
            run.effect(named("begin").item("1"), contract, "1", String.class, this::begin);
            return run.effect(named("begin").item("2"), contract, "2", String.class, this::begin);
        };
        var job = run(body);
        stage.until(() -> !slow.get());
        stage.forAWhile(ofSeconds(5));
        actor.process.freeze(ofMinutes(10), false);
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        stage.forAWhile(ofMinutes(20));
        assertThat(ended).containsExactly("session-1", "session-2");
        assertThat(stage.events("lease-lost")).hasSize(1);
    }
}
