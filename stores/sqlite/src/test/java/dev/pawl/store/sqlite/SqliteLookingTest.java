package dev.pawl.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.store.OccurrencePosition;
import dev.pawl.store.Store;
import dev.pawl.testkit.LookingConformance;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLookingTest extends LookingConformance {

    @TempDir
    private Path folder;

    @Override
    protected Store open() {
        return SqliteStore.open(folder.resolve("pawl.db"), time);
    }

    private static List<String> texts(List<Occurrence> happened) {
        return happened.stream()
                .map(one -> one.identity().key() + " " + one.what().getClass().getSimpleName())
                .toList();
    }

    /** A file is read to its end; a database of which not all may be read yet is read by the same queries. */
    @Test
    void an_end_whose_job_has_a_line_that_may_not_be_read_yet_is_told_with_that_line_and_none_behind_it_before() {
        driver.enlist(1);
        var one = driver.hold("one", 1);
        driver.apply(one.step("s", "1"));
        driver.apply(one.finish("1"));
        var two = driver.hold("two", 1);
        driver.apply(two.step("s", "1"));
        var line = driver.store().journal(two.job().id()).getFirst().seq();
        driver.apply(two.finish("1"));
        driver.apply(driver.hold("three", 1).finish("1"));
        try (var store = SqliteStore.open(folder.resolve("pawl.db"), time)) {
            var before = new OccurrencePosition(Long.MAX_VALUE, line - 1, Long.MAX_VALUE);
            var first = store.<List<Occurrence>>look(looks -> looks.happened(Cursor.START, before, 100));
            assertThat(texts(first))
                    .containsExactly("one Submitted", "two Submitted", "three Submitted", "one Recorded", "one Ended");
            var all = new OccurrencePosition(Long.MAX_VALUE, line, Long.MAX_VALUE);
            var cursor = first.getLast().cursor();
            assertThat(texts(store.<List<Occurrence>>look(looks -> looks.happened(cursor, all, 100))))
                    .containsExactly("two Recorded", "two Ended", "three Ended");
        }
    }
}
