package dev.pawl.checks.crash.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.Change;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sample of the crash matrix; {@code ./verify crash} runs all of it. */
class MatrixTest {
    private static final int CELLS = 2_126;
    private static final int EVERY = 708;

    @TempDir
    private Path folder;

    @Test
    void a_sample_of_the_cells_loses_nothing_repeats_nothing_and_leaves_nobody_stuck() throws Exception {
        var matrix = new Matrix(folder);
        var cells = matrix.cells();
        assertThat(cells).as("pinned: rows times changes times ways to die").hasSize(CELLS);
        var tripped = new TreeSet<String>();
        cells.forEach(cell -> tripped.add(cell.trip().change()));
        tripped.removeAll(Set.of(Actor.SEND, TrippingStore.TRANSACTION));
        assertThat(tripped).as("every kind of change there is").isEqualTo(kinds(Change.class));

        var some = new ArrayList<>(Matrix.every(EVERY, cells.subList(0, cells.size() - 2)));
        some.addAll(Cell.frozenBeforeSending());
        var verdicts = matrix.run(some);
        assertThat(verdicts).allSatisfy(verdict -> assertThat(verdict.why()).isEmpty());
        assertThat(verdicts.get(some.size() - 2).reported())
                .as("frozen between check and send: no store can stop it, and a person is told")
                .isTrue();
    }

    private static Set<String> kinds(Class<?> sealed) {
        var kinds = new TreeSet<String>();
        for (var permitted : Arrays.asList(sealed.getPermittedSubclasses())) {
            if (permitted.isSealed()) {
                kinds.addAll(kinds(permitted));
            } else {
                kinds.add(permitted.getSimpleName());
            }
        }
        return kinds;
    }
}
