package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.decision.Audit;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.json.Json;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Key;
import dev.pawl.retry.AccountTrouble;
import dev.pawl.store.Happened;
import dev.pawl.store.JobQuery;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody sees who looks, and what is left of old jobs. */
class LookingTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    @TempDir
    private Path folder;

    private Pawl open() {
        return Pawl.open(folder.resolve("pawl.db"));
    }

    @Test
    void the_envelope_has_the_names_that_scripts_know() throws InterruptedException {
        try (var pawl = open()) {
            var started = new CountDownLatch(1);
            var go = new CountDownLatch(1);
            pawl.work(W.implementedBy((job, input) -> {
                job.step("write_html", String.class, () -> "done");
                return job.step("create_pr", String.class, () -> {
                    started.countDown();
                    go.await();
                    return "done";
                });
            }));
            var job = pawl.submit(W, Key.of("2026-04-12"), "in");
            started.await();
            var stored = pawl.find(job.identity()).orElseThrow();
            var envelope = Objects.requireNonNull(
                    Json.read(Json.write(pawl.envelope(stored)), new TypeToken<Map<String, Object>>() {}));
            go.countDown();
            assertThat(envelope)
                    .containsOnlyKeys(
                            "jobId",
                            "workflow",
                            "attempt",
                            "maxAttempts",
                            "leaseOwner",
                            "idempotencyKey",
                            "checkpointVersion",
                            "resumeFrom",
                            "createdAt",
                            "visibilityTimeoutSeconds")
                    .containsEntry("jobId", "w/2026-04-12")
                    .containsEntry("attempt", 1)
                    .containsEntry("maxAttempts", 5)
                    .containsEntry("checkpointVersion", 1)
                    .containsEntry("resumeFrom", "write_html")
                    .containsEntry("visibilityTimeoutSeconds", 30);
            assertThat(String.valueOf(envelope.get("leaseOwner"))).startsWith("pawl-");
            job.join();
        }
    }

    @Test
    void a_watch_follows_what_happens_and_another_process_goes_on_from_its_cursor() throws InterruptedException {
        var told = new LinkedBlockingQueue<Happened>();
        var cursor = Happened.Cursor.START;
        try (var pawl = open()) {
            pawl.work(W.implementedBy((job, input) -> job.step("s", String.class, () -> input)));
            try (var watch = pawl.watch(Happened.Cursor.START, told::add)) {
                pawl.submit(W, Key.of("1"), "in").join();
                for (var expected : new String[] {"w/1 Submitted", "w/1 Recorded", "w/1 Ended"}) {
                    var one = Objects.requireNonNull(told.poll(10, TimeUnit.SECONDS));
                    assertThat(one.identity() + " " + one.what().getClass().getSimpleName())
                            .isEqualTo(expected);
                    cursor = one.cursor();
                }
                assertThat(watch.cursor().submitted()).isEqualTo(1);
            }
            pawl.submit(W, Key.of("2"), "in").join();
        }
        try (var pawl = open()) {
            assertThat(pawl.happened(Happened.Cursor.parse(cursor.toString()), 10))
                    .extracting(one -> one.identity().toString())
                    .containsOnly("w/2")
                    .hasSize(3);
        }
    }

    @Test
    void a_pruned_job_is_not_done_again_and_says_that_its_result_is_gone() throws InterruptedException {
        try (var pawl = open()) {
            pawl.work(W.implementedBy((job, input) -> job.step("s", String.class, () -> input)));
            for (var i = 0; i < 250; i++) {
                pawl.submit(W, Key.of(i), "in").join();
            }
            assertThat(pawl.prune(Time.system().now().minus(Duration.ofDays(1))))
                    .isZero();
            assertThat(pawl.prune(Time.system().now().plusSeconds(1)))
                    .as("all but the newest, in several commits")
                    .isBetween(248L, 249L);
            var again = pawl.submit(W, Key.of(7), "in");
            assertThat(again.how()).isEqualTo(Submission.How.SAME);
            assertThat(pawl.submit(W, Key.of(7), "other").how()).isEqualTo(Submission.How.CHANGED);
            assertThatThrownBy(again::join).isInstanceOf(JobPruned.class).hasMessageContaining("not done again");
            assertThat(pawl.jobs(JobQuery.in(JobState.DONE))).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void questions_are_those_of_jobs_and_those_of_gates() throws InterruptedException {
        var mended = new AtomicBoolean();
        try (var pawl = open()) {
            pawl.work(W.implementedBy((job, input) -> {
                if (input.equals("ask")) {
                    job.approve("e", input, "May it?", Duration.ofHours(1));
                }
                return job.step("s", String.class, () -> {
                    if (!mended.get()) {
                        throw new AccountTrouble("no credit");
                    }
                    return input;
                });
            }));
            assertThat(pawl.questions().none()).isTrue();
            var asks = pawl.submit(W, Key.of("asks"), "ask");
            assertThatThrownBy(asks::join).isInstanceOf(JobPaused.class);
            var waits = pawl.submit(W, Key.of("waits"), "pay");
            assertThatThrownBy(waits::join).isInstanceOf(GateClosed.class).hasMessageContaining("account/w");
            var questions = pawl.questions();
            assertThat(questions.jobs()).hasSize(1);
            assertThat(questions.gates()).hasSize(1);
            assertThat(pawl.waitingAt(questions.gates().getFirst())).isEqualTo(1);
            mended.set(true);
            pawl.open(questions.gates().getFirst(), new Audit("anna", "topped up"));
            assertThat(waits.join()).isEqualTo("pay");
            assertThat(pawl.spent(LocalDate.EPOCH)).isEmpty();
        }
    }
}
