package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.effect.Contract;
import dev.pawl.failure.DecisionConflict;
import dev.pawl.failure.JobFailed;
import dev.pawl.failure.JobPaused;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.Rejected;
import dev.pawl.failure.SubmitConflict;
import dev.pawl.failure.ThrownInJob;
import dev.pawl.job.Finding;
import dev.pawl.job.JobState;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Key;
import dev.pawl.retry.Retry;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The front door, over a real file. */
class PawlTest {

    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Audit ANNA = new Audit("anna", "looked");

    @TempDir
    private Path folder;

    private Pawl open() {
        return Pawl.openOrCreate(folder.resolve("pawl.db"));
    }

    @Test
    void a_finished_job_is_not_done_again_by_any_process() throws InterruptedException {
        var runs = new AtomicInteger();
        for (var i = 0; i < 3; i++) {
            try (var pawl = open()) {
                pawl.work(W.implementedBy((job, input) -> input + runs.incrementAndGet()));
                var submission = pawl.submit(W, Key.of("a"), "x");
                assertThat(submission.join()).isEqualTo("x1");
                assertThat(submission.how()).isEqualTo(i == 0 ? Submission.Arrival.NEW : Submission.Arrival.SAME);
            }
        }
    }

    @Test
    void another_input_is_replaced_refused_or_skipped() throws InterruptedException {
        try (var pawl = open()) {
            assertThat(pawl.submit(W, Key.of("a"), "1").how()).isEqualTo(Submission.Arrival.NEW);
            assertThat(pawl.submit(W, Key.of("a"), "2").how())
                    .as("nobody has started on it")
                    .isEqualTo(Submission.Arrival.REPLACED);
            pawl.work(W.implementedBy((job, input) -> {
                if (input.equals("bad")) {
                    throw new PermanentFailure("no", new IllegalStateException("the shop is closed"));
                }
                return input;
            }));
            assertThat(pawl.submit(W, Key.of("a"), "2").join()).isEqualTo("2");
            assertThat(pawl.submit(W, Key.of("a"), "3").how()).isEqualTo(Submission.Arrival.CHANGED);
            assertThatExceptionOfType(JobFailed.class)
                    .isThrownBy(() -> pawl.submit(W, Key.of("b"), "bad").join())
                    .havingCause()
                    .isInstanceOfSatisfying(ThrownInJob.class, thrown -> {
                        assertThat(thrown.type()).isEqualTo(PermanentFailure.class.getName());
                        assertThat(thrown.getStackTrace()[0].getClassName()).isEqualTo(PawlTest.class.getName());
                    })
                    .withMessage("no")
                    .havingCause()
                    .withMessage("the shop is closed");
            assertThatExceptionOfType(SubmitConflict.class).isThrownBy(() -> pawl.submit(W, Key.of("b"), "good"));
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what a user without NullAway writes
    void a_workflow_may_return_nothing_and_lists_come_back_whole() throws InterruptedException {
        var nothing = Workflow.named("nothing", String.class, Void.class);
        var list = Workflow.named("list", new TypeToken<List<String>>() {}, new TypeToken<List<Integer>>() {});
        try (var pawl = open()) {
            pawl.work(
                    nothing.implementedBy((job, input) -> null),
                    list.implementedBy(
                            (job, input) -> input.stream().map(String::length).toList()));
            assertThat(pawl.submit(nothing, Key.of("a"), "x").join()).isNull();
            assertThat(pawl.submit(list, Key.of("a"), List.of("a", "bb")).join())
                    .containsExactly(1, 2);
        }
    }

    @Test
    void a_transaction_whose_result_cannot_be_kept_fails_its_job_and_holds_up_nobody() throws InterruptedException {
        try (var pawl = open()) {
            pawl.work(W.implementedBy((job, input) -> {
                if (input.equals("endless")) {
                    job.transaction("t", input, Object.class, (request, connection) -> {
                        var endless = new ArrayList<Object>();
                        endless.add(endless);
                        return endless;
                    });
                }
                return job.step("s", String.class, () -> input);
            }));
            var bad = pawl.submit(W, Key.of("bad"), "endless");
            var good = pawl.submit(W, Key.of("good"), "fine");
            assertThat(good.join()).isEqualTo("fine");
            assertThatExceptionOfType(JobFailed.class).isThrownBy(bad::join).withMessageContaining("cannot be kept");
        }
    }

    @Test
    void a_discarded_job_was_called_off_and_a_stale_decision_is_refused() {
        try (var pawl = open()) {
            pawl.work(W.implementedBy((job, input) -> {
                throw new PermanentFailure("no");
            }));
            var job = pawl.submit(W, Key.of("a"), "x");
            assertThatExceptionOfType(JobFailed.class).isThrownBy(job::join);
            var failed = pawl.find(W, Key.of("a")).orElseThrow();
            assertThatExceptionOfType(DecisionConflict.class)
                    .isThrownBy(() -> pawl.decide(failed, Decision.retry().by("anna", "why")));
            pawl.discard(failed, ANNA);
            assertThatExceptionOfType(JobFailed.class).isThrownBy(job::join).withMessageContaining("called off");
            assertThat(pawl.find(W, Key.of("a")).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
            assertThatExceptionOfType(DecisionConflict.class).isThrownBy(() -> pawl.retry(failed, ANNA));
        }
    }

    @Test
    void a_wait_can_end_before_the_job_does() throws InterruptedException {
        try (var pawl = open()) {
            assertThat(pawl.submit(W, Key.of("a"), "x").join(Duration.ofMillis(50)))
                    .isEmpty();
        }
    }

    @Test
    @Timeout(60)
    void prices_that_are_imported_while_somebody_works_hold_for_what_is_used_next() throws InterruptedException {
        Workflow.Body<String, String> body = (job, input) -> job.step("ask", String.class, () -> {
            job.use("big", 1_000_000, 0, 0, 0);
            return input;
        });
        try (var pawl = open()) {
            pawl.work(W.implementedBy(body));
            pawl.submit(W, Key.of("before"), "x").join();
            pawl.operator().keepPrices(Prices.parse("ours", "big, 3.00, 15.00"), ANNA);
            for (var i = 0; !cost(pawl, "after", i).equals("3.00USD"); i++) {
                Time.system().await(Duration.ofMillis(100));
            }
            assertThat(pawl.cost(pawl.find(W, Key.of("before")).orElseThrow()))
                    .as("what was recorded keeps its price, or that it has none")
                    .hasToString("unknown");
            assertThat(pawl.operator().prices().orElseThrow().audit().text())
                    .startsWith("anna")
                    .endsWith(": looked");
        }
        var options = PawlOptions.usual().prices(Prices.parse("other", "big, 4, 4"));
        try (var other = Pawl.openOrCreate(folder.resolve("pawl.db"), options)) {
            other.work(W.implementedBy(body));
            assertThat(cost(other, "other", 1)).isEqualTo("4.00USD");
        }
    }

    private static String cost(Pawl pawl, String name, int number) throws InterruptedException {
        var key = Key.of(name, number);
        pawl.submit(W, key, "x").join();
        return pawl.cost(pawl.find(W, key).orElseThrow()).toString();
    }

    @Test
    void a_store_in_memory_has_no_sql_and_says_so() {
        try (var pawl = Pawl.inMemory()) {
            pawl.work(W.implementedBy(
                            (job, input) -> job.transaction("t", input, String.class, (request, connection) -> "x"))
                    .retry(Retry.USUAL.attempts(1)));
            assertThatThrownBy(() -> pawl.submit(W, Key.of("a"), "x").join())
                    .isInstanceOf(JobFailed.class)
                    .hasMessageContaining("has no SQL");
            assertThatThrownBy(() -> pawl.work()).hasMessageContaining("works already");
        }
    }

    @Test
    void what_a_person_saw_ended_elsewhere_is_owed_no_more_also_where_a_transaction_follows()
            throws InterruptedException {
        try (var pawl = open()) {
            pawl.work(W.implementedBy((job, input) -> {
                var begins = Contract.<String>idempotent().awaitedAs("session", (session, attempt) -> {
                    throw new Rejected("it has ended");
                });
                job.effect("begin", begins, input, String.class, (topic, attempt) -> topic);
                var rhythm = Rhythm.every(Duration.ofHours(1), Duration.ofHours(1));
                var seen = job.await("session", String.class, rhythm, () -> Finding.needs("look there"));
                return job.transaction("save", input, String.class, (request, connection) -> seen);
            }));
            var job = pawl.submit(W, Key.of("owes"), "x");
            assertThatExceptionOfType(JobPaused.class).isThrownBy(job::join);
            pawl.decide(
                    pawl.find(W, Key.of("owes")).orElseThrow(),
                    Decision.done("as anna saw it").by("anna", "it has ended"));
            assertThat(job.join()).isEqualTo("as anna saw it");
            assertThat(pawl.find(W, Key.of("owes")).orElseThrow().standing().owes())
                    .isZero();
        }
    }
}
