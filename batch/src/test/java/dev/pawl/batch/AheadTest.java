package dev.pawl.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that are read ahead are the same rows in the same order, and whatever ends the reading is told. */
class AheadTest {
    private static final int MANY = 5_000;

    @TempDir
    private Path folder;

    private RowFile rows() throws IOException {
        var file = folder.resolve("rows.jsonl");
        Files.writeString(
                file,
                IntStream.range(0, MANY).mapToObj(i -> "{\"id\":" + i + "}\n").collect(Collectors.joining()));
        return RowFile.at(file);
    }

    @Test
    void every_row_comes_once_and_in_order() throws IOException {
        var lines = new ArrayList<Long>();
        Ahead.read(rows(), row -> lines.add(row.line()));
        assertThat(lines)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, MANY).boxed().toList());
    }

    @Test
    void what_cannot_be_read_is_told_as_it_is() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Ahead.read(new RowFile(folder, RowFile.Form.JSONL), row -> {}))
                .withMessageContaining("directory");
    }

    @Test
    void whoever_has_had_enough_is_not_waited_for() throws IOException {
        var file = rows();
        assertThatIllegalStateException()
                .isThrownBy(() -> Ahead.read(file, row -> {
                    throw new IllegalStateException("enough");
                }))
                .withMessage("enough");
    }

    @Test
    void whoever_is_told_to_end_does() throws IOException {
        var file = rows();
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> Ahead.read(file, row -> {}));
        } finally {
            assertThat(Thread.interrupted()).as("it is still known").isTrue();
        }
    }
}
