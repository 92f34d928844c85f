package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.event.Event;
import dev.pawl.job.Workflow;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever opens a store, begins to work and closes it at once has no trouble with it, and tells of none. */
class ClosingTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);

    @TempDir
    private Path folder;

    @Test
    void a_store_that_is_closed_while_its_worker_begins_is_nobodys_trouble() {
        List<Event> events = new CopyOnWriteArrayList<>();
        for (var i = 0; i < 40; i++) {
            try (var pawl = Pawl.openOrCreate(
                    folder.resolve("pawl.db"), PawlOptions.usual().log(events::add))) {
                pawl.work(W.implementedBy((job, input) -> input));
            }
        }
        assertThat(events).extracting(Event::name).doesNotContain("store-failed");
    }
}
