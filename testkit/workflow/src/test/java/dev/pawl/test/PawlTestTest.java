package dev.pawl.test;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.decision.Verdict;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.retry.AccountTrouble;
import dev.pawl.test.Replayed.How;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Workflows in tests: time passes when the test says so, and yesterday's journals tell whether today's code still fits. */
class PawlTestTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void time_stands_still_until_the_test_advances_it() {
        var times = new ArrayList<Duration>();
        try (var pawl = PawlTest.of(W.implementedBy((job, input) -> {
            var start = job.now("start");
            job.sleep("a", Duration.ofHours(8));
            times.add(Duration.between(start, job.now("then")));
            job.sleep("b", Duration.ofDays(2));
            return job.step("s", String.class, () -> input + runs.incrementAndGet());
        }))) {
            var job = pawl.submit(W, Key.of("x"), "in");
            assertThat(pawl.job(job).state()).isEqualTo(JobState.WAITING);
            pawl.advance(Duration.ofDays(3));
            assertThat(pawl.result(W, job)).isEqualTo("in1");
            assertThat(times.getLast()).as("woken at its time, not at the end").isEqualTo(Duration.ofHours(8));
        }
    }

    @Test
    void what_nobody_takes_is_left_once_the_engine_has_looked() {
        var other = Workflow.named("other", String.class, String.class);
        try (var pawl = PawlTest.of(W.implementedBy((job, input) ->
                job.awaitSignal("paid", String.class, Duration.ofDays(1)).orElse("never")))) {
            var nobodys = pawl.submit(other, Key.of("x"), "in");
            assertThat(pawl.job(nobodys).state()).isEqualTo(JobState.READY);
            var job = pawl.submit(W, Key.of("x"), "in");
            pawl.signal(job, "paid", "yes", "evt");
            assertThat(pawl.result(W, job)).isEqualTo("yes");
            assertThat(pawl.job(nobodys).state()).isEqualTo(JobState.READY);
        }
    }

    @Test
    void retries_signals_questions_gates_and_calling_off_work_as_they_do_for_real() {
        try (var pawl = PawlTest.of(W.implementedBy((job, input) -> {
            job.step(named("flaky").attempts(3), String.class, () -> {
                if (runs.incrementAndGet() < 3) {
                    throw new IllegalStateException("down");
                }
                return "";
            });
            var paid =
                    job.awaitSignal("paid", Integer.class, Duration.ofDays(1)).orElse(0);
            job.approve("send", paid, "Send it?", Duration.ofHours(12));
            job.effect("send", idempotent(), paid, String.class, (request, a) -> {
                if (runs.incrementAndGet() == 4) {
                    throw new AccountTrouble("no credit");
                }
                return "sent";
            });
            job.sleep("long", Duration.ofDays(30));
            return "done";
        }))) {
            var job = pawl.submit(W, Key.of("x"), "in");
            pawl.advance(Duration.ofMinutes(30));
            assertThat(runs).hasValue(3);
            pawl.signal(job, "paid", 7, "evt");
            assertThat(pawl.question(job).because()).isEqualTo("Send it?");
            pawl.decide(job, Verdict.APPROVE, null);
            assertThat(pawl.closedGates()).hasSize(1);
            pawl.open(pawl.closedGates().getFirst());
            pawl.advance(Duration.ofHours(1));
            assertThat(pawl.job(job).state()).isEqualTo(JobState.WAITING);
            pawl.cancel(job);
            assertThat(pawl.job(job).state()).isEqualTo(JobState.CANCELLED);
            assertThatThrownBy(() -> pawl.result(W, job)).hasMessageContaining("is CANCELLED");
        }
    }

    private ExportedJob exported() {
        try (var pawl = PawlTest.of(W.implementedBy(this::yesterday))) {
            var job = pawl.submit(W, Key.of("x"), "in");
            pawl.advance(Duration.ofDays(1));
            return ExportedJob.parse(pawl.export(job).text());
        }
    }

    private String yesterday(dev.pawl.job.Job job, String input) {
        var text = job.step("write", String.class, () -> input + runs.incrementAndGet());
        job.sleep("nap", Duration.ofHours(1));
        return job.effect("send", idempotent(), text, String.class, (request, a) -> request + " sent");
    }

    @Test
    void yesterdays_journal_replays_against_the_same_code_and_nothing_runs() {
        var exported = exported();
        exported.assertStillFits(W.implementedBy(this::yesterday));
        assertThat(runs).hasValue(1);
        assertThat(exported.replay(W.implementedBy(this::yesterday)).says()).isEqualTo("\"in1 sent\"");
    }

    @Test
    void a_step_that_is_new_an_effect_that_was_renamed_and_a_result_that_changed_are_found_out() {
        var exported = exported();
        Workflow.Body<String, String> more = (job, input) -> {
            var text = job.step("write", String.class, () -> "never");
            job.step("review", String.class, () -> "never" + runs.incrementAndGet());
            return text;
        };
        var replayed = exported.replay(W.implementedBy(more));
        assertThat(replayed.how()).isEqualTo(How.WOULD_DO);
        assertThat(replayed.place()).hasToString("review");

        Workflow.Body<String, String> renamed = (job, input) ->
                job.effect("mail", idempotent(), "x", String.class, (request, a) -> "never" + runs.incrementAndGet());
        assertThat(exported.replay(W.implementedBy(renamed)).how()).isEqualTo(How.WOULD_ASK);

        Workflow.Body<String, String> told = (job, input) -> job.effect(
                named("mail").was("send"),
                idempotent(),
                "in1",
                String.class,
                (request, a) -> "never" + runs.incrementAndGet());
        assertThat(exported.replay(W.implementedBy(told)).how()).isEqualTo(How.FINISHED);

        Workflow.Body<String, String> other = (job, input) -> job.step("write", String.class, () -> "never");
        assertThatThrownBy(() -> exported.assertStillFits(W.implementedBy(other)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no longer fits job w/x");

        Workflow.Body<String, String> fails = (job, input) -> {
            throw new IllegalStateException("broken");
        };
        assertThat(exported.replay(W.implementedBy(fails)).how()).isEqualTo(How.FAILS);
        assertThat(runs).as("nothing was done").hasValue(1);
    }

    @Test
    void a_journal_with_calls_signals_approvals_and_a_conversation_replays_too() {
        var child = Workflow.named("child", String.class, String.class);
        Workflow.Body<String, String> body = (job, input) -> {
            var chat = job.conversation();
            chat.say("q", "user", input);
            chat.reply("a", "assistant", () -> "answer" + runs.incrementAndGet());
            job.artifact("page", "text/plain", new byte[] {1, 2, 3});
            var paid =
                    job.awaitSignal("paid", Integer.class, Duration.ofDays(1)).orElse(0);
            var called = job.call("child", child, Key.of("c"), input);
            job.approve("send", paid, "Send it?", Duration.ofHours(12));
            var sent = job.effect("send", idempotent(), paid, String.class, (request, a) -> {
                runs.incrementAndGet();
                return "sent " + request;
            });
            return chat.turns().getLast().content() + " " + called + " " + sent;
        };
        ExportedJob exported;
        try (var pawl = PawlTest.of(
                W.implementedBy(body), child.implementedBy((job, input) -> "child of " + input + runs.get()))) {
            var job = pawl.submit(W, Key.of("x"), "in");
            pawl.signal(job, "paid", 7, "evt");
            pawl.decide(job, Verdict.APPROVE, null);
            assertThat(pawl.result(W, job)).isEqualTo("answer1 child of in1 sent 7");
            exported = ExportedJob.parse(pawl.export(job).text());
        }
        exported.assertStillFits(W.implementedBy(body));
        assertThat(runs).as("nothing was done again").hasValue(2);
    }

    @Test
    void a_journal_of_a_fan_out_replays_too() {
        Workflow.Body<String, String> body = (job, input) -> job.map(
                        "m",
                        List.of("a", "b"),
                        item -> item,
                        (each, item) -> each.step("s", String.class, () -> item + runs.incrementAndGet()))
                .toString();
        ExportedJob exported;
        try (var pawl = PawlTest.of(W.implementedBy(body))) {
            exported = pawl.export(pawl.submit(W, Key.of("x"), "in"));
        }
        exported.assertStillFits(W.implementedBy(body));
        assertThat(runs).hasValue(2);
        assertThat(Handling.usual().queue()).isEmpty();
        assertThatThrownBy(() -> exported.replay(
                        Workflow.named("other", String.class, String.class).implementedBy(body)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ExportedJob.parse("")).isInstanceOf(IllegalArgumentException.class);
        assertThat(new Replayed(How.FINISHED, null, "").place()).isNull();
    }
}
