package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pawl.decision.Audit;
import dev.pawl.effect.Contract;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.ByHand;
import dev.pawl.look.StoredJob;
import dev.pawl.retry.Retry;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a job in one object is so, and what a person needs to look at a destination is there. */
class EnvelopeTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Key KEY = Key.of("a");
    private static final Identity ID = new Identity("w", KEY);
    private static final Audit ANNA = new Audit("anna", "looked");
    private static final Retry FOUR = new Retry(4, Duration.ofHours(1), Duration.ofHours(2));
    private static final Retry SOON = new Retry(4, Duration.ofMillis(1), Duration.ofMillis(2));

    record Mail(String to, String text) {}

    @TempDir
    private Path folder;

    private final AtomicReference<String> key = new AtomicReference<>("");

    private Pawl open() {
        return Pawl.openOrCreate(folder.resolve("pawl.db"));
    }

    private static StoredJob awaited(Pawl pawl, JobState state) throws InterruptedException {
        while (true) {
            var job = pawl.find(ID).orElseThrow();
            if (job.state() == state
                    && (state != JobState.READY || !pawl.journal(job).isEmpty())) {
                return job;
            }
            Time.system().await(Duration.ofMillis(5));
        }
    }

    /** How it stands once {@code body} has brought it into that state, seen by somebody who does not work. */
    private StoredJob left(Retry retry, JobState state, Workflow.Body<String, String> body)
            throws InterruptedException {
        try (var pawl = open()) {
            pawl.work(W.implementedBy(body).retry(retry));
            pawl.submit(W, KEY, "in");
            return awaited(pawl, state);
        }
    }

    @Test
    void of_an_effect_that_is_tried_again_the_envelope_says_which_attempt_comes_and_by_which_key() throws Exception {
        var job = left(FOUR, JobState.READY, (run, input) -> {
            run.step("one", String.class, () -> "1");
            return run.effect("mail", Contract.none(), new Mail("a", "b"), String.class, (mail, attempt) -> {
                key.set(attempt.key());
                throw new NotSent("refused");
            });
        });
        try (var pawl = open()) {
            var envelope = pawl.operator().envelope(job);
            assertThat(envelope.idempotencyKey()).isEqualTo(key.get());
            assertThat(envelope.attempt()).isEqualTo(2);
            assertThat(envelope.maxAttempts()).isEqualTo(4);
            assertThat(envelope.state()).isEqualTo("ready");
            assertThat(envelope.failureClass()).isEqualTo("transient");
            assertThat(envelope.completedSteps()).containsExactly("one");
            assertThat(envelope.resumeFrom()).isEqualTo("one");
            assertThat(envelope.updatedAt())
                    .isEqualTo(pawl.journal(job).getLast().at())
                    .isAfter(envelope.createdAt());
        }
    }

    @Test
    void what_failed_is_not_where_it_resumes_and_a_new_budget_comes_on_top() throws Exception {
        var job = left(FOUR, JobState.FAILED, (run, input) -> {
            run.step("one", String.class, () -> "1");
            return run.step("two", String.class, () -> {
                throw new PermanentFailure("no");
            });
        });
        try (var pawl = open()) {
            var failed = pawl.operator().envelope(job);
            assertThat(failed.attempt()).isEqualTo(1);
            assertThat(failed.maxAttempts()).isEqualTo(4);
            assertThat(failed.state()).isEqualTo("failed");
            assertThat(failed.failureClass()).isEqualTo("permanent");
            assertThat(failed.resumeFrom()).isEqualTo("one");
            assertThat(pawl.operator().evidence(job).orElseThrow().place().name())
                    .isEqualTo("two");
            pawl.retry(job, ANNA);
            var again = pawl.operator().envelope(pawl.find(ID).orElseThrow());
            assertThat(again.attempt()).isEqualTo(2);
            assertThat(again.maxAttempts()).isEqualTo(5);
        }
    }

    @Test
    void of_a_job_that_is_done_the_last_attempt_is_told_and_of_one_that_has_not_begun_nothing_is_made_up()
            throws Exception {
        var tries = new AtomicInteger();
        var job = left(
                SOON,
                JobState.DONE,
                (run, input) -> run.step("flaky", String.class, () -> {
                    if (tries.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return "well";
                }));
        try (var pawl = open()) {
            var done = pawl.operator().envelope(job);
            assertThat(done.attempt()).isEqualTo(3);
            assertThat(done.maxAttempts()).isEqualTo(4);
            assertThat(done.state()).isEqualTo("done");
            assertThat(done.failureClass()).isNull();
            assertThat(done.completedSteps()).containsExactly("flaky");
            pawl.submit(W, Key.of("new"), "in");
            var fresh = pawl.find(new Identity("w", Key.of("new"))).orElseThrow();
            var envelope = pawl.operator().envelope(fresh);
            assertThat(envelope.attempt()).isEqualTo(1);
            assertThat(envelope.maxAttempts()).isNull();
            assertThat(envelope.idempotencyKey()).isNull();
            assertThat(envelope.completedSteps()).isEmpty();
            assertThat(pawl.operator().evidence(fresh)).isEmpty();
        }
    }

    @Test
    void what_asks_shows_the_key_the_request_the_input_the_log_and_who_sent_it() throws Exception {
        var job = left(
                FOUR,
                JobState.PAUSED,
                (run, input) ->
                        run.effect("mail", Contract.none(), new Mail("anna", "hi"), String.class, (mail, attempt) -> {
                            key.set(attempt.key());
                            run.log("connected\n");
                            throw new IllegalStateException("reset");
                        }));
        try (var pawl = open()) {
            var evidence = pawl.operator().evidence(job).orElseThrow();
            assertThat(evidence.key()).isEqualTo(key.get());
            assertThat(evidence.input()).isEqualTo("\"in\"");
            assertThat(evidence.wanted()).isNull();
            var last = Objects.requireNonNull(evidence.last());
            assertThat(last.number()).isEqualTo(1);
            assertThat(last.by()).startsWith("pawl-");
            assertThat(last.request()).isEqualTo("{\"to\":\"anna\",\"text\":\"hi\"}");
            assertThat(last.log()).isEqualTo("connected\n");
            assertThat(pawl.operator().envelope(job).failureClass()).isEqualTo("ambiguous");
        }
    }

    @Test
    void drift_shows_both_requests_and_the_same_request_is_kept_once() throws Exception {
        var sent = new AtomicInteger();
        var job = left(SOON, JobState.PAUSED, (run, input) -> {
            var text = sent.get() < 2 ? "hello" : "hi";
            return run.effect("mail", Contract.idempotent(), new Mail("anna", text), String.class, (mail, attempt) -> {
                sent.incrementAndGet();
                throw new IllegalStateException("reset");
            });
        });
        try (var pawl = open()) {
            var evidence = pawl.operator().evidence(job).orElseThrow();
            var last = Objects.requireNonNull(evidence.last());
            assertThat(last.number()).isEqualTo(2);
            assertThat(last.request()).isEqualTo("{\"to\":\"anna\",\"text\":\"hello\"}");
            assertThat(evidence.wanted()).isEqualTo("{\"to\":\"anna\",\"text\":\"hi\"}");
            assertThat(pawl.journal(job).stream()
                            .filter(line -> String.valueOf(line.entry()).contains("hello")))
                    .hasSize(1);
        }
    }

    @Test
    void an_approval_shows_what_is_approved() throws Exception {
        var mail = new Mail("anna", "hi");
        var job = left(FOUR, JobState.PAUSED, (run, input) -> {
            run.approve("mail", mail, "send it?", Duration.ofHours(1));
            return run.effect("mail", Contract.none(), mail, String.class, (request, attempt) -> "sent");
        });
        try (var pawl = open()) {
            var evidence = pawl.operator().evidence(job).orElseThrow();
            assertThat(evidence.last()).isNull();
            assertThat(evidence.wanted()).isEqualTo("{\"to\":\"anna\",\"text\":\"hi\"}");
        }
    }

    @Test
    void that_a_person_hurried_it_is_among_what_was_done_by_hand() throws Exception {
        var waits = left(
                FOUR,
                JobState.READY,
                (job, input) -> job.step("s", String.class, () -> {
                    throw new NotSent("not now");
                }));
        try (var pawl = open()) {
            pawl.hurry(waits, false, ANNA);
            pawl.hurry(waits, true, ANNA);
            assertThat(pawl.operator().envelope(waits).byHand())
                    .extracting(ByHand::did, ByHand::by, ByHand::why)
                    .containsExactly(tuple("hurried", "anna", "looked"), tuple("hurried, even now", "anna", "looked"));
        }
    }
}
