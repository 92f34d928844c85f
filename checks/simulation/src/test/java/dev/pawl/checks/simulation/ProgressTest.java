package dev.pawl.checks.simulation;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Progress;
import dev.pawl.key.Identity;
import dev.pawl.look.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A job says how far it has come. */
class ProgressTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = new Stage();
    private final Stage.Actor actor = stage.actor("a");

    private List<String> said(Identity job) {
        return stage.journal(job).stream()
                .filter(Entry.Progressed.class::isInstance)
                .map(entry -> ((Entry.Progressed) entry).soFar().toString())
                .toList();
    }

    private Envelope envelope(Identity job) {
        return Envelope.of(stage.job(job), stage.store.journal(stage.job(job).id()), null, null);
    }

    @Test
    void it_is_seen_while_a_long_step_goes_on_whether_said_before_it_or_inside() {
        stage.work(actor, W.implementedBy((job, input) -> {
            job.progress("reading");
            job.step("long", String.class, () -> {
                actor.pause(Duration.ofMinutes(1));
                for (var done = 1; done <= 60; done++) {
                    job.progress(Progress.done(done, 60).at("writing"));
                    actor.pause(Duration.ofSeconds(1));
                }
                actor.pause(Duration.ofMinutes(5));
                return "";
            });
            return "";
        }));
        var job = stage.submit(W, "x", "in");
        stage.forAWhile(Duration.ofSeconds(30));
        assertThat(envelope(job).progress()).hasToString("reading");
        stage.forAWhile(Duration.ofSeconds(60));
        assertThat(Objects.requireNonNull(envelope(job).progress()).done()).isBetween(20L, 32L);
        stage.forAWhile(Duration.ofMinutes(2));
        assertThat(envelope(job).progress()).hasToString("60 of 60: writing");
        assertThat(envelope(job).progressAt()).isBefore(stage.now());
        assertThat(said(job)).as("not every word is a commit").hasSizeBetween(10, 25);
        assertThat(stage.events("progress")).hasSameSizeAs(said(job));
        stage.until(job, JobState.DONE);
    }

    @Test
    void what_was_said_before_a_crash_is_not_said_again_and_what_was_not_recorded_is() {
        Workflow.Body<String, String> body = (job, input) -> {
            for (var chapter = 1; chapter <= 3; chapter++) {
                job.progress(Progress.done(chapter - 1, 3));
                job.step("chapter-" + chapter, String.class, () -> {
                    actor.pause(Duration.ofSeconds(10));
                    return "";
                });
            }
            job.progress("binding");
            return "";
        };
        stage.work(actor, W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.forAWhile(Duration.ofSeconds(15));
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(said(job)).containsExactly("0 of 3", "1 of 3", "2 of 3", "binding");
    }

    @Test
    void a_million_words_are_not_a_million_records() {
        stage.work(actor, W.implementedBy((job, input) -> {
            for (var i = 0; i < 1_000_000; i++) {
                job.progress(Progress.done(i));
            }
            return "";
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(said(job)).containsExactly("999999");
    }

    @Test
    void a_worker_that_has_lost_the_job_says_nothing_of_it_and_its_act_is_not_disturbed() {
        stage.work(
                actor,
                W.implementedBy((job, input) -> job.step("s", String.class, () -> {
                    actor.pause(Duration.ofSeconds(10));
                    job.progress("late");
                    return "done";
                })));
        var job = stage.submit(W, "x", "in");
        stage.forAWhile(Duration.ofSeconds(5));
        actor.process.freeze(Duration.ofMinutes(10), false);
        stage.work(stage.actor("b"), W.implementedBy((other, input) -> other.step("s", String.class, () -> "done")));
        stage.until(job, JobState.DONE);
        stage.forAWhile(Duration.ofMinutes(20));
        assertThat(said(job)).isEmpty();
    }

    @Test
    void who_says_it_late_or_from_elsewhere_or_nonsense_hurts_nothing() {
        stage.work(actor, W.implementedBy((job, input) -> {
            job.step("s", String.class, () -> "");
            var ticker = new Thread(() -> job.progress("from a thread of its own"));
            ticker.start();
            ticker.join();
            job.progress(Progress.done(11, 10).at("x".repeat(5_000)));
            job.progress(Progress.done(-1));
            job.progress("");
            return job.step("t", String.class, () -> "done");
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(Progress.done(11, 10)).hasToString("11 of 11");
        assertThat(Progress.of("x".repeat(999) + "\ud83d\ude00").text()).hasSize(999);
    }

    @Test
    void a_resume_does_not_say_what_something_newer_has_overtaken() {
        Workflow.Body<String, String> body = (job, input) -> {
            job.progress("reading");
            job.step("quick", String.class, () -> {
                job.progress(Progress.done(60, 60));
                return "";
            });
            job.step("next", String.class, () -> "");
            job.step("long", String.class, () -> {
                actor.pause(Duration.ofMinutes(1));
                return "";
            });
            return "";
        };
        stage.work(actor, W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.forAWhile(Duration.ofSeconds(20));
        actor.process.crash();
        stage.work(stage.actor("b"), W.implementedBy(body));
        stage.until(job, JobState.DONE);
        assertThat(envelope(job).progress()).hasToString("60 of 60");
        assertThat(said(job)).containsExactly("60 of 60");
    }

    @Test
    void what_goes_on_for_a_day_is_no_page_of_lines() {
        stage.work(
                actor,
                W.implementedBy((job, input) -> job.step(named("s").timeout(Duration.ofDays(2)), String.class, () -> {
                    for (var minute = 0; minute < 24 * 60; minute++) {
                        job.progress(Progress.done(minute));
                        actor.pause(Duration.ofMinutes(1));
                    }
                    return "";
                })));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(said(job)).hasSizeLessThan(1_500);
    }

    @Test
    void a_handle_that_is_kept_beyond_its_scope_may_still_say_how_far_it_has_come() {
        stage.work(actor, W.implementedBy((job, input) -> {
            var kept = new ArrayList<Job>();
            job.scope("inside", inner -> {
                kept.add(inner);
                return inner.step("s", String.class, () -> "");
            });
            kept.getFirst().progress("said late");
            return job.step("t", String.class, () -> "done");
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job))
                .filteredOn(Entry.Progressed.class::isInstance)
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.place()).hasToString("inside");
                    assertThat(((Entry.Progressed) entry).number()).isEqualTo(Entry.Progressed.INSIDE);
                    assertThat(((Entry.Progressed) entry).soFar()).hasToString("said late");
                });
    }
}
