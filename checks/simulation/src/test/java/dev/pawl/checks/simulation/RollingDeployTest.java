package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Audit;
import dev.pawl.event.EventKind;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Old and new code side by side, over the same jobs. */
class RollingDeployTest {
    private static final int JOBS = 200;
    private static final Workflow<String, String> ORDER = Workflow.named("order", String.class, String.class);

    private final Stage stage = new Stage();
    private final Map<String, Integer> sent = new TreeMap<>();

    private String send(String what, Job job) {
        sent.merge(job.identity().key() + " " + what, 1, Integer::sum);
        return what;
    }

    /** Yesterday's code, and today's, in which the first effect has another name. */
    private Workflow.Body<String, String> code(String first) {
        return (job, input) -> {
            job.effect(first, none(), input, String.class, (request, a) -> send("money", job));
            job.sleep("until-it-is-packed", Duration.ofSeconds(20));
            job.effect("ship", none(), input, String.class, (request, a) -> send("parcel", job));
            job.sleep("until-it-arrives", Duration.ofSeconds(20));
            return job.effect("thank", none(), input, String.class, (request, a) -> send("mail", job));
        };
    }

    private List<Identity> submit() {
        var jobs = new ArrayList<Identity>();
        for (var i = 0; i < JOBS; i++) {
            jobs.add(stage.submit(ORDER, String.valueOf(i), "in"));
        }
        return jobs;
    }

    private long many(List<Identity> jobs, JobState state) {
        return jobs.stream().filter(job -> stage.job(job).state() == state).count();
    }

    /** Lets two old workers and two new ones do all the jobs; says how many ask. */
    private long sideBySide(Workflow<String, String> old, Workflow<String, String> today) {
        var jobs = submit();
        stage.work(stage.actor("old-1"), options -> options.slots(5), old.implementedBy(code("charge")));
        stage.work(stage.actor("old-2"), options -> options.slots(5), old.implementedBy(code("charge")));
        stage.forAWhile(Duration.ofSeconds(1));
        stage.work(stage.actor("new-1"), options -> options.slots(5), today.implementedBy(code("bill")));
        stage.work(stage.actor("new-2"), options -> options.slots(5), today.implementedBy(code("bill")));
        stage.until(() -> many(jobs, JobState.DONE) + many(jobs, JobState.PAUSED) == JOBS);
        return many(jobs, JobState.PAUSED);
    }

    @Test
    void without_versions_jobs_that_meet_other_code_ask() {
        assertThat(sideBySide(ORDER, ORDER)).isPositive();
        assertThat(sent.values()).as("but nothing is done twice").containsOnly(1);
    }

    @Test
    void with_versions_two_hundred_jobs_ask_nothing_and_repeat_nothing_although_an_effect_was_renamed() {
        assertThat(sideBySide(ORDER.version("v1"), ORDER.version("v2"))).isZero();
        assertThat(sent).hasSize(3 * JOBS);
        assertThat(sent.values()).containsOnly(1);
        assertThat(stage.events("nobody-takes")).isEmpty();
    }

    @Test
    void new_code_that_says_that_it_runs_old_jobs_takes_them_and_is_told_which_they_are() {
        var job = stage.submit(ORDER, "a", "in");
        var old = stage.actor("old");
        stage.work(old, ORDER.version("v1").implementedBy(code("charge")));
        stage.until(job, JobState.WAITING);
        old.shutDown();
        var seen = new ArrayList<String>();
        var today = ORDER.version("v2").runs("v1");
        stage.work(stage.actor("new"), today.implementedBy((run, input) -> {
            seen.add(run.identity().key() + " " + run.version());
            return code(run.version().equals("v1") ? "charge" : "bill").run(run, input);
        }));
        stage.until(job, JobState.DONE);
        stage.until(stage.submit(ORDER, "b", "in"), JobState.DONE);
        assertThat(seen).contains("a v1", "b v2").doesNotContain("a v2", "b v1");
        assertThat(sent.values()).containsOnly(1);
        assertThat(stage.journal(job)).containsOnlyOnce(new Entry.RunsAs("v1"));
    }

    @Test
    void where_nobody_fits_any_more_it_is_told_once_and_anew_after_somebody_did() {
        var job = stage.submit(ORDER, "a", "in");
        var old = stage.actor("old");
        stage.work(old, ORDER.version("v1").implementedBy(code("charge")));
        stage.until(job, JobState.WAITING);
        old.shutDown();
        stage.work(stage.actor("new"), ORDER.version("v2").implementedBy(code("bill")));
        stage.forAWhile(Duration.ofMinutes(30));
        assertThat(stage.events("nobody-takes")).singleElement().satisfies(told -> {
            assertThat(told.kind()).isEqualTo(EventKind.NOBODY_TAKES);
            assertThat(told.line()).contains("version=v1", "no worker fits it", "workflow=order");
        });
        assertThat(stage.job(job).state()).isEqualTo(JobState.WAITING);
        stage.work(stage.actor("old-again"), ORDER.version("v1").implementedBy(code("charge")));
        stage.until(job, JobState.DONE);
        assertThat(sent.values()).containsOnly(1);
    }

