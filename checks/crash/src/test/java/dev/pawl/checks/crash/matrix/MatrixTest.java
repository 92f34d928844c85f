package dev.pawl.checks.crash.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.checks.crash.matrix.Trip.How;
import dev.pawl.checks.crash.matrix.Trip.When;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sample of the crash matrix; {@code ./verify crash} runs it, and holds how many cells there are. */
class MatrixTest {
    @TempDir
    private Path folder;

    @Test
    void a_sample_of_the_cells_loses_nothing_repeats_nothing_and_leaves_nobody_stuck() throws Exception {
        var some = new ArrayList<>(List.of(
                new Cell(Row.NONE, new Trip("AnswerAttempt", When.BEFORE, How.KILL), false),
                new Cell(Row.VERIFIABLE, new Trip("IntendEffectIfOwned", When.AFTER, How.STOP), true),
                new Cell(Row.MAP_ITEM, new Trip("RecordStepIfOwned", When.AFTER, How.ERROR), false)));
        some.addAll(Cell.frozenBeforeSending());
        var verdicts = new Matrix(folder).run(some);
        assertThat(verdicts).allSatisfy(verdict -> assertThat(verdict.why()).isEmpty());
        assertThat(verdicts.get(some.size() - 2).reported())
                .as("frozen between check and send: no store can stop it, and a person is told")
                .isTrue();
    }

    @Test
    void a_matrix_that_has_lost_a_cell_or_a_kind_of_change_is_told() {
        var cells = Cell.all(Map.of(Row.PURE, Set.of("RecordStepIfOwned")));
        assertThat(Matrix.missing(cells))
                .contains("cells", "IntendEffectIfOwned")
                .doesNotContain("RecordStepIfOwned");
    }
}
