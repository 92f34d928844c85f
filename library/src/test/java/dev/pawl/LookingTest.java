package dev.pawl;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.cost.Prices;
import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.GateClosed;
import dev.pawl.failure.JobPaused;
import dev.pawl.failure.JobPruned;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Progress;
import dev.pawl.json.Json;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.list.Cursor;
import dev.pawl.look.JobQuery;
import dev.pawl.look.Occurrence;
import dev.pawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody sees who looks, and what is left of old jobs. */
class LookingTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    @TempDir
    private Path folder;

    private Pawl open() {
        return Pawl.openOrCreate(folder.resolve("pawl.db"));
    }

    @Test
    void the_envelope_has_the_names_that_scripts_know() throws InterruptedException {
        try (var pawl = open()) {
            var started = new CountDownLatch(1);
            var go = new CountDownLatch(1);
            pawl.work(W.implementedBy((job, input) -> {
                job.progress(Progress.done(1, 2).at("writing"));
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
                    Json.read(Json.write(pawl.operator().envelope(stored)), new TypeToken<Map<String, Object>>() {}));
            go.countDown();
            assertThat(envelope)
                    .containsOnlyKeys(
                            "jobId",
                            "workflow",
                            "state",
                            "attempt",
                            "maxAttempts",
                            "failureClass",
                            "leaseOwner",
                            "idempotencyKey",
                            "checkpointVersion",
                            "resumeFrom",
                            "completedSteps",
                            "createdAt",
                            "updatedAt",
                            "visibilityTimeoutSeconds",
                            "byHand",
                            "progress",
                            "progressAt")
                    .containsEntry("jobId", "w/2026-04-12")
                    .containsEntry("attempt", 1)
                    .containsEntry("maxAttempts", 5)
                    .containsEntry("checkpointVersion", 2)
                    .containsEntry("progress", Map.of("text", "writing", "done", 1, "of", 2))
                    .containsEntry("resumeFrom", "write_html")
                    .containsEntry("visibilityTimeoutSeconds", 30);
            assertThat(String.valueOf(envelope.get("leaseOwner"))).startsWith("pawl-");
            job.join();
        }
    }

    @Test
    void a_watch_follows_what_happens_and_another_process_goes_on_from_its_cursor() throws InterruptedException {
        var told = new LinkedBlockingQueue<Occurrence>();
        var cursor = Cursor.START;
        try (var pawl = open()) {
            pawl.work(W.implementedBy((job, input) -> job.step("s", String.class, () -> input)));
            try (var watch = pawl.watch(Cursor.START, told::add)) {
                pawl.submit(W, Key.of("1"), "in").join();
                for (var expected : new String[] {"w/1 Submitted", "w/1 Recorded", "w/1 Ended"}) {
                    var one = told.take();
                    assertThat(one.identity() + " " + one.what().getClass().getSimpleName())
                            .isEqualTo(expected);
                    cursor = one.cursor();
                }
                // It has come so far once whoever was told has returned.
                while (!watch.cursor().equals(cursor)) {
                    Time.system().await(Duration.ofMillis(1));
                }
            }
            pawl.submit(W, Key.of("2"), "in").join();
        }
        try (var pawl = open()) {
            assertThat(pawl.happened(new Cursor(cursor.toString()), 10))
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
            assertThat(again.how()).isEqualTo(Submission.Arrival.SAME);
            assertThat(pawl.submit(W, Key.of(7), "other").how()).isEqualTo(Submission.Arrival.CHANGED);
            assertThatThrownBy(again::join).isInstanceOf(JobPruned.class).hasMessageContaining("not done again");
            assertThat(pawl.jobs(JobQuery.in(JobState.DONE)).jobs()).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void an_artifact_comes_back_unless_its_file_is_gone_or_has_changed() throws Exception {
        var file = folder.resolve("film.bin");
        Files.write(file, new byte[(1 << 20) + 1]);
        try (var pawl = open()) {
            pawl.work(W.implementedBy((job, input) -> {
                job.artifact("page", "text/plain", "words".getBytes(StandardCharsets.UTF_8));
                return job.artifact(named("film"), "video/mp4", file).sha256();
            }));
            var submission = pawl.submit(W, Key.of("1"), "in");
            submission.join();
            var job = pawl.find(submission.identity()).orElseThrow();
            var film = new Place("", "film", "");
            assertThat(pawl.artifact(job, new Place("", "page", "")).orElseThrow())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("words");
            assertThat(pawl.artifact(job, film).orElseThrow())
                    .as("larger than what the store keeps itself")
                    .hasSize((1 << 20) + 1);
            assertThat(pawl.artifact(job, new Place("", "nothing", ""))).isEmpty();
            Files.writeString(file, "frames, cut");
            assertThatThrownBy(() -> pawl.artifact(job, film)).hasMessageContaining("has changed since");
            Files.delete(file);
            assertThatThrownBy(() -> pawl.artifact(job, film)).hasMessageContaining("cannot be read from");
        }
    }

    @Test
    void what_a_called_job_used_is_part_of_what_its_caller_cost() throws InterruptedException {
        var child = Workflow.named("child", String.class, String.class);
        try (var pawl = Pawl.openOrCreate(
                folder.resolve("pawl.db"), PawlOptions.usual().prices(Prices.parse("test", List.of("m, 2, 10"))))) {
            Workflow.Body<String, String> asks = (job, input) -> job.step("ask", String.class, () -> {
                job.use(Use.of("m").input(1_000_000));
                return input;
            });
            pawl.work(
                    child.implementedBy(asks),
                    W.implementedBy(
                            (job, input) -> job.call("child", child, Key.of("c"), input) + asks.run(job, input)));
            var submission = pawl.submit(W, Key.of("1"), "in");
            submission.join();
            var job = pawl.find(submission.identity()).orElseThrow();
            assertThat(pawl.cost(job)).hasToString("4.00USD");
            assertThat(pawl.costs(job).total()).as("its own").hasToString("2.00USD");
            assertThat(pawl.costs(job).attempts()).hasSize(1);
            assertThat(pawl.operator().spent(LocalDate.EPOCH))
                    .extracting(spent -> spent.workflow() + " " + spent.model() + " " + spent.cost())
                    .containsExactlyInAnyOrder("child m 2.00USD", "w m 2.00USD");
            assertThat(pawl.operator().spent(LocalDate.MAX)).isEmpty();
        }
    }

    @Test
    void nobody_waits_for_a_person_whom_a_called_job_asks() throws InterruptedException {
        var child = Workflow.named("child", String.class, String.class);
        var top = Workflow.named("top", String.class, String.class);
        var diamond = Workflow.named("diamond", String.class, String.class);
        try (var pawl = Pawl.openOrCreate(folder.resolve("pawl.db"))) {
            pawl.work(
                    child.implementedBy((job, input) -> {
                        if (input.equals("asks")) {
                            job.approve("e", input, "May it?", Duration.ofHours(1));
                        } else {
                            job.sleep("long", Duration.ofHours(1));
                        }
                        return input;
                    }),
                    W.implementedBy((job, input) -> String.join(
                            "",
                            job.map(
                                    "all",
                                    List.of(input.split(",")),
                                    item -> item,
                                    (each, item) -> each.call("child", child, Key.of(item), item)))),
                    top.implementedBy((job, input) -> job.call("w", W, Key.of("through"), input)),
                    diamond.implementedBy((job, input) -> String.join(
                            "",
                            job.map(
                                    "both",
                                    List.of("a", "b"),
                                    item -> item,
                                    (each, item) -> each.call("top", top, Key.of(item), input)))));
            assertThatThrownBy(() -> pawl.submit(top, Key.of("top"), "asks").join())
                    .isInstanceOf(JobPaused.class)
                    .hasMessageContaining("child/asks");
            assertThatThrownBy(() ->
                            pawl.submit(diamond, Key.of("diamond"), "asks").join())
                    .as("two of those that it called wait for the same")
                    .isInstanceOf(JobPaused.class);
            assertThat(pawl.submit(W, Key.of("both"), "asks,sleeps").join(Duration.ofSeconds(1)))
                    .as("another of those that it called goes on by itself")
                    .isEmpty();
        }
    }

    @Test
    void a_process_takes_from_its_queues_only() throws InterruptedException {
        try (var mail =
                Pawl.openOrCreate(folder.resolve("pawl.db"), PawlOptions.usual().queues("mail"))) {
            mail.work(W.implementedBy((job, input) -> job.step("s", String.class, () -> input)));
            var common = mail.submit(W, Key.of("1"), "in");
            assertThat(mail.submit(W, Key.of("2"), "in", Handling.usual().queue("mail"))
                            .join())
                    .isEqualTo("in");
            assertThat(common.join(Duration.ofMillis(200))).isEmpty();
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
            assertThat(pawl.operator().waitingAt(questions.gates().getFirst())).isEqualTo(1);
            mended.set(true);
            pawl.openGate(questions.gates().getFirst(), new Audit("anna", "topped up"));
            assertThat(waits.join()).isEqualTo("pay");
            assertThat(pawl.operator().spent(LocalDate.EPOCH)).isEmpty();
        }
    }
}
