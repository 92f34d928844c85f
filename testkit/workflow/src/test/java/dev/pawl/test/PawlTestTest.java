package dev.pawl.test;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.decision.Verdict;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.test.Replayed.ReplayEnd;
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
        try (var pawl = PawlTest.of(W.implementedBy((seenJob, input) -> {
            var start = seenJob.now("start");
            seenJob.sleep("a", Duration.ofHours(8));
            times.add(Duration.between(start, seenJob.now("then")));
            seenJob.sleep("b", Duration.ofDays(2));
            return seenJob.step("s", String.class, () -> input + runs.incrementAndGet());
        }))) {
            var identity = pawl.submit(W, Key.of("x"), "in");
            assertThat(pawl.job(identity).state()).isEqualTo(JobState.WAITING);
            pawl.advance(Duration.ofDays(3));
            assertThat(pawl.result(W, identity)).isEqualTo("in1");
            assertThat(times.getLast()).as("woken at its time, not at the end").isEqualTo(Duration.ofHours(8));
        }
    }

    @Test
    void what_nobody_takes_is_left_once_the_engine_has_looked() {
        var other = Workflow.named("other", String.class, String.class);
        try (var pawl = PawlTest.of(W.implementedBy((seenJob, input) ->
                seenJob.awaitSignal("paid", String.class, Duration.ofDays(1)).orElse("never")))) {
            var nobodys = pawl.submit(other, Key.of("x"), "in");
            assertThat(pawl.job(nobodys).state()).isEqualTo(JobState.READY);
            var identity = pawl.submit(W, Key.of("x"), "in");
            pawl.signal(identity, "paid", "yes", "evt");
            assertThat(pawl.result(W, identity)).isEqualTo("yes");
            assertThat(pawl.job(nobodys).state()).isEqualTo(JobState.READY);
        }
    }

    @Test
    void retries_signals_questions_gates_and_calling_off_work_as_they_do_for_real() {
        try (var pawl = PawlTest.of(W.implementedBy((seenJob, input) -> {
            seenJob.step(named("flaky").attempts(3), String.class, () -> {
                if (runs.incrementAndGet() < 3) {
                    throw new IllegalStateException("down");
                }
                return "";
            });
            var paid = seenJob.awaitSignal("paid", Integer.class, Duration.ofDays(1))
                    .orElse(0);
            seenJob.approve("send", paid, "Send it?", Duration.ofHours(12));
            seenJob.effect("send", idempotent(), paid, String.class, (request, a) -> {
                if (runs.incrementAndGet() == 4) {
                    throw new AccountTrouble("no credit");
                }
                return "sent";
            });
            seenJob.sleep("long", Duration.ofDays(30));
            return "done";
        }))) {
            var identity = pawl.submit(W, Key.of("x"), "in");
            pawl.advance(Duration.ofMinutes(30));
            assertThat(runs).hasValue(3);
            pawl.signal(identity, "paid", 7, "evt");
            assertThat(pawl.question(identity).because()).isEqualTo("Send it?");
            pawl.decide(identity, Verdict.APPROVE, null);
            assertThat(pawl.closedGates()).hasSize(1);
            pawl.open(pawl.closedGates().getFirst());
            pawl.advance(Duration.ofHours(1));
            assertThat(pawl.job(identity).state()).isEqualTo(JobState.WAITING);
            pawl.cancel(identity);
            assertThat(pawl.job(identity).state()).isEqualTo(JobState.CANCELLED);
            assertThatThrownBy(() -> pawl.result(W, identity)).hasMessageContaining("is CANCELLED");
        }
    }

    private ExportedJob exported() {
        try (var pawl = PawlTest.of(W.implementedBy(this::yesterday))) {
            var identity = pawl.submit(W, Key.of("x"), "in");
            pawl.advance(Duration.ofDays(1));
            return ExportedJob.parse(pawl.export(identity).text());
        }
    }

    private String yesterday(dev.pawl.job.Job seenJob, String input) {
        var text = seenJob.step("write", String.class, () -> input + runs.incrementAndGet());
        seenJob.sleep("nap", Duration.ofHours(1));
        return seenJob.effect("send", idempotent(), text, String.class, (request, a) -> request + " sent");
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
        Workflow.Body<String, String> more = (seenJob, input) -> {
            var text = seenJob.step("write", String.class, () -> "never");
            seenJob.step("review", String.class, () -> "never" + runs.incrementAndGet());
            return text;
        };
        var replayed = exported.replay(W.implementedBy(more));
        assertThat(replayed.how()).isEqualTo(ReplayEnd.WOULD_DO);
        assertThat(replayed.place()).hasToString("review");

        Workflow.Body<String, String> renamed = (seenJob, input) -> seenJob.effect(
                "mail", idempotent(), "x", String.class, (request, a) -> "never" + runs.incrementAndGet());
        assertThat(exported.replay(W.implementedBy(renamed)).how()).isEqualTo(ReplayEnd.WOULD_ASK);

        Workflow.Body<String, String> told = (seenJob, input) -> seenJob.effect(
                named("mail").was("send"),
                idempotent(),
                "in1",
                String.class,
                (request, a) -> "never" + runs.incrementAndGet());
        assertThat(exported.replay(W.implementedBy(told)).how()).isEqualTo(ReplayEnd.FINISHED);

        Workflow.Body<String, String> other = (seenJob, input) -> seenJob.step("write", String.class, () -> "never");
        assertThatThrownBy(() -> exported.assertStillFits(W.implementedBy(other)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no longer fits job w/x");

        Workflow.Body<String, String> fails = (seenJob, input) -> {
            throw new IllegalStateException("broken");
        };
        assertThat(exported.replay(W.implementedBy(fails)).how()).isEqualTo(ReplayEnd.FAILS);
        assertThat(runs).as("nothing was done").hasValue(1);
    }

    @Test
    void a_journal_with_calls_signals_approvals_and_a_conversation_replays_too() {
        var child = Workflow.named("child", String.class, String.class);
        Workflow.Body<String, String> body = (seenJob, input) -> {
            var chat = seenJob.conversation();
            chat.say("q", "user", input);
            chat.reply("a", "assistant", () -> "answer" + runs.incrementAndGet());
            seenJob.artifact("page", "text/plain", new byte[] {1, 2, 3});
            var paid = seenJob.awaitSignal("paid", Integer.class, Duration.ofDays(1))
                    .orElse(0);
            var called = seenJob.call("child", child, Key.of("c"), input);
            seenJob.approve("send", paid, "Send it?", Duration.ofHours(12));
            var sent = seenJob.effect("send", idempotent(), paid, String.class, (request, a) -> {
                runs.incrementAndGet();
                return "sent " + request;
            });
            return chat.turns().getLast().content() + " " + called + " " + sent;
        };
        ExportedJob exported;
        try (var pawl = PawlTest.of(
                W.implementedBy(body), child.implementedBy((seenJob, input) -> "child of " + input + runs.get()))) {
            var identity = pawl.submit(W, Key.of("x"), "in");
            pawl.signal(identity, "paid", 7, "evt");
            pawl.decide(identity, Verdict.APPROVE, null);
            assertThat(pawl.result(W, identity)).isEqualTo("answer1 child of in1 sent 7");
            exported = ExportedJob.parse(pawl.export(identity).text());
        }
        exported.assertStillFits(W.implementedBy(body));
        assertThat(runs).as("nothing was done again").hasValue(2);
    }

    @Test
    void a_journal_of_a_fan_out_replays_too() {
        Workflow.Body<String, String> body = (seenJob, input) -> seenJob.map(
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
        assertThat(new Replayed(ReplayEnd.FINISHED, null, "").place()).isNull();
    }
}
