package dev.pawl;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pawl.cost.Prices;
import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Contract;
import dev.pawl.failure.JobFailed;
import dev.pawl.failure.JobPaused;
import dev.pawl.gate.Budget;
import dev.pawl.job.Handling;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.list.Cursor;
import dev.pawl.look.JobQuery;
import dev.pawl.retry.Retry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every refusal: the input, one sentence that says what is wrong and what to do, and nothing half-done. */
class BadInputTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Audit ANNA = new Audit("anna", "because");

    interface Doing {
        void run() throws Exception;
    }

    private static Arguments bad(String what, Doing doing, String sentence) {
        return Arguments.of(what, doing, sentence);
    }

    static Stream<Arguments> values() {
        return Stream.of(
                bad("a key without parts", () -> Key.of(), "1 to 16 parts"),
                bad("an empty key", () -> Key.of(""), "empty"),
                bad(
                        "a workflow's name",
                        () -> Workflow.named("no good!", String.class, String.class),
                        "use up to 100 letters"),
                bad("a step's name", () -> named("a/b").place(""), "use up to 100 letters"),
                bad("a queue's name", () -> Handling.usual().queue("a b"), "use up to 100 letters"),
                bad("a priority", () -> Handling.usual().priority(5_000), "between -1000 and 1000"),
                bad("a limit", () -> Handling.usual().atMost(0, "k"), "1 to 10,000 jobs at once"),
                bad("a limit's key", () -> Handling.usual().atMost(1, ""), "1 to 200 characters"),
                bad("a principal", () -> Handling.usual().principal("a\nb"), "without control characters"),
                bad("attempts", () -> named("s").attempts(0), "at least one attempt"),
                bad("a time-out", () -> named("s").timeout(Duration.ZERO), "longer than nothing"),
                bad("too many at once", () -> named("s").atOnce(5_000), "1 to 1,000 items"),
                bad("a backoff", () -> new Retry(3, Duration.ofHours(1), Duration.ofMinutes(1)), "a backoff goes from"),
                bad("a memory", () -> Contract.idempotent(Duration.ZERO), "say how long"),
                bad("a budget", () -> Budget.tokens(0), "more than nothing"),
                bad("tokens", () -> Use.of("m").input(1).cached(2), "part of the input"),
                bad("a price", () -> Prices.parse("p", List.of("m, x, 1")), "p, line 1"),
                bad("a cursor", () -> new Cursor("yesterday!"), "use one that was given with a page or an event"),
                bad("a page", () -> JobQuery.all().most(0), "1 to 1,000"),
                bad("a state", () -> JobState.parse("asleep"), "say ready, running"),
                bad("a verdict", () -> Verdict.parse("maybe"), "say done, retry, skip"),
                bad("a note", () -> new Audit("anna", " "), "say why"),
                bad("an identity", () -> Identity.parse("nonsense"), "WORKFLOW/KEY"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("values")
    void a_value_that_cannot_be_is_refused_where_it_is_made(String what, Doing doing, String sentence) {
        var thrown = catchThrowable(doing::run);
        assertThat(thrown).as(what).isInstanceOf(IllegalArgumentException.class);
        assertThat(thrown).hasMessageContaining(sentence);
        assertThat(thrown.getMessage()).doesNotContain("\n", "Exception", "\tat ");
    }

    private static Arguments body(String what, Workflow.Body<String, String> body, String sentence) {
        return Arguments.of(what, body, sentence);
    }

    static Stream<Arguments> bodies() {
        return Stream.of(
                body(
                        "a result that cannot be encoded",
                        (job, input) -> job.step("s", Thread.class, () -> Thread.currentThread())
                                .getName(),
                        "cannot be kept"),
                body(
                        "a result that is too large",
                        (job, input) -> job.step("s", String.class, () -> "x".repeat((4 << 20) + 1)),
                        "keep it in a file and return its name"),
                body(
                        "a name used twice in a scope",
                        (job, input) -> job.step("s", String.class, () -> "") + job.step("s", String.class, () -> ""),
                        "is used twice in this workflow; give each use a name or an item key of its own"),
                body(
                        "a step inside a step",
                        (job, input) -> job.step("s", String.class, () -> job.step("t", String.class, () -> "")),
                        "steps and effects stand beside each other"),
                body(
                        "a call from a foreign thread",
                        BadInputTest::foreign,
                        "call it only from the workflow's own code"),
                body(
                        "two items with one key",
                        (job, input) -> job.map("m", List.of("a", "a"), item -> item, (each, item) -> item)
                                .toString(),
                        "a key tells one item from all others"),
                body(
                        "an item without a key",
                        (job, input) -> job.map("m", List.of("a"), item -> "", (each, item) -> item)
                                .toString(),
                        "say what tells it from all others"),
                body(
                        "a use outside a step",
                        (job, input) -> {
                            job.use("m", 1, 1, 0, 0);
                            return "";
                        },
                        "tell it inside the one that used it"),
                body(
                        "bytes that are too many",
                        (job, input) -> job.artifact("a", "text/plain", new byte[(1 << 20) + 1])
                                .sha256(),
                        "write a file and give its path"),
                body(
                        "a sleep that never ends",
                        (job, input) -> {
                            job.sleep("s", Duration.ofDays(9_999));
                            return "";
                        },
                        "between nothing and ten years"),
                body(
                        "a turn without a key",
                        (job, input) ->
                                job.conversation().say("", "user", "hello").content(),
                        "say what tells it from all others"));
    }

    private static String foreign(Job job, String input) throws InterruptedException {
        var thrown = new AtomicReference<RuntimeException>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        job.step("s", String.class, () -> "");
                    } catch (IllegalStateException e) {
                        thrown.set(e);
                    }
                })
                .join();
        throw thrown.get();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void what_code_may_not_do_fails_the_job_with_a_sentence_and_nothing_is_half_done(
            String what, Workflow.Body<String, String> body, String sentence) {
        try (var pawl = Pawl.inMemory()) {
            pawl.work(W.implementedBy(body).retry(new Retry(1, Duration.ZERO, Duration.ZERO)));
            var job = pawl.submit(W, Key.of("x"), "in");
            var thrown = catchThrowable(job::join);
            assertThat(thrown).as(what).isInstanceOf(JobFailed.class).hasMessageContaining(sentence);
            assertThat(thrown).hasMessageContaining("pawl retry w/x");
            assertThat(thrown.getMessage()).doesNotContain("\n", "\tat ");
            var stored = pawl.find(job.identity()).orElseThrow();
            assertThat(pawl.journal(stored)).noneMatch(line -> line.entry() instanceof Entry.Intended);
        }
    }

    @Test
    void what_is_sent_to_a_job_that_does_not_want_it_is_refused_and_changes_nothing() throws InterruptedException {
        try (var pawl = Pawl.inMemory()) {
            pawl.work(W.implementedBy((job, input) -> {
                if (input.equals("asks")) {
                    job.approve("e", "x", "May it?", Duration.ofHours(1));
                }
                return input;
            }));
            var done = pawl.submit(W, Key.of("done"), "x");
            done.join();
            var asks = pawl.submit(W, Key.of("asks"), "asks");
            assertThat(catchThrowable(asks::join)).isInstanceOf(JobPaused.class);
            var finished = pawl.find(done.identity()).orElseThrow();
            var asking = pawl.find(asks.identity()).orElseThrow();
            var before = pawl.happened(Cursor.START, 100).size();

            refused(() -> pawl.signal(finished, "paid", 1, "id"), "is DONE; nobody waits for signal paid any more");
            refused(() -> pawl.signal(asking, "paid", 1, ""), "such as the webhook's own id");
            refused(
                    () -> pawl.signal(asking, "paid", "x".repeat((1 << 20) + 1), "id"),
                    "keep it in a file and send its name");
            refused(() -> pawl.decide(finished, Decision.done(null).by("anna", "x")), "is DONE and asks nothing");
            refused(
                    () -> pawl.decide(asking, Decision.skip().by("anna", "x")),
                    "\"skip\" does not answer this question; it takes approve, deny");
            refused(() -> pawl.cancel(finished, ANNA), "cannot be called off");
            refused(() -> pawl.retry(finished, ANNA), "only a job that is FAILED can be retried");
            refused(() -> pawl.discard(asking, ANNA), "only a job that is FAILED can be discarded");
            refused(() -> pawl.submit(W, Key.of("asks"), "other"), "give the new work a key of its own");
            assertThat(pawl.happened(Cursor.START, 100)).hasSize(before);
        }
    }

    private static void refused(Doing doing, String sentence) {
        var thrown = catchThrowable(doing::run);
        assertThat(thrown).isNotNull().hasMessageContaining(sentence);
        assertThat(thrown.getMessage()).doesNotContain("\n", "Exception", "\tat ");
    }

    @Test
    void a_workflow_that_nobody_works_here_is_submitted_and_waits() throws InterruptedException {
        try (var pawl = Pawl.inMemory()) {
            pawl.work(W.implementedBy((job, input) -> input));
            var other = Workflow.named("other", String.class, String.class);
            var job = pawl.submit(other, Key.of("x"), "in");
            assertThat(job.join(Duration.ofMillis(300))).isEmpty();
            assertThat(pawl.find(job.identity()).orElseThrow().state()).isEqualTo(JobState.READY);
        }
    }
}
