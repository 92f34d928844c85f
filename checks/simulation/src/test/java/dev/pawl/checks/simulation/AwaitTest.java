package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.none;
import static dev.pawl.job.Named.named;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cost.Use;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.event.Event;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Finding;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Change;
import dev.pawl.store.memory.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Something goes on elsewhere, and a job waits for it by looking at it from time to time. */
class AwaitTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Identity X = new Identity("w", Key.of("x"));
    private static final Rhythm RHYTHM = Rhythm.every(ofSeconds(10), ofMinutes(5));

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");
    private final List<Instant> looks = new ArrayList<>();

    private Identity run(Workflow.Body<String, String> body) {
        stage.work(actor, W.implementedBy(body));
        return stage.submit(W, "x", "in");
    }

    private Identity await(Rhythm rhythm, Job.Look<String> look) {
        return run((job, input) -> job.await("session", String.class, rhythm, () -> {
            looks.add(stage.now());
            return look.look();
        }));
    }

    private boolean after(Duration started) {
        return !stage.now().isBefore(Instant.parse("2026-04-12T02:00:00Z").plus(started));
    }

    private List<String> kinds(Identity job) {
        return stage.journal(job).stream()
                .map(entry -> entry.getClass().getSimpleName())
                .toList();
    }

    private void signal(Identity job, String name, String id) {
        stage.apply(new Change.Deliver(stage.job(job).id(), new Message(id, Message.Kind.SIGNAL, name, "1")));
    }

    @Test
    void it_is_looked_at_soon_at_first_and_more_seldom_later_and_looks_leave_nothing_in_the_journal() {
        var job = await(RHYTHM, () -> after(ofHours(8)) ? Finding.done("ended") : Finding.going());
        stage.forAWhile(ofMinutes(1));
        assertThat(stage.job(job).state()).as("it leaves memory").isEqualTo(JobState.WAITING);
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"ended\"");
        assertThat(looks).hasSizeBetween(100, 140);
        assertThat(Duration.between(looks.get(0), looks.get(1))).isBetween(ofSeconds(10), ofSeconds(12));
        assertThat(Duration.between(looks.get(looks.size() - 2), looks.getLast()))
                .isBetween(ofMinutes(5), ofMinutes(5).plusSeconds(3));
        assertThat(kinds(job)).containsExactly("Waits", "Released", "StepDone");
    }

    @Test
    void a_signal_makes_it_look_at_once_is_received_once_and_is_not_lost_while_it_looks() {
        var rhythm = RHYTHM.wokenBy("updated");
        var job = await(rhythm, () -> {
            if (looks.size() == 3) {
                actor.pause(ofSeconds(20)); // the signal comes meanwhile
            }
            return looks.size() >= 5 ? Finding.done("ended") : Finding.going();
        });
        stage.until(() -> looks.size() == 1);
        stage.forAWhile(ofSeconds(5));
        signal(job, "updated", "1");
        stage.forAWhile(ofSeconds(3));
        assertThat(looks).hasSize(2);
        signal(job, "updated", "1");
        stage.until(() -> looks.size() == 3);
        stage.forAWhile(ofSeconds(5));
        signal(job, "updated", "2");
        signal(job, "updated", "3");
        stage.until(() -> looks.size() == 4);
        assertThat(Duration.between(looks.get(2), looks.get(3))).as("at once").isLessThan(ofSeconds(25));
        stage.until(job, JobState.DONE);
        assertThat(kinds(job)).filteredOn("Heard"::equals).hasSize(3);
    }

    @Test
    void a_look_that_throws_has_found_nothing_and_after_a_day_of_them_a_person_is_asked_until_one_succeeds() {
        var job = await(RHYTHM, () -> {
            if (after(ofHours(30)) || !after(ofHours(1))) {
                return after(ofHours(40)) ? Finding.done("ended") : Finding.going();
            }
            throw new IOException("connection refused");
        });
        stage.forAWhile(ofHours(24));
        assertThat(stage.job(job).state()).isEqualTo(JobState.WAITING);
        stage.forAWhile(ofHours(2));
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.ELSEWHERE);
        assertThat(stage.question(job).because()).contains("for a day nobody could look");
        var asked = looks.size();
        stage.until(job, JobState.WAITING);
        assertThat(looks.size() - asked).as("it went on looking").isGreaterThan(20);
        stage.until(job, JobState.DONE);
        assertThat(kinds(job).stream().filter("LooksFail"::equals)).hasSize(2);
        assertThat(kinds(job).size()).as("a day of them is no page of lines").isLessThan(15);
    }

    @Test
    void what_needs_a_person_there_asks_one_here_and_a_later_look_closes_the_question() {
        var job = await(RHYTHM, () -> {
            if (after(ofHours(2))) {
                return Finding.done("ended");
            }
            return after(ofMinutes(10)) && !after(ofHours(1))
                    ? Finding.needs("allow \"rm -rf build\" at https://example.org/s/1")
                    : Finding.going();
        });
        stage.until(job, JobState.PAUSED);
        var question = stage.question(job);
        assertThat(question.because()).isEqualTo("allow \"rm -rf build\" at https://example.org/s/1");
        assertThat(question.place()).hasToString("session");
        stage.forAWhile(ofMinutes(20));
        assertThat(stage.question(job))
                .as("the same question, however often it is looked at")
                .isEqualTo(question);
        stage.until(job, JobState.WAITING);
        assertThat(stage.job(job).outcome().question()).isNull();
        stage.until(job, JobState.DONE);
    }

    @Test
    void a_person_may_say_that_it_has_ended_or_is_no_longer_waited_for_or_is_to_be_looked_at_now() {
        var job = await(RHYTHM, () -> Finding.needs("allow it"));
        stage.until(job, JobState.PAUSED);
        stage.forAWhile(ofMinutes(30));
        var seen = looks.size();
        stage.decide(job, Verdict.RETRY, null);
        stage.forAWhile(ofSeconds(5));
        assertThat(looks).hasSizeGreaterThan(seen);
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.DONE, "\"as anna saw it\"");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"as anna saw it\"");
    }

    @Test
    void a_person_may_give_it_up_and_the_workflow_hears_of_it() {
        var failures = new ArrayList<StepFailed>();
        var job = run((run, input) -> {
            try {
                return run.await("session", String.class, RHYTHM, () -> Finding.needs("allow it"));
            } catch (StepFailed failed) {
                failures.add(failed);
                return "went on";
            }
        });
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.FAIL, null);
        stage.until(job, JobState.DONE);
        assertThat(failures.getFirst().failure().message()).startsWith("given up by anna");
    }

    @Test
    void what_has_failed_there_fails_here_once_and_is_the_same_on_every_resume() {
        var seen = new ArrayList<String>();
        var job = run((run, input) -> {
            try {
                return run.await("session", String.class, RHYTHM, () -> {
                    looks.add(stage.now());
                    return Finding.failed("out of credit");
                });
            } catch (StepFailed failed) {
                seen.add(failed.failure().message());
            }
            run.sleep("night", ofHours(1));
            return "amended";
        });
        stage.until(job, JobState.DONE);
        assertThat(seen).containsExactly("out of credit", "out of credit");
        assertThat(looks).hasSize(1);
    }

    @Test
    void who_dies_while_it_looks_is_nobodys_doubt() {
        var job = await(RHYTHM, () -> {
            if (looks.size() == 2) {
                actor.process.crash();
                actor.pause(ofSeconds(1));
            }
            return looks.size() < 4 ? Finding.going() : Finding.done("ended");
        });
        stage.until(() -> looks.size() == 2);
        stage.work(
                stage.actor("b"),
                W.implementedBy((run, input) -> run.await("session", String.class, RHYTHM, () -> {
                    looks.add(stage.now());
                    return looks.size() < 4 ? Finding.going() : Finding.done("ended");
                })));
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job)).noneMatch(Entry.Asked.class::isInstance);
    }

    @Test
    void items_of_a_fan_out_wait_side_by_side_and_what_a_look_used_counts() {
        var job = run((run, input) -> String.join(
                " ",
                run.map(
                        "sessions",
                        List.of("1", "2", "3"),
                        item -> item,
                        (each, item) -> each.await(named("session"), String.class, RHYTHM, () -> {
                            each.use(Use.of("m").costing(1L));
                            return after(ofMinutes(Integer.parseInt(item) * 20L))
                                    ? Finding.done(item)
                                    : Finding.going();
                        }))));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"1 2 3\"");
        assertThat(kinds(job)).contains("Used");
    }

    @Test
    void a_look_that_calls_the_job_is_refused_and_one_that_returns_null_tells_nothing() {
        var misused = run((run, input) -> run.await("session", String.class, RHYTHM, () -> {
            run.now("when");
            return Finding.done("");
        }));
        stage.until(misused, JobState.FAILED);
        assertThat(Objects.requireNonNull(stage.job(misused).outcome().failure())
                        .failure()
                        .message())
                .contains("from inside a step or an effect");
    }

    @Test
    @SuppressWarnings("NullAway") // code may come to nothing
    void a_look_that_comes_to_nothing_has_found_nothing() {
        var job = await(RHYTHM, () -> looks.size() < 3 ? null : Finding.done("ended"));
        stage.until(job, JobState.DONE);
        assertThat(looks).hasSize(3);
        assertThat(stage.journal(job))
                .filteredOn(Entry.LooksFail.class::isInstance)
                .singleElement()
                .satisfies(entry -> assertThat(((Entry.LooksFail) entry).why()).isEqualTo("the look returned null"));
    }

    @Test
    void a_look_may_be_given_a_time_of_its_own_and_is_over_when_it_is() {
        var job = run((run, input) -> run.await(named("session").timeout(ofSeconds(5)), String.class, RHYTHM, () -> {
            looks.add(stage.now());
            if (looks.size() == 1) {
                actor.pause(ofMinutes(1));
                throw new IOException("cut off");
            }
            return Finding.done("ended");
        }));
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job))
                .filteredOn(Entry.LooksFail.class::isInstance)
                .hasSize(1);
    }

    @Test
    void of_very_many_signals_some_are_received_by_the_next_look() {
        var many = 150;
        var job = await(RHYTHM.wokenBy("updated"), () -> looks.size() < 4 ? Finding.going() : Finding.done("ended"));
        stage.until(() -> looks.size() == 1);
        stage.until(job, JobState.WAITING);
        for (var i = 0; i < many; i++) {
            signal(job, "updated", "" + i);
        }
        stage.until(job, JobState.DONE);
        assertThat(kinds(job)).filteredOn("Heard"::equals).hasSize(many);
    }

    @Test
    void of_two_things_that_go_on_elsewhere_the_question_of_one_is_not_asked_of_the_other() {
        var job = run((run, input) -> String.join(
                " ",
                run.map(
                        "sessions",
                        List.of("asks", "fails"),
                        item -> item,
                        (each, item) -> each.await(named("session"), String.class, RHYTHM, () -> {
                            looks.add(stage.now());
                            if (after(ofHours(1))) {
                                return Finding.done(item);
                            }
                            if (item.equals("fails")) {
                                throw new IOException("503");
                            }
                            return Finding.needs("allow it");
                        }))));
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).because()).contains("allow it");
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"asks fails\"");
    }

    @Test
    void a_look_that_throws_does_not_close_the_question_that_stands_and_nobody_is_told_loudly_twice() {
        var job = await(RHYTHM.wokenBy("updated"), () -> {
            if (looks.size() % 3 == 2) {
                throw new IOException("503, request " + looks.size());
            }
            return looks.size() > 40 ? Finding.done("ended") : Finding.needs("allow it there");
        });
        stage.until(job, JobState.PAUSED);
        var question = stage.question(job);
        for (var n = 0; n < 10; n++) {
            signal(job, "updated", "id-" + n);
            stage.forAWhile(ofSeconds(40));
            stage.until(job, JobState.PAUSED);
            assertThat(stage.question(job)).as("after signal " + n).isEqualTo(question);
        }
        stage.until(job, JobState.DONE);
        assertThat(kinds(job)).filteredOn("Asked"::equals).hasSize(1);
        assertThat(kinds(job)).doesNotContain("Released");
        assertThat(stage.events("asks"))
                .filteredOn(event -> event.level() == Event.Level.LOUD)
                .hasSize(1);
    }

    @Test
    void another_need_is_another_question_and_that_there_is_none_any_more_is_recorded() {
        var job = await(RHYTHM, () -> {
            if (after(ofHours(3))) {
                return Finding.done("ended");
            }
            return after(ofHours(2))
                    ? Finding.going()
                    : Finding.needs(after(ofHours(1)) ? "enter the code" : "allow it");
        });
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).because()).isEqualTo("allow it");
        stage.forAWhile(ofMinutes(75));
        assertThat(stage.question(job).because()).isEqualTo("enter the code");
        stage.until(job, JobState.DONE);
        assertThat(kinds(job)).containsExactly("Waits", "Asked", "Asked", "Released", "StepDone");
    }

    @Test
    void looks_that_fail_each_in_another_way_are_one_line_and_so_is_what_they_use() {
        var job = run((run, input) -> run.await("session", String.class, RHYTHM, () -> {
            looks.add(stage.now());
            run.use(Use.of("m").costing(1L));
            if (after(ofHours(4))) {
                return Finding.done("ended");
            }
            throw new IOException("503, request id " + looks.size());
        }));
        stage.until(job, JobState.DONE);
        assertThat(looks).hasSizeGreaterThan(50);
        assertThat(kinds(job))
                .filteredOn(kind -> !kind.equals("Used"))
                .containsExactly("Threw", "LooksFail", "Waits", "Released", "StepDone");
    }

    @Test
    void an_end_that_cannot_be_kept_is_a_failure_that_is_recorded() {
        var failures = new ArrayList<StepFailed>();
        var job = run((run, input) -> {
            try {
                return run.await("session", String.class, RHYTHM, () -> Finding.done("x".repeat(5 << 20)));
            } catch (StepFailed failed) {
                failures.add(failed);
            }
            run.sleep("night", ofHours(1));
            return "went on";
        });
        stage.until(job, JobState.DONE);
        assertThat(failures).hasSize(2);
        assertThat(failures.getFirst().failure().message()).contains("the most is");
    }

    @Test
    void a_look_that_is_cut_short_because_its_worker_stops_has_not_failed() {
        Workflow.Body<String, String> body = (run, input) -> run.await("session", String.class, RHYTHM, () -> {
            looks.add(stage.now());
            if (looks.size() == 1) {
                actor.pause(ofMinutes(1));
            }
            return Finding.done("ended");
        });
        stage.work(actor, ofSeconds(1), W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> looks.size() == 1);
        actor.shutDown();
        stage.until(job, JobState.READY);
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(looks).hasSize(2);
        assertThat(kinds(job)).doesNotContain("LooksFail");
    }

    /** A stage whose store's clock is a year ahead, and is set right once {@code so}. */
    private Stage aYearAhead(Workflow.Implementation<?, ?> code, Predicate<Stage> so) {
        var clock = new AtomicReference<SimProcess>();
        var theatre = new Stage(time -> {
            clock.set((SimProcess) time);
            return new MemoryStore(time);
        });
        theatre.work(theatre.actor("a"), code);
        clock.get().jump(ofDays(365));
        theatre.submit(W, "x", "in");
        theatre.until(() -> so.test(theatre));
        clock.get().jump(ofDays(-365));
        return theatre;
    }

    private static long count(Stage theatre, Class<? extends Entry> kind) {
        return theatre.journal(X).stream().filter(kind::isInstance).count();
    }

    @Test
    void looks_that_fail_since_a_time_that_never_was_are_asked_about_a_day_after_the_clock_was_set_right() {
        var theatre = aYearAhead(
                W.implementedBy((run, input) -> run.await("session", String.class, RHYTHM, () -> {
                    throw new IOException("connection refused");
                })),
                stands -> stands.job(X).state() == JobState.WAITING);
        theatre.forAWhile(ofHours(23));
        assertThat(theatre.job(X).state()).isEqualTo(JobState.WAITING);
        theatre.forAWhile(ofHours(2));
        assertThat(theatre.question(X).because()).contains("for a day nobody could look");
        assertThat(count(theatre, Entry.LooksFail.class)).isEqualTo(2);
        assertThat(count(theatre, Entry.Waits.class)).isEqualTo(2);
    }

    @Test
    void what_needs_a_person_since_a_time_that_never_was_is_asked_once_more_and_looked_at_in_its_rhythm() {
        var theatre = aYearAhead(
                W.implementedBy((run, input) -> run.await("session", String.class, RHYTHM, () -> {
                    looks.add(Instant.EPOCH);
                    return Finding.needs("allow it");
                })),
                stands -> stands.job(X).state() == JobState.PAUSED);
        var before = looks.size();
        theatre.forAWhile(ofHours(2));
        assertThat(looks.size() - before).isBetween(20, 60);
        assertThat(count(theatre, Entry.Asked.class)).isEqualTo(2);
        assertThat(count(theatre, Entry.Waits.class)).isEqualTo(2);
        assertThat(theatre.question(X).because()).isEqualTo("allow it");
    }

    @Test
    void a_question_about_an_approval_is_not_asked_of_what_goes_on_elsewhere() {
        var job = run((run, input) ->
                String.join(" ", run.map("each", List.of("asks", "fails"), item -> item, (each, item) -> {
                    if (item.equals("asks")) {
                        each.approve("e", item, "may it?", ofHours(5));
                        return each.effect("e", none(), item, String.class, (request, attempt) -> request);
                    }
                    return each.await("session", String.class, RHYTHM, () -> {
                        looks.add(stage.now());
                        if (after(ofHours(1))) {
                            return Finding.done(item);
                        }
                        throw new IOException("503");
                    });
                })));
        stage.until(() -> looks.size() > 10);
        stage.until(job, JobState.PAUSED);
        assertThat(stage.question(job).kind()).isEqualTo(QuestionKind.APPROVE);
        assertThat(kinds(job)).filteredOn("Asked"::equals).hasSize(1);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"asks fails\"");
    }
}
