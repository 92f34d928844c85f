package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.EFFECT;
import static dev.pawl.testkit.StoreDriver.WORKFLOW;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.JobQuery;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Wanted;
import dev.pawl.testkit.StoreDriver.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs go on with the version of their code that made their first record, and are taken by workers that fit it. */
public abstract class VersionConformance extends StoreHarness {
    private static final long OLD = 1;
    private static final long NEW = 2;
    private static final long BOTH = 3;
    private static final long NONE = 4;
    private static final Entry RUNS_OLD = new Entry.RunsAs("v1");
    private static final Entry STEP = new Entry.StepDone(new Place("", "write", ""), "1");

    private static final Map<Long, Taking> TAKING =
            Map.of(OLD, fits("v1"), NEW, fits("v2"), BOTH, fits("v2", "v1"), NONE, Taking.of(WORKFLOW));

    private long claims = 1_000;

    private static Taking fits(String... versions) {
        return new Taking(List.of(WORKFLOW), List.of(), List.of(), Map.of(WORKFLOW, List.of(versions)));
    }

    @BeforeEach
    void workersOfSeveralVersions() {
        TAKING.forEach((worker, taking) ->
                driver.apply(new Change.Enlist(worker, "worker-" + worker, Duration.ofSeconds(30), taking)));
    }

    /** What a worker gets. */
    private List<Held> claim(long worker) {
        return driver
                .ask(new Wanted(worker, ++claims, Objects.requireNonNull(TAKING.get(worker)), 10, true))
                .claimed()
                .stream()
                .map(driver::claimed)
                .toList();
    }

    private Held hold(String key, long worker) {
        driver.submit(key, "1");
        return claim(worker).getFirst();
    }

    private Change.RecordStepIfOwned recordsFirst(Held held) {
        return new Change.RecordStepIfOwned(held.hold(), held.id(2), List.of(RUNS_OLD, STEP));
    }

    private void release(Held held) {
        assertThat(driver.apply(held.release(Change.ReleaseJob.Until.HAND_BACK, Duration.ZERO))
                        .done())
                .isTrue();
    }

    /** The one that the old worker and the one that runs both get, in turn, and no other does. */
    private Held onlyForTheOldOne(String why) {
        assertThat(claim(NEW)).as(why).isEmpty();
        assertThat(claim(NONE)).as(why).isEmpty();
        var taken = claim(BOTH);
        assertThat(taken).as(why).hasSize(1);
        release(taken.getFirst());
        var again = claim(OLD);
        assertThat(again).as(why).hasSize(1);
        assertThat(again.getFirst().job().given().handling().version()).as(why).isEqualTo("v1");
        return again.getFirst();
    }

    @Test
    void a_job_without_a_record_is_everybodys_whoever_has_had_it() {
        var held = hold("a", OLD);
        release(held);
        for (var worker : List.of(NEW, BOTH, NONE, OLD)) {
            var taken = claim(worker);
            assertThat(taken).hasSize(1);
            assertThat(taken.getFirst().job().given().handling().version()).isEmpty();
            release(taken.getFirst());
        }
    }

    @Test
    void the_first_record_says_who_goes_on_with_it() {
        var held = hold("a", OLD);
        var first = recordsFirst(held);
        assertThat(driver.apply(first)).isInstanceOf(Applied.Now.class);
        assertThat(driver.apply(first)).as("asked again").isInstanceOf(Applied.Already.class);
        assertThat(driver.job(held.job().id()).given().handling().version()).isEqualTo("v1");
        assertThat(driver.apply(held.step("mail", "2")).done()).isTrue();
        release(held);
        assertThat(driver.store().due(time.now())).containsExactly(new ClaimGroup(WORKFLOW, "", "", "v1"));
        var again = onlyForTheOldOne("recorded");
        assertThat(driver.apply(again.finish("3"))).isInstanceOf(Applied.Now.class);
        assertThat(driver.state(again)).isEqualTo(JobState.DONE);
        assertThat(driver.store().ended(TimeWindow.EVER))
                .filteredOn(ended -> ended.group().version().equals("v1"))
                .hasSize(1);
        assertThat(driver.store().jobs(JobQuery.all().workflow(WORKFLOW)).jobs())
                .hasSize(1);
    }

