package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.cost.Prices;
import dev.pawl.cost.Use;
import dev.pawl.export.ExportFile;
import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.Handling;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.store.Change;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Wanted;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Everything that is in a store is told, whatever kind of store it is, and what was written can be read and is found out when it is not what was written. */
public abstract class ExportConformance extends StoreHarness {

    /** At least one of everything that there can be. */
    private void fill() {
        driver.enlist(1);
        driver.apply(new Change.LimitQueue("mail", 3));
        driver.apply(new Change.KeepPrices(Prices.parse("ours", "m, 3.00, 15.00"), ANNA));
        var done = driver.hold("done \u00e9 \"quoted\"", 1);
        driver.apply(done.step("s", "\"\u2028\""));
        driver.apply(done.intend(1));
        driver.apply(done.happened(1));
        driver.apply(new Change.RecordStepIfOwned(
                done.hold(),
                done.id(1),
                List.of(new Entry.Used(
                        new Place("", "s", ""),
                        1,
                        List.of(new Use("m", new Use.Tokens(3, 2, 1), 4, false, 5L)),
                        Duration.ofSeconds(1)))));
        driver.apply(done.finish("\"r\""));
        var waits = driver.hold("waits", 1);
        driver.apply(waits.call(
                "c", new Change.CalledJob(identity("child"), new StoredJob.Given("1", Handling.usual()), false)));
        driver.apply(new Change.PassGateIfOwned(waits.hold(), waits.id(0), new Rate("bank", 2, Duration.ofMinutes(1))));
        driver.apply(new Change.WaitAtGateIfOwned(
                waits.hold(),
                waits.id(0),
                List.of(),
                new Gate.Wish("g", new Gate.Reason(Gate.Cause.BUDGET, "spent", null, null)),
                null));
        driver.enlist(2);
        driver.apply(new Change.Retire(2));
    }

    private List<StoreLine> told() {
        var lines = new ArrayList<StoreLine>();
        driver.store().export(lines::add);
        return lines;
    }

    @Test
    void everything_is_told_kind_after_kind_and_the_same_again() {
        fill();
        var lines = told();
        assertThat(lines)
                .extracting(StoreLine::kind)
                .contains(
                        StoreKind.JOB,
                        StoreKind.ENTRY,
                        StoreKind.ATTEMPT,
                        StoreKind.CALL,
                        StoreKind.WORKER,
                        StoreKind.GONE,
                        StoreKind.QUEUE,
                        StoreKind.GATE,
                        StoreKind.PASSED,
                        StoreKind.SPENT,
                        StoreKind.PRICES)
                .isSorted();
        assertThat(handle().exchange(List.of(), Wanted.NOTHING).claimed()).isEmpty();
        assertThat(told()).isEqualTo(lines);
        assertThat(lines.stream().filter(line -> line.kind() == StoreKind.JOB)).hasSize(3);
        assertThat(lines.stream()
                        .filter(line -> line.kind() == StoreKind.JOB)
                        .map(line -> String.valueOf(
                                line.values().get(StoreKind.JOB.fields().indexOf("state")))))
                .containsExactlyInAnyOrder("DONE", "WAITING", "READY");
        assertThat(lines.stream().filter(line -> line.kind() == StoreKind.SPENT))
                .as("what was spent in all is made of the rest")
                .hasSize(1);
    }

    @Test
    void what_is_written_reads_back_line_by_line_and_is_counted() throws IOException {
        fill();
        var out = new StringWriter();
        var written = ExportFile.write(out, "here", driver.store()::export);
        var lines = new ArrayList<StoreLine>();
        assertThat(ExportFile.read(new StringReader(out.toString()), lines::add))
                .isEqualTo(written);
        assertThat(lines).isEqualTo(told());
        var text = out.toString();
        var last = text.lastIndexOf('\n', text.length() - 2);
        for (var wrong : List.of(
                text.substring(0, last + 1),
                text.replaceFirst(":waits", ":weits"),
                text.substring(0, text.indexOf('\n') + 1)
                        + text.substring(text.indexOf('\n', text.indexOf('\n') + 1) + 1),
                text.replaceFirst("\"kind\":\"job\"", "\"kind\":\"jab\""),
                text.replaceFirst("\"version\":1", "\"version\":2"),
                text.replaceFirst("\"fence\":[0-9]+", "\"fence\":1.5"))) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> ExportFile.read(new StringReader(wrong), line -> {}))
                    .withMessageMatching("line [0-9]+ .*");
        }
    }
}
