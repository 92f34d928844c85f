package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.gate.Gate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.JobQuery;
import dev.pawl.look.StoredJob;
import dev.pawl.look.UnfinishedJobs;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Change.ReleaseJob.Until;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What one change does to other jobs, where these are more than go into one commit, on every store: what is left is there for whoever comes next, whatever
 * became of the one who began it.
 */
public abstract class FollowUpConformance extends StoreHarness {
    private static final Duration LONG = Duration.ofDays(1);
    private static final String GATE = "account/w";
    private static final int AT_ONCE = 1_000;
    private static final int MOST_TURNS = 1_000_000;

    /** More than go into one commit. */
    protected int many() {
        return FollowUp.MOST_OTHERS + 3;
    }

    /** More than anybody will wait for in one commit; {@code ./verify crowd} says how many, the build does with fewer. */
    protected int crowd() {
        return Integer.getInteger("pawl.crowd", 1_000);
    }

    /** As many as wait at a gate when an account has been empty for a night. */
    private int crowdAtAGate() {
        return Integer.getInteger("pawl.crowd") == null ? crowd() : 10 * crowd();
    }

    // ---- many jobs

    private List<StoreDriver.Held> hold(String name, int many, long worker) {
        var held = new ArrayList<StoreDriver.Held>();
        for (var from = 0; from < many; from += AT_ONCE) {
            var some = Math.min(AT_ONCE, many - from);
            var submissions = new ArrayList<Change>();
            for (var i = 0; i < some; i++) {
                submissions.add(new Change.SubmitJob(identity(name + (from + i)), "1", null));
            }
            driver.store().exchange(submissions, Wanted.NOTHING);
            var left = some;
            while (left > 0) {
                var claimed = driver.claim(worker, left);
                claimed.forEach(one -> held.add(driver.claimed(one)));
                left -= claimed.size();
            }
        }
        return held;
    }

    private List<Applied> all(List<? extends Change> changes) {
        var applied = new ArrayList<Applied>();
        for (var from = 0; from < changes.size(); from += AT_ONCE) {
            applied.addAll(driver.store()
                    .exchange(
                            List.copyOf(changes.subList(from, Math.min(from + AT_ONCE, changes.size()))),
                            Wanted.NOTHING)
                    .applied());
        }
        return applied;
    }

    private static Change.CalledJob calledJob(String key) {
        return new Change.CalledJob(identity(key), new StoredJob.Given("1", Handling.usual()), false);
    }

    private long in(JobState state) {
        return driver.store().unfinished(Instant.EPOCH, time.now()).stream()
                .filter(one -> one.state() == state)
                .map(UnfinishedJobs::many)
                .mapToLong(UnfinishedJobs.HowMany::all)
                .sum();
    }

    /** Whoever comes next, at another handle, goes on until nothing is left; says how often it had to. */
    private int goOn() {
        var other = new StoreDriver(handle());
        var turns = 0;
        for (var left = other.store().followUps(0, 1);
                !left.isEmpty();
                left = other.store().followUps(0, 1)) {
            assertThat(other.apply(left.getFirst().goOn()).done()).isTrue();
            assertThat(++turns).as("it ends").isLessThan(MOST_TURNS);
        }
        return turns;
    }

    // ---- a dead worker

