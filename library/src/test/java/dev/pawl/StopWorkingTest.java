package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pawl.event.Events;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.lease.WorkerRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Working can stop and begin again while the client stays. */
class StopWorkingTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    @TempDir
    private Path folder;

    private Pawl open() {
        return Pawl.openOrCreate(
                folder.resolve("pawl.db"),
                PawlOptions.usual().grace(Duration.ofMillis(200)).log(Events.NOWHERE));
    }

    private static boolean nobodyWorks(Pawl pawl) {
        return pawl.operator().workers().stream().noneMatch(WorkerRecord::enlisted);
    }

    @Test
    void what_runs_comes_to_a_boundary_and_goes_on_when_work_begins_again() throws InterruptedException {
        var runs = new CountDownLatch(1);
        var times = new AtomicInteger();
        try (var pawl = open()) {
            Workflow.Body<String, String> body = (job, input) -> {
                var first = job.step("first", String.class, () -> {
                    runs.countDown();
                    if (times.incrementAndGet() == 1) {
                        // Nothing ends this but that the worker stops.
                        new CountDownLatch(1).await();
                    }
                    return "first";
                });
                return first + job.step("second", String.class, () -> " second");
            };
            for (var again = 0; again < 3; again++) {
                pawl.work(List.of(W.implementedBy(body)));
                assertThatIllegalStateException().isThrownBy(() -> pawl.work(W.implementedBy(body)));
                var job = pawl.submit(W, Key.of(again), "x");
                if (again == 0) {
                    runs.await();
                    pawl.stopWorking();
                    assertThat(pawl.find(W, Key.of(again)).orElseThrow().state())
                            .isEqualTo(JobState.READY);
                    assertThat(nobodyWorks(pawl)).isTrue();
                    assertThat(pawl.health().works()).isFalse();
                    assertThat(pawl.health().isWell()).isTrue();
                    pawl.submit(W, Key.of("while nobody works"), "x");
                    pawl.stopWorking();
                    pawl.work(List.of(W.implementedBy(body)));
                    assertThat(pawl.submit(W, Key.of("while nobody works"), "x").join())
                            .isEqualTo("first second");
                }
                assertThat(job.join()).isEqualTo("first second");
                assertThat(pawl.health().beats()).isTrue();
                pawl.stopWorking();
                assertThat(nobodyWorks(pawl)).isTrue();
            }
        }
    }

    @Test
    void whoever_waits_here_for_a_job_hears_of_its_end_elsewhere() throws InterruptedException {
        try (var here = open();
                var elsewhere = open()) {
            here.work(W.implementedBy((job, input) -> "here"));
            here.stopWorking();
            var job = here.submit(W, Key.of("a"), "x");
            elsewhere.work(W.implementedBy((run, input) -> "elsewhere"));
            assertThat(job.join()).isEqualTo("elsewhere");
        }
    }
}