    @Test
    void every_change_of_an_owner_may_be_the_first_that_records() {
        var ways = new ArrayList<Function<Held, Change>>();
        ways.add(this::recordsFirst);
        ways.add(held -> {
            var intend = held.intend(1);
            return new Change.IntendEffectIfOwned(
                    held.hold(), held.id(2), List.of(RUNS_OLD, intend.entries().getLast()), null);
        });
        ways.add(held -> new Change.CallIfOwned(
                held.hold(),
                held.id(2),
                List.of(RUNS_OLD, new Entry.Called(new Place("", "c", ""), identity("child"))),
                new Change.CalledJob(identity("child"), new StoredJob.Given("1", Handling.usual()), false)));
        ways.add(held -> new Change.ReleaseJob(
                held.hold(),
                held.id(3),
                List.of(RUNS_OLD, STEP, new Entry.Released(held.job().standing().fence(), "why", Duration.ZERO)),
                Change.ReleaseJob.Until.HAND_BACK));
        for (var way : ways) {
            var held = hold("a" + ways.indexOf(way), OLD);
            assertThat(driver.apply(way.apply(held)).done()).isTrue();
            if (driver.state(held) == JobState.RUNNING) {
                release(held);
            }
            // The child that one of them called has no version, and is somebody else's.
            claim(NONE);
            var again = onlyForTheOldOne("way " + ways.indexOf(way));
            driver.apply(again.didNotHappen(1));
            assertThat(driver.apply(again.finish("1")).done()).isTrue();
        }
    }

    @Test
    void who_asks_or_fails_with_its_first_record_goes_on_with_its_version() {
        var asks = hold("asks", OLD);
        var question = asks.askAbout(QuestionKind.IN_DOUBT);
        var entries = new ArrayList<>(question.entries());
        entries.addFirst(RUNS_OLD);
        assertThat(driver.apply(new Change.Ask(asks.hold(), asks.id(2), entries, question.question(), Duration.ZERO))
                        .done())
                .isTrue();
        var again = onlyForTheOldOne("asked");
        driver.apply(again.finish("1"));

        var fails = hold("fails", OLD);
        var why = new FailedAt(EFFECT, Failure.of(FailureClass.PERMANENT, "no", "no"));
        driver.apply(new Change.FinishJob(
                fails.hold(), fails.id(2), List.of(RUNS_OLD, STEP), new Change.FinishJob.FinalState.Failed(why)));
        assertThat(driver.apply(new Change.RetryJob(fails.job().id(), driver.newId(), ANNA))
                        .done())
                .isTrue();
        onlyForTheOldOne("a retry goes on");
    }

    @Test
    void a_resubmission_begins_anew_with_any_version() {
        var held = hold("a", OLD);
        driver.apply(recordsFirst(held));
        driver.apply(held.finish("1"));
        assertThat(driver.apply(new Change.ResubmitJob(held.job().id(), driver.newId(), ANNA))
                        .done())
                .isTrue();
        var anew = claim(NEW);
        assertThat(anew).hasSize(1);
        assertThat(anew.getFirst().job().given().handling().version()).isEmpty();
        driver.apply(new Change.RecordStepIfOwned(
                anew.getFirst().hold(), anew.getFirst().id(2), List.of(new Entry.RunsAs("v2"), STEP)));
        release(anew.getFirst());
        assertThat(claim(OLD)).isEmpty();
        assertThat(claim(NEW)).hasSize(1);
        assertThat(driver.store().ended(TimeWindow.EVER))
                .as("what was taken up again has not ended")
                .allMatch(ended -> ended.many() == 0);
    }

    @Test
    void a_dead_workers_jobs_are_for_those_that_fit_them() {
        var held = hold("a", OLD);
        driver.apply(recordsFirst(held));
        var fresh = hold("b", OLD);
        driver.apply(new Change.TakeOver(OLD, 0, WorkerEnd.BEAT_STOOD_STILL));
        assertThat(claim(NEW))
                .extracting(one -> one.job().id())
                .containsExactly(fresh.job().id());
        assertThat(claim(BOTH))
                .extracting(one -> one.job().id())
                .containsExactly(held.job().id());
    }

    @Test
    void a_job_may_be_for_a_version_from_the_start() {
        driver.apply(new Change.SubmitJob(
                identity("a"), new StoredJob.Given("1", Handling.usual().version("v2")), null));
        assertThat(claim(OLD)).isEmpty();
        assertThat(claim(NONE)).isEmpty();
        assertThat(driver.store().due(time.now())).containsExactly(new ClaimGroup(WORKFLOW, "", "", "v2"));
        assertThat(claim(NEW)).hasSize(1);
    }
}
