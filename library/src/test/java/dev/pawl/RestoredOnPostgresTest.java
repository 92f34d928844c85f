package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.decision.Audit;
import dev.pawl.event.Events;
import dev.pawl.failure.GateClosed;
import dev.pawl.gate.GateNames;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A database that was restored from a backup goes on only once somebody has looked. */
class RestoredOnPostgresTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    @Test
    void nobody_goes_on_with_what_was_begun_and_everybody_waits_until_a_person_has_looked()
            throws InterruptedException {
        var options = PawlOptions.usual().term(Duration.ofSeconds(10)).log(Events.NOWHERE);
        var begun = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        var runs = new AtomicInteger();
        try (var server = PostgresServer.start();
                var pawl = Pawl.openOrCreate(server.url(), options)) {
            pawl.work(W.implementedBy((job, input) -> {
                var first = job.step("first", String.class, () -> {
                    if (runs.incrementAndGet() == 1) {
                        begun.countDown();
                        goesOn.await();
                    }
                    return "run " + runs.get();
                });
                return job.step("second", String.class, () -> first);
            }));
            var job = pawl.submit(W, Key.of("a"), "x");
            begun.await();
            StoreAddress.of(server.url()).restore();
            goesOn.countDown();
            assertThatExceptionOfType(GateClosed.class).isThrownBy(job::join).withMessageContaining("store/restored");
            assertThat(pawl.find(W, Key.of("a")).orElseThrow().state()).isEqualTo(JobState.WAITING);
            assertThat(pawl.operator().restored()).isPresent();
            var gate = pawl.closedGates().getFirst();
            assertThat(gate.name()).isEqualTo(GateNames.RESTORED);
            pawl.openGate(gate, new Audit("anna", "looked"));
            while (pawl.find(W, Key.of("a")).orElseThrow().state() != JobState.DONE) {
                Time.system().await(Duration.ofMillis(10));
            }
            assertThat(job.join())
                    .as("nothing of the run that was cut off was believed")
                    .isNotEqualTo("run 1");
        }
    }
}
