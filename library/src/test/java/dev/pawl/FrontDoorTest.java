package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.effect.Contract;
import dev.pawl.failure.JobFailed;
import dev.pawl.failure.JobPaused;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.JobState;
import dev.pawl.job.Named;
import dev.pawl.job.Workflow;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a store is opened, and what is said about a job by its workflow and key. */
class FrontDoorTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final Audit ANNA = new Audit("anna", "I looked");

    @TempDir
    private Path folder;

    @Test
    void open_makes_no_store_and_open_or_create_does() throws InterruptedException {
        var file = folder.resolve("pawl.db");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pawl.open(file))
                .withMessageContaining("there is no store");
        assertThatIllegalArgumentException().isThrownBy(() -> Pawl.open(file.toString()));
        assertThat(Files.exists(file)).isFalse();
        try (var pawl = Pawl.openOrCreate(file)) {
            pawl.submit(W, Key.of("a"), "1");
        }
        for (var again : new Pawl[] {Pawl.open(file), Pawl.open(file.toString()), Pawl.openOrCreate(file.toString())}) {
            try (again) {
                assertThat(again.find(W, Key.of("a"))).isPresent();
            }
        }
    }

    @Test
    void a_users_transaction_as_the_first_record_has_the_version_said_before_it() throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(folder.resolve("pawl.db"))) {
            pawl.work(W.version("v2")
                    .implementedBy(
                            (job, input) -> job.transaction("write", input, String.class, (request, sql) -> "x")));
            assertThat(pawl.submit(W, Key.of("a"), "1").join()).isEqualTo("x");
            assertThat(pawl.find(W, Key.of("a"))
                            .orElseThrow()
                            .given()
                            .handling()
                            .version())
                    .isEqualTo("v2");
        }
    }

    @Test
    void an_empty_file_is_no_store_that_is_there() throws Exception {
        var file = Files.createFile(folder.resolve("pawl.db"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pawl.open(file))
                .withMessageContaining("there is no store")
                .withMessageContaining("Pawl.openOrCreate makes one");
        assertThat(file).isEmptyFile();
        Pawl.openOrCreate(file).close();
        Pawl.open(file).close();
    }

    @Test
    void a_store_of_ones_own_is_worked_with_and_closed() throws InterruptedException {
        var closed = new AtomicBoolean();
        Store own = new DelegatingStore(new MemoryStore(Time.system())) {
            @Override
            public void close() {
                closed.set(true);
                super.close();
            }
        };
        try (var pawl = Pawl.over(own, PawlOptions.usual())) {
            pawl.work(W.implementedBy((job, input) -> input + "!"));
            assertThat(pawl.submit(W, Key.of("a"), "hello").join()).isEqualTo("hello!");
        }
        assertThat(closed).isTrue();
    }

    @Test
    void a_submission_says_that_it_replaced() {
        try (var pawl = Pawl.inMemory()) {
            assertThat(pawl.submit(W, Key.of("a"), "1").how()).isEqualTo(Submission.Arrival.NEW);
            assertThat(pawl.submit(W, Key.of("a"), "2").how()).isEqualTo(Submission.Arrival.REPLACED);
            var many = new LinkedHashMap<Key, String>();
            many.put(Key.of("a"), "3");
            many.put(Key.of("b"), "1");
            many.put(Key.of("c"), "1");
            assertThat(pawl.submitAll(W, many).values())
                    .containsExactly(Submission.Arrival.REPLACED, Submission.Arrival.NEW, Submission.Arrival.NEW);
            assertThat(pawl.find(W, Key.of("a")).orElseThrow().input()).isEqualTo("\"3\"");
        }
    }

    @Test
    void what_is_said_about_a_job_is_said_by_workflow_and_key_too() throws InterruptedException {
        var key = Key.of("a");
        var works = new AtomicBoolean();
        try (var pawl = Pawl.inMemory()) {
            pawl.work(W.implementedBy((job, input) -> {
                job.artifact("page", "text/plain", input.getBytes(StandardCharsets.UTF_8));
                var reply = job.awaitSignal("reply", String.class, Duration.ofDays(1))
                        .orElseThrow();
                var sent = job.effect(
                        Named.named("send"), Contract.none(), reply, TypeToken.of(String.class), (text, a) -> {
                            throw new IllegalStateException("no answer");
                        });
                if (!works.get()) {
                    throw new PermanentFailure("not yet");
                }
                return sent;
            }));
            var submission = pawl.submit(W, key, "x");
            assertThat(pawl.signal(W, key, "reply", "hi", "1")).isTrue();
            assertThat(pawl.signal(W, key, "reply", "hi", "1")).isFalse();
            assertThatExceptionOfType(JobPaused.class).isThrownBy(submission::join);
            pawl.decide(W, key, Decision.done("there").by(ANNA));
            assertThatExceptionOfType(JobFailed.class).isThrownBy(submission::join);
            works.set(true);
            pawl.retry(W, key, ANNA);
            assertThat(submission.join()).isEqualTo("there");
            assertThat(pawl.artifact(W, key, new Place("", "page", ""))).isPresent();
            assertThat(pawl.journal(W, key)).isNotEmpty();
            assertThat(pawl.cost(W, key).unknown().any()).isFalse();
            pawl.resubmit(W, key, ANNA);
            pawl.cancel(W, key, ANNA);
            assertThatExceptionOfType(JobFailed.class)
                    .isThrownBy(() -> pawl.submit(W, key, "x").join());
            assertThat(pawl.find(W, key).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pawl.cancel(W, Key.of("nobody"), ANNA))
                    .withMessageContaining("there is no job w/nobody");
        }
    }
}