    @Test
    void what_counts_as_a_first_record_is_one_and_a_job_that_recorded_nothing_is_anybodys() {
        var mended = new AtomicBoolean();
        var old = stage.actor("old");
        stage.work(old, ORDER.version("v1").implementedBy((job, input) -> {
            old.pause(Duration.ofSeconds(5));
            return "never comes to it";
        }));
        var job = stage.submit(ORDER, "a", "in");
        stage.until(job, JobState.RUNNING);
        stage.apply(new Change.TakeOver(stage.job(job).standing().owner(), lastBeat(job), WorkerEnd.BEAT_STOOD_STILL));
        old.shutDown();
        stage.work(stage.actor("new"), ORDER.version("v2").implementedBy((run, input) -> {
            var version = run.version();
            run.effect("try", none(), input, String.class, (request, a) -> {
                if (mended.getAndSet(true)) {
                    return send("money", run);
                }
                throw new NotSent("not yet");
            });
            return version;
        }));
        stage.until(job, JobState.DONE);
        assertThat(stage.result(job)).isEqualTo("\"v2\"");
    }

    @Test
    void the_version_stands_before_the_first_record_and_once_more_after_a_resubmission() {
        var job = stage.submit(ORDER, "a", "in");
        stage.work(
                stage.actor("new"),
                ORDER.version("v2").implementedBy((run, input) -> run.step("write", String.class, () -> "x")));
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job).getFirst()).isEqualTo(new Entry.RunsAs("v2"));
        stage.apply(new Change.ResubmitJob(stage.job(job).id(), stage.newId(), new Audit("anna", "again")));
        assertThat(stage.job(job).given().handling().version()).isEmpty();
        stage.until(job, JobState.DONE);
        assertThat(stage.journal(job))
                .filteredOn(new Entry.RunsAs("v2")::equals)
                .hasSize(2);
    }

    @Test
    void what_a_job_records_as_it_leaves_may_be_its_first_record_and_an_end_without_any_is_none() {
        var today = stage.actor("new");
        stage.work(today, ORDER.version("v2").implementedBy((run, input) -> {
            switch (input) {
                case "sleeps" -> run.sleep("a-while", Duration.ofDays(1));
                case "asks" -> run.approve(Named.named("send"), input, "send it?", Duration.ofDays(2));
                case "fails" -> throw new PermanentFailure("at once");
                case "waits at a gate" ->
                    run.step("page", String.class, () -> {
                        throw new AccountTrouble("no credit");
                    });
                case "is called off" -> {
                    var id = stage.job(run.identity()).id();
                    stage.apply(new Change.CancelJob(id, stage.newId(), new Audit("anna", "enough")));
                    today.pause(Duration.ofMinutes(1));
                    run.step("page", String.class, () -> "page");
                }
                default -> {}
            }
            return input;
        }));
        var sleeps = stage.submit(ORDER, "a", "sleeps");
        var asks = stage.submit(ORDER, "b", "asks");
        var fails = stage.submit(ORDER, "c", "fails");
        var returns = stage.submit(ORDER, "d", "returns");
        var waits = stage.submit(ORDER, "e", "waits at a gate");
        var isCalledOff = stage.submit(ORDER, "f", "is called off");
        stage.until(sleeps, JobState.WAITING);
        stage.until(asks, JobState.PAUSED);
        stage.until(fails, JobState.FAILED);
        stage.until(returns, JobState.DONE);
        assertThat(stage.job(sleeps).given().handling().version()).isEqualTo("v2");
        assertThat(stage.job(asks).given().handling().version()).isEqualTo("v2");
        stage.until(waits, JobState.WAITING);
        stage.until(isCalledOff, JobState.CANCELLED);
        assertThat(stage.job(waits).given().handling().version()).isEqualTo("v2");
        assertThat(stage.job(isCalledOff).given().handling().version()).isEmpty();
        assertThat(stage.job(fails).given().handling().version()).isEmpty();
        assertThat(stage.job(returns).given().handling().version()).isEmpty();
    }

    private long lastBeat(Identity job) {
        return stage.store.workers().stream()
                .filter(worker -> worker.id() == stage.job(job).standing().owner())
                .mapToLong(worker -> worker.beat())
                .findFirst()
                .orElseThrow();
    }
}
