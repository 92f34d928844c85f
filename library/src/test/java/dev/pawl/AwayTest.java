package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.event.Event;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** The server goes away in the middle of the work, and comes back. */
class AwayTest {
    private static final Workflow<Integer, Integer> W = Workflow.named("w", Integer.class, Integer.class);
    private static final int JOBS = 20;

    private final List<Event> events = new CopyOnWriteArrayList<>();

    private long told(String name) {
        return events.stream().filter(event -> event.name().equals(name)).count();
    }

    private void await(String name) throws InterruptedException {
        while (told(name) == 0) {
            Time.system().await(Duration.ofMillis(20));
        }
    }

    @Test
    void workers_wait_for_a_server_that_went_away_and_say_so_once_and_nothing_is_lost() throws Exception {
        var begun = new Semaphore(0);
        var options = PawlOptions.usual().slots(4).term(Duration.ofSeconds(2)).log(events::add);
        try (var server = PostgresServer.start();
                var pawl = Pawl.openOrCreate(server.url(), options)) {
            pawl.work(W.implementedBy((job, input) -> {
                job.step("first", Integer.class, () -> input);
                begun.release();
                return job.step("second", Integer.class, () -> input + 1);
            }));
            for (var i = 0; i < JOBS; i++) {
                pawl.submit(W, Key.of(i), i);
            }
            begun.acquire();
            var well = pawl.health();
            assertThat(well.isWell()).as(well.toString()).isTrue();
            assertThat(well.works()).isTrue();
            assertThat(well.beats()).isTrue();
            assertThat(well.sinceBeat()).isLessThan(Duration.ofSeconds(30));
            server.crash();
            await("store-failed");
            var asked = Time.system().nanos();
            var away = pawl.health(Duration.ofSeconds(1));
            assertThat(away.storeAnswers()).isFalse();
            assertThat(away.isWell()).isFalse();
            assertThat(away.storeTrouble()).isNotBlank();
            assertThat(Duration.ofNanos(Time.system().nanos() - asked)).isLessThan(Duration.ofSeconds(10));
            // Everybody has tried again more than once by then.
            Time.system().await(Duration.ofSeconds(5));
            assertThat(told("store-failed")).isEqualTo(1);
            assertThat(told("store-answers")).isZero();
            server.startAgain();
            await("store-answers");
            for (var i = 0; i < JOBS; i++) {
                assertThat(pawl.submit(W, Key.of(i), i).join()).isEqualTo(i + 1);
            }
            assertThat(told("store-failed")).isEqualTo(1);
            while (!pawl.health().isWell()) {
                Time.system().await(Duration.ofMillis(20));
            }
            assertThat(pawl.health().dueFor()).as("nothing is left to do").isNull();
        }
    }
}
