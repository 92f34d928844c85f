package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.Verdict;
import dev.pawl.job.Handling;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Public failures of others, replayed here by the names they were reported under. */
class RivalsTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final Stage stage = newStage();
    private final List<String> done = new ArrayList<>();

    /** Where it is replayed. */
    Stage newStage() {
        return new Stage();
    }

    private String did(String what) {
        done.add(what);
        return what;
    }

    private Identity submit(String key, Handling handling) {
        var identity = new Identity(W.name(), Key.of(key));
        stage.apply(new Change.SubmitJob(identity, new StoredJob.Given("\"in\"", handling), null));
        return identity;
    }

    private Identity leftBehindByADeadProcess() {
        var a = stage.actor("a");
        stage.work(
                a,
                W.implementedBy((job, input) -> job.step("s", String.class, () -> {
                    a.pause(Duration.ofHours(1));
                    return "never";
                })));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.RUNNING);
        a.process.crash();
        return job;
    }

    @Test
    void dbos_py_716_the_database_is_away_during_recovery_and_nobody_is_pending_for_ever() {
        var job = leftBehindByADeadProcess();
        var b = stage.actor("b");
        b.process.cutOff(Duration.ofMinutes(5));
        stage.work(b, W.implementedBy((run, input) -> run.step("s", String.class, () -> did("s"))));
        stage.forAWhile(Duration.ofMinutes(4));
        assertThat(stage.job(job).state()).isEqualTo(JobState.RUNNING);
        stage.until(job, JobState.DONE);
        assertThat(done).containsExactly("s");
    }

    @Test
    void dbos_py_742_a_recoverer_that_came_second_does_not_run_it() {
        var job = leftBehindByADeadProcess();
        for (var name : List.of("b", "c", "d")) {
            stage.work(stage.actor(name), W.implementedBy((run, input) -> run.step("s", String.class, () -> did("s"))));
        }
        stage.until(job, JobState.DONE);
        stage.forAWhile(Duration.ofMinutes(2));
        assertThat(done).containsExactly("s");
    }

    @Test
    void dbos_py_804_a_draining_worker_does_not_claim_again_what_it_hands_back() {
        var a = stage.actor("a");
        stage.work(a, Duration.ofSeconds(5), W.implementedBy((job, input) -> {
            job.step("one", String.class, () -> {
                a.pause(Duration.ofSeconds(3));
                return did("one");
            });
            return job.step("two", String.class, () -> did("two on a"));
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.RUNNING);
        stage.forAWhile(Duration.ofSeconds(1));
        a.shutDown();
        stage.until(job, JobState.READY);
        stage.forAWhile(Duration.ofMinutes(1));
        assertThat(stage.job(job).state()).isEqualTo(JobState.READY);
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            run.step("one", String.class, () -> did("one again"));
            return run.step("two", String.class, () -> did("two"));
        }));
        stage.until(job, JobState.DONE);
        assertThat(done).containsExactly("one", "two");
    }

    @Test
    void dbos_py_805_a_job_that_died_between_steps_does_not_block_a_one_at_a_time_lane() {
        var a = stage.actor("a");
        stage.work(a, W.implementedBy((job, input) -> {
            job.step("one", String.class, () -> did("one of " + job.identity().key()));
            a.process.pauseQuietly(Duration.ofHours(1));
            return "never";
        }));
        var single = Handling.usual().atMost(1, "lane");
        var first = submit("first", single);
        var second = submit("second", single);
        stage.until(() -> stage.journal(first).stream().anyMatch(entry -> entry instanceof Entry.StepDone));
        a.process.crash();
        stage.work(
                stage.actor("b"),
                W.implementedBy((job, input) -> job.step(
                        "one",
                        String.class,
                        () -> did("one of " + job.identity().key()))));
        stage.until(first, JobState.DONE);
        stage.until(second, JobState.DONE);
        assertThat(done).containsExactly("one of first", "one of second");
    }

    @Test
    void dbos_py_818_the_loser_does_not_go_on_with_later_steps() {
        var a = stage.actor("a");
        stage.work(a, W.implementedBy((job, input) -> {
            job.step("one", String.class, () -> {
                a.process.freeze(Duration.ofMinutes(10), false);
                a.pause(Duration.ofMillis(1));
                return "late";
            });
            return job.step("two", String.class, () -> did("two by the loser"));
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> a.process.frozen());
        stage.work(stage.actor("b"), W.implementedBy((run, input) -> {
            run.step("one", String.class, () -> did("one"));
            return run.step("two", String.class, () -> did("two"));
        }));
        stage.until(job, JobState.DONE);
        stage.forAWhile(Duration.ofMinutes(15));
        assertThat(done).containsExactly("one", "two");
    }

    @Test
    void dbos_ts_1207_the_same_key_is_the_same_job_whatever_queue_it_is_submitted_to() {
        stage.work(stage.actor("a"), W.implementedBy((job, input) -> job.step("s", String.class, () -> did("s"))));
        var job = submit("x", Handling.usual());
        stage.until(job, JobState.DONE);
        for (var handling : List.of(
                Handling.usual().queue("mail"),
                Handling.usual().priority(9),
                Handling.usual().atMost(1, "lane"))) {
            assertThat(stage.apply(new Change.SubmitJob(job, new StoredJob.Given("\"in\"", handling), null)))
                    .isInstanceOf(Applied.Already.class);
        }
        stage.forAWhile(Duration.ofMinutes(1));
        assertThat(done).containsExactly("s");
    }

    @Test
    void dbos_java_467_the_result_of_whoever_owns_the_job_is_kept_whatever_befell_it_before() {
        var a = stage.actor("a");
        stage.work(
                a,
                W.implementedBy((job, input) -> job.step("s", String.class, () -> {
                    a.process.freeze(Duration.ofMinutes(3), false);
                    a.pause(Duration.ofMillis(1));
                    return "late";
                })));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> a.process.frozen());
        stage.work(
                stage.actor("b"),
                W.implementedBy((run, input) -> run.step("s", String.class, () -> {
                    stage.after(
                            Duration.ofSeconds(1),
                            () -> stage.apply(new Change.Deliver(
                                    stage.job(job).id(), new Message("id", Message.Kind.SIGNAL, "news", "1"))));
                    return did("s");
                })));
        stage.until(job, JobState.DONE);
        stage.forAWhile(Duration.ofMinutes(5));
        assertThat(stage.result(job)).isEqualTo("\"s\"");
    }

    @Test
    void langgraph_8039_a_crash_between_two_writes_means_the_same_wherever_it_is_resumed() {
        for (var resumedBy : List.of("b", "c")) {
            var sent = new AtomicInteger();
            var here = newStage();
            var a = here.actor("a");
            here.work(
                    a,
                    W.implementedBy((job, input) -> job.effect("send", none(), "", String.class, (request, at) -> {
                        sent.incrementAndGet();
                        here.after(Duration.ZERO, a.process::crash);
                        a.pause(Duration.ofHours(1));
                        return "never";
                    })));
            var job = here.submit(W, "x", "in");
            here.until(() -> a.process.crashed());
            here.work(
                    here.actor(resumedBy),
                    W.implementedBy((run, input) -> run.effect(
                            "send", none(), "", String.class, (request, at) -> "" + sent.incrementAndGet())));
            here.until(job, JobState.PAUSED);
            assertThat(sent).as("nobody guesses").hasValue(1);
        }
    }

    @Test
    void langgraph_7417_a_tool_of_ten_minutes_is_not_silently_run_again() {
        var a = stage.actor("a");
        Workflow.Body<String, String> body = (job, input) -> job.step("tool", String.class, () -> {
            did("tool");
            a.pause(Duration.ofMinutes(10));
            return "done";
        });
        stage.work(a, W.implementedBy(body));
        stage.work(stage.actor("b"), W.implementedBy(body));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.DONE);
        assertThat(done).containsExactly("tool");
    }

    @Test
    void agent_framework_3938_a_turn_that_is_replayed_sends_no_second_mail() {
        var a = stage.actor("a");
        stage.work(a, turns(() -> {
            stage.after(Duration.ZERO, a.process::crash);
            a.pause(Duration.ofHours(1));
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> a.process.crashed());
        stage.work(stage.actor("b"), turns(() -> {}));
        stage.until(job, JobState.DONE);
        assertThat(done).containsExactly("reply 1", "mail", "reply 2", "reply 2");
    }

    interface Moment {
        void pass() throws InterruptedException;
    }

    private Workflow.Implementation<String, String> turns(Moment inTheSecondReply) {
        return W.implementedBy((job, input) -> {
            var chat = job.conversation();
            chat.say("q1", "user", input);
            chat.reply("a1", "assistant", () -> did("reply 1"));
            job.effect("mail", idempotent(), input, String.class, (request, at) -> did("mail"));
            return chat.reply("a2", "assistant", () -> {
                        did("reply 2");
                        inTheSecondReply.pass();
                        return "reply 2";
                    })
                    .content();
        });
    }

    @Test
    void leviath_96_a_batch_of_tools_in_flight_is_not_run_again() {
        var a = stage.actor("a");
        stage.work(a, batch(item -> {
            if (!item.equals("quick")) {
                stage.after(Duration.ofSeconds(1), a.process::crash);
                a.pause(Duration.ofHours(1));
            }
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(() -> a.process.crashed());
        stage.work(stage.actor("b"), batch(item -> {}));
        stage.until(job, JobState.PAUSED);
        assertThat(done).containsExactlyInAnyOrder("quick", "slow", "slower");
        assertThat(stage.journal(job)).anyMatch(entry -> entry instanceof Entry.Asked);
    }

    interface Moments {
        void pass(String item) throws InterruptedException;
    }

    private Workflow.Implementation<String, String> batch(Moments moments) {
        return W.implementedBy((job, input) -> job.map(
                        "tools",
                        List.of("quick", "slow", "slower"),
                        item -> item,
                        (each, item) -> use(each, item, moments))
                .toString());
    }

    private String use(Job each, String item, Moments moments) {
        return each.effect("use", none(), item, String.class, (request, at) -> {
            did(item);
            moments.pass(item);
            return item;
        });
    }

    @Test
    void openworker_443_an_approval_that_was_used_is_not_good_for_a_second_time() {
        var a = stage.actor("a");
        stage.work(a, approved(() -> {
            stage.after(Duration.ZERO, a.process::crash);
            a.pause(Duration.ofHours(1));
        }));
        var job = stage.submit(W, "x", "in");
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.APPROVE, null);
        stage.until(() -> a.process.crashed());
        stage.work(stage.actor("b"), approved(() -> {}));
        stage.until(job, JobState.PAUSED);
        stage.decide(job, Verdict.RETRY, null);
        stage.until(() ->
                stage.job(job).state() == JobState.PAUSED && stage.question(job).kind() == QuestionKind.APPROVE);
        assertThat(done).as("it asks again before it acts again").containsExactly("act");
    }

    private Workflow.Implementation<String, String> approved(Moment inTheAct) {
        return W.implementedBy((job, input) -> {
            job.approve("act", input, "may it?", Duration.ofDays(2));
            return job.effect("act", none(), input, String.class, (request, at) -> {
                did("act");
                inTheAct.pass();
                return "done";
            });
        });
    }
}
