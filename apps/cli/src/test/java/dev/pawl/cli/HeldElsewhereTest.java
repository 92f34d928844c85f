package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lease.Silence;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerRecord;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Silence while a dead worker's term runs is filled with a sentence. */
class HeldElsewhereTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final List<Silence> SILENT =
            List.of(new Silence(new WorkerRecord(7, "pawl-42@night", 1, Instant.EPOCH, TERM, Taking.NOTHING), TERM));

    private static String said(HeldElsewhere held, List<Silence> silences) {
        var before = System.err;
        var said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            held.areHeld(3, silences);
        } finally {
            System.setErr(before);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void for_whom_it_waits_and_until_when_is_said_once() {
        var held = new HeldElsewhere("row", false);
        assertThat(said(held, List.of())).as("whoever holds them is alive").isEmpty();
        assertThat(said(held, SILENT))
                .startsWith("pawl: 3 rows are held by a worker of which nothing was heard yet (pawl-42@night)")
                .containsPattern("if it stays silent, this goes on at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d");
        assertThat(said(held, SILENT)).isEmpty();
        assertThat(said(new HeldElsewhere("row", true), SILENT)).isEmpty();
    }
}
