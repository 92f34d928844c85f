package dev.pawl.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pawl.export.StoreKind;
import dev.pawl.ledger.RowState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stands in columns is said once for each constant, each column and each field; what was forgotten is found at the first use, or here. */
class ColumnsTest {
    @Test
    void each_constant_has_one_number_and_none_is_forgotten() {
        var all = List.of(RowState.values());
        assertThat(ColumnCodes.of(RowState.class, all).code("PERMANENT")).isEqualTo(all.indexOf(RowState.PERMANENT));
        for (var wrong : List.of(
                all.subList(1, all.size()),
                List.of(RowState.PENDING, RowState.PENDING, RowState.RETRYABLE, RowState.PERMANENT))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> ColumnCodes.of(RowState.class, wrong))
                    .withMessage("each constant of RowState has one number");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LedgerCodes.ROW_STATES.code("GONE"))
                .withMessageContaining("\"GONE\" is none of");
    }

    @Test
    void a_new_job_has_a_value_for_each_of_its_columns() {
        assertThatIllegalStateException()
                .isThrownBy(() -> JobColumn.values(Map.of(JobColumn.KEY, "k")))
                .withMessage("a new job has no workflow");
    }

    @Test
    void every_kind_of_line_that_is_part_of_a_store_has_a_table_with_its_fields() {
        for (var kind : StoreKind.values()) {
            if (LineTable.isThere(kind)) {
                assertThat(LineTable.of(kind).columns()).as(kind.word()).hasSameSizeAs(kind.fields());
            } else {
                assertThatIllegalStateException()
                        .isThrownBy(() -> LineTable.of(kind))
                        .withMessageContaining("nobody knows where each field of " + kind);
            }
        }
    }
}
