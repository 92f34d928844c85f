package dev.pawl.testkit;

import static dev.pawl.testkit.StoreDriver.ANNA;
import static dev.pawl.testkit.StoreDriver.identity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.cost.Prices;
import dev.pawl.cost.Use;
import dev.pawl.decision.QuestionKind;
import dev.pawl.export.ExportFile;
import dev.pawl.export.LineSums;
import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import dev.pawl.gate.Rate;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Artifact;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowOutcome;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowWord;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobQuery;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.IncomingStore;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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

    /** A store in which nothing is, at another place. */
    protected abstract Store another();

    private static List<StoreLine> told(Store store) {
        var lines = new ArrayList<StoreLine>();
        store.export(lines::add);
        return lines;
    }

    private static Map<String, LineSums.Sum> sums(List<StoreLine> lines) {
        var sums = new LineSums();
        lines.forEach(sums::add);
        return sums.byWord();
    }

    @Test
    void what_another_store_has_told_arrives_as_it_was_and_is_gone_on_with() {
        fill();
        var before = told();
        try (var store = another()) {
            assertThat(store.hold("a")).isTrue();
            assertThatExceptionOfType(StoreFailure.class).isThrownBy(() -> store.hold("b"));
            store.letGo("a");
            assertThat(store.hold("b")).isTrue();
            store.letGo("a");
            store.letGo("b");
            var arriving = new IncomingStore("a", driver.store()::export);
            assertThat(store.receive(arriving))
                    .containsEntry("job", sums(before).get("job"));
            assertThat(told(store)).containsExactlyInAnyOrderElementsOf(before);
            assertThat(store.receive(arriving))
                    .as("it has arrived, and does not arrive twice")
                    .isEmpty();
            assertThatExceptionOfType(StoreFailure.class)
                    .isThrownBy(() -> store.receive(new IncomingStore("b", driver.store()::export)))
                    .withMessageContaining("jobs or workers of its own");
            assertThat(store.hold("a")).as("it has arrived").isFalse();

            var there = new StoreDriver(store);
            assertThat(store.ended(TimeWindow.EVER).stream()
                            .mapToLong(EndedJobs::many)
                            .sum())
                    .isEqualTo(1);
            assertThat(store.jobs(JobQuery.in(JobState.DONE)).jobs()).hasSize(1);
            assertThat(store.spentByWorkflow()).isEqualTo(driver.store().spentByWorkflow());
            assertThat(store.jobs(JobQuery.all().keyPrefix("chi")).jobs()).hasSize(1);
            assertThat(there.apply(new Change.SubmitJob(
                            identity("done \u00e9 \"quoted\""), new StoredJob.Given("1", Handling.usual()), null)))
                    .isInstanceOf(Applied.Already.class);
            // Who called hears of the end here too, and what comes next has a number of its own.
            there.enlist(3);
            var child = there.claimed(there.claim(3, 1).getFirst());
            assertThat(there.apply(child.finish("2"))).isInstanceOf(Applied.Now.class);
            var more = there.hold("new", 3);
            assertThat(told(store).stream()
                            .filter(line -> line.kind() == StoreKind.JOB)
                            .map(line -> line.value("number"))
                            .distinct())
                    .hasSize(4);
            assertThat(there.apply(more.step("s", "1"))).isInstanceOf(Applied.Now.class);
        }
    }

    @Test
    void what_is_interrupted_or_arrives_otherwise_than_it_was_told_leaves_nothing() {
        fill();
        try (var store = another()) {
            for (var after = 0; after < told().size(); after += 3) {
                var most = after;
                var telling = new IncomingStore("a", listener -> {
                    var many = new int[1];
                    driver.store().export(line -> {
                        if (many[0]++ == most) {
                            throw new IllegalStateException("interrupted");
                        }
                        listener.accept(line);
                    });
                });
                assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> store.receive(telling));
                assertThat(told(store)).isEmpty();
            }
            var disordered = new ArrayList<>(told());
            Collections.reverse(disordered);
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> store.receive(new IncomingStore("a", disordered::forEach)));
            assertThat(told(store)).isEmpty();
            assertThat(store.receive(new IncomingStore("a", driver.store()::export)))
                    .containsKey("job");
            assertThat(told(store)).containsExactlyInAnyOrderElementsOf(told());
        }
    }

    @Test
    void a_copy_waits_until_somebody_has_looked_and_none_is_made_of_lines_that_say_what_none_can() {
        fill();
        var lines = told();
        try (var store = another()) {
            for (var i = 0; i < lines.size(); i++) {
                for (var wrong : wrong(lines.get(i))) {
                    var changed = new ArrayList<>(lines);
                    changed.set(i, wrong);
                    assertThatExceptionOfType(IllegalArgumentException.class)
                            .as(wrong.toString())
                            .isThrownBy(() -> store.receive(IncomingStore.ofCopy(changed::forEach, time.now())));
                }
            }
            assertThat(told(store)).isEmpty();
            assertThat(store.receive(IncomingStore.ofCopy(lines::forEach, time.now())))
                    .containsKey("gate");
            assertThat(store.closedGates())
                    .extracting(Gate::name)
                    .contains("g", GateNames.RESTORED)
                    .hasSize(2);
            assertThat(told(store).stream().filter(line -> line.kind() == StoreKind.JOB))
                    .allMatch(line -> line.number("fence") >= IncomingStore.FENCES);
        }
    }

    private static List<StoreLine> wrong(StoreLine line) {
        return switch (line.kind()) {
            case JOB -> List.of(line.with("state", "GONE"), line.with("key", "1:ab"), line.with("failure", "{"));
            case ENTRY -> List.of(line.with("entry", 99L), line.with("place", "x/y/\u0000"));
            case ATTEMPT -> List.of(line.with("status", "MAYBE"), line.with("number", "one"));
            case WORKER -> List.of(line.with("taking", "[]"));
            case GATE -> List.of(line.with("cause", "WEATHER"), line.with("openings", "{"));
            case PRICES ->
                List.of(
                        line.with("lines", "m, much"),
                        StoreLine.of(StoreKind.TABLE, "t", "{}"),
                        StoreLine.of(StoreKind.TABLE_ROW, "t", "[]"));
            default -> List.of();
        };
    }

    private StoreDriver.Held runs(String key) {
        return driver.hold(key, 1);
    }

    /** Every state of a job that no other can be told from, a gate in each of its, and rows of every kind. */
    private void fillFurther() {
        driver.enlist(1);
        driver.enlist(9);
        driver.hold("suspect", 9);
        driver.apply(new Change.TakeOver(9, 0, WorkerEnd.BEAT_STOOD_STILL));
        driver.claimed(driver.claim(1, 1).getFirst());
        var fails = runs("fails");
        var asks = runs("asks");
        var keeps = runs("keeps");
        var off = runs("off");
        var sends = runs("sends");
        var slowed = runs("slowed");
        var calls = runs("calls");
        driver.apply(fails.fail());
        driver.apply(asks.intend(1));
        driver.apply(asks.askAbout(QuestionKind.IN_DOUBT));
        var bytes = Bytes.copyOf(new byte[] {0, 1, -1});
        driver.apply(new Change.KeepArtifactIfOwned(
                keeps.hold(),
                keeps.id(1),
                List.of(new Entry.ArtifactKept(
                        new Place("", "page", ""), new Artifact("text/plain", 3, bytes.sha256(), null))),
                bytes));
        driver.apply(new Change.Deliver(off.job().id(), new Message("1", Message.Kind.SIGNAL, "paid", "1")));
        driver.apply(new Change.CancelJob(off.job().id(), driver.newId(), ANNA));
        driver.apply(new Change.WaitAtGateIfOwned(
                slowed.hold(),
                slowed.id(0),
                List.of(),
                new Gate.Wish(
                        "slow",
                        new Gate.Reason(Gate.Cause.RATE, "too fast", time.now().plusSeconds(60), null)),
                null));
        driver.apply(new Change.WaitAtGateIfOwned(
                keeps.hold(),
                keeps.id(0),
                List.of(),
                new Gate.Wish("opened", new Gate.Reason(Gate.Cause.BUDGET, "spent", null, null)),
                null));
        driver.apply(new Change.OpenGate("opened", 1, ANNA));
        driver.apply(calls.call(
                "c", new Change.CalledJob(identity("free"), new StoredJob.Given("1", Handling.usual()), true)));
        var handling = Handling.usual()
                .queue("mail")
                .priority(3)
                .principal("anna")
                .atMost(2, "customer-7")
                .traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        driver.apply(new Change.SubmitJob(identity("shares"), new StoredJob.Given("1", handling), null));

        driver.apply(new Change.EnrolRows(
                "rows",
                List.of("open", "good", "bad", "dropped", "given", "gone").stream()
                        .map(key -> NewRow.of(Key.of(key), "1"))
                        .toList(),
                false));
        driver.apply(send(sends, "sealed", "open", "good", "bad", "dropped", "given", "gone"));
        var seal = new PartSealing("rows", "sealed", new LedgerPart.PartSeal(6, "h"));
        driver.apply(new Change.SealPartIfOwned(
                sends.hold(), sends.id(1), List.of(new Entry.StepDone(new Place("", "seal", ""), "1")), seal));
        driver.apply(new Change.NotePart("rows", "sealed", "{\"id\":\"batches/1\"}"));
        driver.apply(new Change.ReconcileRows(
                "rows",
                List.of(
                        new RowAnswer("good", 1, 1, new RowAnswer.RowEnding.RowSucceeded("2"), "{}"),
                        failed("bad"),
                        failed("dropped"),
                        failed("given"),
                        new RowAnswer("gone", 1, 1, new RowAnswer.RowEnding.RowAbandoned("late"), null)),
                3));
        driver.apply(new Change.SayOfRows("rows", List.of(new RowRef("dropped", 1)), new RowWord.Drop(), ANNA));
        driver.apply(new Change.SayOfRows("rows", List.of(new RowRef("given", 1)), new RowWord.Accept("3"), ANNA));
        driver.apply(send(sends, "unsealed", "gone"));
    }

    private static Change send(StoreDriver.Held sends, String part, String... keys) {
        return new Change.SendRowsIfOwned(
                sends.hold(),
                sends.id(1),
                List.of(new Entry.StepDone(new Place("", "send", part), "1")),
                new PartSending(
                        "rows",
                        part,
                        Arrays.stream(keys).map(key -> new RowRef(key, 1)).toList(),
                        3));
    }

    private static RowAnswer failed(String key) {
        return new RowAnswer(key, 1, 1, new RowAnswer.RowEnding.RowFailed("blocked", "no", true, true), null);
    }

    @Test
    void however_a_job_a_gate_and_a_row_stand_they_arrive_so() {
        fillFurther();
        var before = told();
        assertThat(before)
                .extracting(StoreLine::kind)
                .contains(
                        StoreKind.ARTIFACT,
                        StoreKind.COLLECTION,
                        StoreKind.PART,
                        StoreKind.ROW,
                        StoreKind.PAYLOAD,
                        StoreKind.ROW_ATTEMPT,
                        StoreKind.ROW_WORD);
        try (var store = another()) {
            store.receive(new IncomingStore("a", driver.store()::export));
            assertThat(told(store)).containsExactlyInAnyOrderElementsOf(before);
            var there = new StoreDriver(store);
            for (var key : List.of("suspect", "fails", "asks", "keeps", "off", "sends", "slowed", "shares")) {
                assertThat(store.find(identity(key)))
                        .as(key)
                        .isEqualTo(driver.store().find(identity(key)));
            }
            for (var key : List.of("open", "good", "bad", "dropped", "given", "gone")) {
                assertThat(store.row("rows", key))
                        .as(key)
                        .isEqualTo(driver.store().row("rows", key));
            }
            assertThat(there.apply(new Change.ReconcileRows(
                            "rows",
                            List.of(new RowAnswer("open", 1, 1, new RowAnswer.RowEnding.RowSucceeded("2"), null)),
                            3)))
                    .isEqualTo(new Applied.OfRows(List.of(RowOutcome.SETTLED)));
        }
    }

    @Test
    void nothing_arrives_where_a_worker_or_a_row_is_although_there_is_no_job() {
        fill();
        var enrols = new Change.EnrolRows("rows", List.of(NewRow.of(Key.of("a"), "1")), false);
        var enlists = new Change.Enlist(7, "worker-7", Duration.ofSeconds(30), Taking.of("w"));
        for (var begins : List.of(enrols, enlists)) {
            try (var store = another()) {
                if (store.workers().isEmpty()) {
                    new StoreDriver(store).apply(begins);
                }
                for (var arriving : List.of(
                        new IncomingStore("a", driver.store()::export),
                        IncomingStore.ofCopy(driver.store()::export, time.now()))) {
                    assertThatExceptionOfType(StoreFailure.class)
                            .as(begins.toString())
                            .isThrownBy(() -> store.receive(arriving))
                            .withMessageContaining("jobs or workers of its own");
                }
            }
        }
    }
}