    @Test
    void a_dead_worker_stays_listed_and_can_do_nothing_until_its_last_job_was_given_back() {
        driver.enlist(1);
        var held = new ArrayList<>(hold("j", many(), 1));
        driver.submit("last", "1");
        var claim = driver.want(1, 1);
        driver.ask(claim).claimed().forEach(one -> held.add(driver.claimed(one)));
        assertThat(driver.ask(claim).claimed()).as("asked again").hasSize(1);
        assertThat(driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE)))
                .isInstanceOfSatisfying(Applied.TookOver.class, taken -> {
                    assertThat(taken.more()).isTrue();
                    assertThat(taken.jobs()).hasSizeLessThan(many()).allMatch(job -> job.state() == JobState.READY);
                });

        // Whoever began is gone. The worker is listed as what it is, and neither comes back nor leaves nor claims.
        assertThat(driver.store().workers()).singleElement().satisfies(worker -> {
            assertThat(worker.end()).isEqualTo(WorkerEnd.PROCESS_GONE);
            assertThat(worker.enlisted()).isFalse();
        });
        assertThat(driver.apply(new Change.Beat(1, 5))).isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.apply(new Change.Enlist(1, "a", Duration.ofSeconds(30), Taking.of(StoreDriver.WORKFLOW))))
                .isInstanceOf(Applied.LeaseLost.class);
        assertThat(driver.apply(new Change.Retire(1))).isInstanceOf(Applied.Conflict.class);
        assertThat(driver.claim(1, 5)).isEmpty();
        assertThat(driver.ask(claim).claimed()).as("not even what it has").isEmpty();
        assertThat(driver.apply(new Change.SubmitJob(identity("late"), "1", new Change.SubmitJob.Claim(1, 1_000_000)))
                        .stored())
                .isNotNull()
                .matches(job -> job.state() == JobState.READY);

        // Whoever comes next goes on, whatever it saw of the worker, and what was said of its end first holds.
        var other = new StoreDriver(handle());
        var more = true;
        while (more) {
            more = ((Applied.TookOver) other.apply(new Change.TakeOver(1, 99, WorkerEnd.BEAT_STOOD_STILL))).more();
        }
        assertThat(other.store().workers()).isEmpty();
        assertThat(other.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE)))
                .isInstanceOf(Applied.Already.class);
        assertThat(in(JobState.RUNNING)).isZero();
        for (var one : held) {
            assertThat(driver.entries(one))
                    .containsExactly(new Entry.OwnerGone(one.job().standing().fence(), true, 0));
        }
    }

    @Test
    void a_crowd_of_jobs_of_a_dead_worker_is_given_back() {
        driver.enlist(1);
        hold("j", crowd(), 1);
        var more = true;
        while (more) {
            var taken = (Applied.TookOver) driver.apply(new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
            assertThat(taken.jobs()).hasSizeLessThanOrEqualTo(FollowUp.MOST_OTHERS);
            more = taken.more();
        }
        assertThat(in(JobState.RUNNING)).isZero();
        assertThat(in(JobState.READY)).isEqualTo(crowd());
    }

    // ---- a gate

    private Change waitsAtGate(StoreDriver.Held held) {
        return new Change.WaitAtGateIfOwned(
                held.hold(),
                held.id(1),
                List.of(new Entry.Released(held.job().standing().fence(), "gate", Duration.ZERO)),
                new Gate.Wish(GATE, new Gate.Reason(Gate.Cause.ACCOUNT, "no credit", null, null)),
                null);
    }

    @Test
    void what_waits_at_a_gate_that_was_opened_goes_on_and_who_came_after_it_closed_again_stays() {
        driver.enlist(1);
        var waiting = hold("j", many(), 1);
        all(waiting.stream().map(this::waitsAtGate).toList());
        assertThat(driver.apply(new Change.OpenGate(GATE, 1, ANNA))).isInstanceOf(Applied.Now.class);
        assertThat(driver.store().followUps(0, 10))
                .singleElement()
                .satisfies(left -> assertThat(left.rest()).isEqualTo(new FollowUp.LetGo(GATE, 1)));
        assertThat(in(JobState.WAITING)).isPositive();

        // It closes again before all of them have gone on.
        var late = driver.claimed(driver.claim(1, 1).getFirst());
        driver.apply(waitsAtGate(late));
        assertThat(goOn()).isPositive();
        assertThat(in(JobState.WAITING)).isEqualTo(1);
        assertThat(driver.state(late)).isEqualTo(JobState.WAITING);
        assertThat(in(JobState.READY)).isEqualTo(many() - 1);
        assertThat(driver.store().waitingAt(GATE)).isEqualTo(1);

        driver.apply(new Change.OpenGate(GATE, 2, ANNA));
        assertThat(in(JobState.WAITING)).isZero();
        assertThat(driver.store().followUps(0, 10)).isEmpty();
    }

    @Test
    void a_crowd_at_a_gate_goes_on() {
        driver.enlist(1);
        all(hold("j", crowdAtAGate(), 1).stream().map(this::waitsAtGate).toList());
        assertThat(driver.store().waitingAt(GATE)).isEqualTo(crowdAtAGate());
        driver.apply(new Change.OpenGate(GATE, 1, ANNA));
        goOn();
        assertThat(driver.store().waitingAt(GATE)).isZero();
        assertThat(in(JobState.READY)).isEqualTo(crowdAtAGate());
    }

    // ---- callers

    @Test
    void everybody_who_called_a_job_hears_of_its_end_once_and_before_it_is_taken_up_again() {
        driver.enlist(1);
        var callers = hold("caller-", many(), 1);
        for (var caller : callers) {
            driver.apply(caller.call("c", calledJob("child")));
        }
        all(callers.stream().map(caller -> caller.release(Until.WAIT, LONG)).toList());
        var child = driver.claimed(driver.claim(1, 1).getFirst());
        assertThat(driver.apply(child.fail()).done()).isTrue();
        assertThat(driver.store().followUps(0, 10))
                .singleElement()
                .satisfies(left -> assertThat(left.rest())
                        .isInstanceOfSatisfying(
                                FollowUp.TellCallers.class,
                                told -> assertThat(told.job())
                                        .isEqualTo(child.job().id())));
        assertThat(in(JobState.WAITING)).isPositive();

        // It is not taken up again, given up or pruned before all have heard of how it ended.
        for (var change : List.of(
                new Change.RetryJob(child.job().id(), driver.newId(), ANNA),
                new Change.ResubmitJob(child.job().id(), driver.newId(), ANNA),
                new Change.DiscardJob(child.job().id(), driver.newId(), ANNA))) {
            assertThat(driver.apply(change))
                    .isInstanceOfSatisfying(
                            Applied.Conflict.class,
                            refused -> assertThat(refused.why())
                                    .contains("not all jobs that have to do with it have heard of that yet"));
        }
        assertThat(goOn()).isPositive();
        assertThat(in(JobState.WAITING)).isZero();
        for (var caller : callers) {
            assertThat(driver.entries(caller).stream()
                            .filter(entry -> entry instanceof Entry.Delivered told
                                    && told.message().kind() == Message.Kind.CHILD_ENDED))
                    .hasSize(1);
        }
        assertThat(driver.apply(new Change.RetryJob(child.job().id(), driver.newId(), ANNA)))
                .isInstanceOf(Applied.Now.class);
    }

    // ---- a tree that is called off

    private void callsMany(StoreDriver.Held parent, String name, int many) {
        for (var i = 0; i < many; i++) {
            driver.apply(parent.call(name + i, calledJob(name + i)));
        }
        driver.apply(parent.release(Until.WAIT, LONG));
    }

    @Test
    void a_tree_is_called_off_to_its_last_leaf_and_no_leaf_of_a_later_run_with_it() {
        driver.enlist(1);
        var root = driver.hold("root", 1);
        callsMany(root, "child-", many());
        // One of the last children has a child of its own.
        StoreDriver.Held last = null;
        var others = new ArrayList<Change>();
        for (var claimed : driver.claim(1, many())) {
            var held = driver.claimed(claimed);
            if (held.job().identity().equals(identity("child-" + (many() - 1)))) {
                last = held;
            } else {
                others.add(held.release(Until.WAIT, LONG));
            }
        }
        all(others);
        callsMany(Objects.requireNonNull(last), "leaf-", 2);

        var cancel = new Change.CancelJob(root.job().id(), driver.newId(), ANNA);
        assertThat(driver.apply(cancel)).isInstanceOf(Applied.Now.class);
        assertThat(driver.state(root)).isEqualTo(JobState.CANCELLED);
        assertThat(driver.store().followUps(0, 10)).isNotEmpty();
        assertThat(driver.store().find(identity("leaf-1")).orElseThrow().state())
                .isEqualTo(JobState.READY);
        assertThat(driver.apply(cancel)).as("once more").isInstanceOf(Applied.Already.class);

        // The run that was called off is not followed by another before its own children were called off.
        var again = new Change.ResubmitJob(root.job().id(), driver.newId(), ANNA);
        assertThat(driver.apply(again)).isInstanceOf(Applied.Conflict.class);
        driver.apply(new Change.PruneJobs(time.now().plus(LONG), 1_000));
        assertThat(driver.job(root.job().id()).pruned())
                .as("of which something is left to do")
                .isFalse();
        goOn();
        assertThat(driver.store()
                        .jobs(JobQuery.in(JobState.READY, JobState.WAITING))
                        .jobs())
                .isEmpty();
        assertThat(driver.store().find(identity("leaf-1")).orElseThrow().state())
                .isEqualTo(JobState.CANCELLED);

        assertThat(driver.apply(again)).isInstanceOf(Applied.Now.class);
        var rerun = driver.claimed(driver.claim(1, 1).getFirst());
        driver.apply(rerun.call("new", calledJob("of-the-new-run")));
        driver.apply(rerun.release(Until.WAIT, LONG));
        assertThat(goOn()).isZero();
        assertThat(driver.store().find(identity("of-the-new-run")).orElseThrow().state())
                .isEqualTo(JobState.READY);
    }

    @Test
    void a_crowd_below_a_job_is_called_off_with_it() {
        driver.enlist(1);
        var width = (int) Math.sqrt(crowd());
        var root = driver.hold("root", 1);
        callsMany(root, "branch-", width);
        var branches = new ArrayList<StoreDriver.Held>();
        while (branches.size() < width) {
            driver.claim(1, width).forEach(one -> branches.add(driver.claimed(one)));
        }
        for (var i = 1; i < width; i++) {
            var leaf = i;
            all(branches.stream()
                    .map(branch -> branch.call(
                            "l" + leaf, calledJob(branch.job().identity().key() + "-" + leaf)))
                    .toList());
        }
        all(branches.stream().map(branch -> branch.release(Until.WAIT, LONG)).toList());
        assertThat(in(JobState.READY)).isEqualTo((long) width * (width - 1));
        driver.apply(new Change.CancelJob(root.job().id(), driver.newId(), ANNA));
        goOn();
        assertThat(in(JobState.READY) + in(JobState.WAITING) + in(JobState.RUNNING))
                .isZero();
    }

    @Test
    void nothing_is_left_of_what_was_done_and_going_on_with_it_once_more_does_nothing() {
        driver.enlist(1);
        all(hold("j", many(), 1).stream().map(this::waitsAtGate).toList());
        driver.apply(new Change.OpenGate(GATE, 1, ANNA));
        var left = driver.store().followUps(0, 1).getFirst();
        assertThat(driver.apply(left.goOn())).isInstanceOf(Applied.Now.class);
        goOn();
        assertThat(driver.apply(left.goOn())).isInstanceOf(Applied.Already.class);
        assertThat(driver.apply(new Change.GoOn(1_000_000, 0))).isInstanceOf(Applied.Already.class);
    }

    private StoreDriver.Held called(String key) {
        return driver.claim(1, 1).stream()
                .map(driver::claimed)
                .filter(held -> held.job().identity().equals(identity(key)))
                .findFirst()
                .orElseThrow();
    }

    private long cancellations(String key) {
        return driver
                .store()
                .journal(driver.store().find(identity(key)).orElseThrow().id())
                .stream()
                .filter(line -> line.entry() instanceof Entry.CancelAsked)
                .count();
    }

    @Test
    void a_job_that_two_have_called_is_called_off_once_with_both_of_them() {
        driver.enlist(1);
        var root = driver.hold("root", 1);
        driver.apply(root.call("left", calledJob("left")));
        var left = called("left");
        driver.apply(root.call("right", calledJob("right")));
        var right = called("right");
        driver.apply(left.call("shared", calledJob("shared")));
        driver.apply(right.call("shared", calledJob("shared")));
        var shared = called("shared");
        driver.apply(left.call("done", calledJob("done")));
        driver.apply(called("done").finish("1"));
        driver.apply(root.release(Until.WAIT, LONG));
        assertThat(driver.apply(new Change.CancelJob(root.job().id(), driver.newId(), ANNA)))
                .isInstanceOf(Applied.Now.class);
        goOn();
        assertThat(driver.job(shared.job().id()).standing().cancelling()).isTrue();
        assertThat(cancellations("shared")).isEqualTo(1);
        assertThat(cancellations("done")).as("it had ended").isZero();
    }

    @Test
    void a_job_that_two_have_called_is_called_off_once_although_there_are_too_many_others_for_one_commit() {
        driver.enlist(1);
        var root = driver.hold("root", 1);
        driver.apply(root.call("left", calledJob("left")));
        var left = called("left");
        driver.apply(root.call("right", calledJob("right")));
        var right = called("right");
        driver.apply(left.call("shared", calledJob("shared")));
        driver.apply(right.call("shared", calledJob("shared")));
        var shared = called("shared");
        all(IntStream.range(0, many())
                .mapToObj(i -> left.call("leaf-" + i, calledJob("leaf-" + i)))
                .toList());
        driver.apply(left.release(Until.WAIT, LONG));
        driver.apply(right.release(Until.WAIT, LONG));
        driver.apply(root.release(Until.WAIT, LONG));
        driver.apply(new Change.CancelJob(root.job().id(), driver.newId(), ANNA));
        assertThat(driver.store().followUps(0, 10)).isNotEmpty();
        goOn();
        assertThat(driver.state(shared)).isEqualTo(JobState.RUNNING);
        assertThat(cancellations("shared")).isEqualTo(1);
        assertThat(in(JobState.READY) + in(JobState.WAITING)).isZero();
    }

    @Test
    void who_called_the_same_jobs_as_one_that_is_called_off_hears_of_all_of_them() {
        driver.enlist(1);
        var root = driver.hold("root", 1);
        var other = driver.hold("other", 1);
        for (var caller : List.of(root, other)) {
            all(IntStream.range(0, many() / 2)
                    .mapToObj(i -> caller.call("c" + i, calledJob("child-" + i)))
                    .toList());
        }
        driver.apply(root.release(Until.WAIT, LONG));
        driver.apply(new Change.CancelJob(other.job().id(), driver.newId(), ANNA));
        driver.apply(new Change.CancelJob(root.job().id(), driver.newId(), ANNA));
        goOn();
        assertThat(in(JobState.READY)).isZero();
        assertThat(driver.entries(other).stream()
                        .filter(entry -> entry instanceof Entry.Delivered told
                                && told.message().kind() == Message.Kind.CHILD_ENDED))
                .hasSize(many() / 2);
    }
}
