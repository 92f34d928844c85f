package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Handling;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How a process stands. */
class HealthTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    @Test
    void who_only_submits_is_well_without_a_beat_and_sees_how_long_others_leave_jobs_due() throws InterruptedException {
        try (var pawl = Pawl.over(new MemoryStore(Time.system()), PawlOptions.usual())) {
            assertThat(pawl.health().isWell()).isTrue();
            assertThat(pawl.health().dueFor()).isNull();
            pawl.submit(
                    W,
                    Key.of("later"),
                    "x",
                    Handling.usual().notBefore(Time.system().now().plusSeconds(60)));
            assertThat(pawl.health().dueFor()).as("its time has not come").isNull();
            pawl.submit(W, Key.of("a"), "x");
            while (pawl.health().dueFor() == null) {
                Time.system().await(Duration.ofMillis(5));
            }
            var stands = pawl.health();
            assertThat(stands.dueFor()).isNotNull();
            assertThat(stands.works()).isFalse();
            assertThat(stands.beats()).isFalse();
            assertThat(stands.sinceBeat()).isNull();
            assertThat(stands.running()).isZero();
        }
    }

    @Test
    void who_works_beats_and_says_how_many_jobs_run() throws InterruptedException {
        var runs = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        try (var pawl = Pawl.over(new MemoryStore(Time.system()), PawlOptions.usual())) {
            pawl.work(W.implementedBy((job, input) -> job.step("s", String.class, () -> {
                runs.countDown();
                goesOn.await();
                return input;
            })));
            var one = pawl.submit(W, Key.of("a"), "x");
            runs.await();
            var stands = pawl.health();
            assertThat(stands.works()).isTrue();
            assertThat(stands.beats()).isTrue();
            assertThat(stands.running()).isEqualTo(1);
            assertThat(stands.overdue()).isZero();
            assertThat(stands.dueFor()).isNull();
            goesOn.countDown();
            one.join();
        }
    }
}
