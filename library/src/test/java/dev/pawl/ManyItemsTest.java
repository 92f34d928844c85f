package dev.pawl;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand items of one job, over a real file. */
class ManyItemsTest {
    private static final Workflow<Integer, Integer> W = Workflow.named("w", Integer.class, Integer.class);

    @Test
    void ten_thousand_items_run_a_few_at_once_and_each_once(@TempDir Path folder) throws InterruptedException {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        var runs = new AtomicInteger();
        try (var pawl = Pawl.openOrCreate(folder.resolve("pawl.db"))) {
            pawl.work(W.implementedBy((job, many) -> job.map(
                            named("m").atOnce(16),
                            IntStream.range(0, many).boxed().toList(),
                            String::valueOf,
                            (each, item) -> each.step("s", Integer.class, () -> {
                                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                                runs.incrementAndGet();
                                now.decrementAndGet();
                                return item;
                            }))
                    .size()));
            assertThat(pawl.submit(W, Key.of("x"), 10_000).join()).isEqualTo(10_000);
        }
        assertThat(runs).hasValue(10_000);
        assertThat(most.get()).isLessThanOrEqualTo(16);
    }
}
