package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.Submission;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowOutcome;
import dev.pawl.ledger.RowState;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.text.ShellWord;
import dev.pawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stores that earlier states of Pawl have left behind, killed with jobs in flight, a doubt, a closed gate, a waiting approval, an open command and
 * tombstones, are opened, and what is in them is finished: nothing is lost, and nothing is done twice.
 */
class KeptStoresTest {
    /** What had happened to the outside world when the store was left. */
    private static final List<String> SENT_BEFORE = List.of(
            "publish/1 upload",
            "orders/many a",
            "orders/many b",
            "orders/many c",
            "orders/ask ship",
            "orders/held ship",
            "nightly/a row",
            "nightly/b row",
            "nightly/d row",
            "charge/1 charge");

    private static final List<String> SENT_LATER =
            List.of("announce/1 post", "label/1 label", "label/2 label", "nap/1 wake", "render/1 upload");

    /**
     * A state that has left its stores.
     *
     * @param fileSchema the schema of its file
     * @param databaseSchema the schema of its database
     * @param talk what it knew of the cost of talking to a model
     * @param lastDayOfTheApproval an approval expires within a year
     */
    record LeftBy(String name, int fileSchema, int databaseSchema, String talk, Instant lastDayOfTheApproval) {
        @Override
        public String toString() {
            return name;
        }

        /** Whether it knew of rows, of what a job is part of, of tool calls, and of waiting for what goes on elsewhere. */
        private boolean hasRowsAndTools() {
            return fileSchema >= 9;
        }
    }

    /** The first one forgot what the model had said it cost. */
    static List<LeftBy> states() {
        return List.of(
                new LeftBy("first", 4, 1, "unknown", Instant.parse("2027-11-15T00:00:00Z")),
                new LeftBy("second", 6, 3, "0.0042USD", Instant.parse("2027-11-17T00:00:00Z")),
                new LeftBy("third", 9, 6, "0.0042USD", Instant.parse("2027-11-18T00:00:00Z")));
    }

    @TempDir
    private Path folder;

    private String store = "";

    @BeforeEach
    void flows() throws IOException {
        for (var file : List.of(
                "announce.yaml",
                "charge.yaml",
                "label.yaml",
                "nap.yaml",
                "publish.yaml",
                "render.yaml",
                "act.sh",
                "row.sh",
                "rows.jsonl")) {
            try (var in = kept("flows/" + file)) {
                Files.copy(in, folder.resolve(file));
            }
        }
        Files.createFile(folder.resolve("credit"));
        Files.createFile(folder.resolve("go"));
    }

    private static InputStream kept(String name) {
        return Objects.requireNonNull(KeptStoresTest.class.getResourceAsStream("kept/" + name), name);
    }

    private String pawl(int code, String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add(all.contains("--") ? all.indexOf("--") : all.size(), "--store=" + store);
        var typed = Typing.of(all.toArray(String[]::new));
        assertThat(typed.code()).as("%s: %s", all, typed).isEqualTo(code);
        return typed.out();
    }

    /** Looking changes nothing, and says how to bring the store forward. */
    private void bringForward(int from, String kind) {
        if (Typing.of("--version").out().contains(" " + from + " (" + kind + ")")) {
            return;
        }
        var refused = Typing.of("jobs", "--store=" + store);
        assertThat(refused.code()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.err())
                .contains("has schema " + from + ", and this Pawl reads ")
                .contains("pawl schema migrate --store " + ShellWord.of(store) + " brings it forward");
        assertThat(pawl(0, "schema", "migrate")).contains("; it had " + from);
    }

    private void run(int code, String flow, int id) {
        pawl(code, "run", folder.resolve(flow + ".yaml").toString(), "--input", "{\"id\":" + id + "}");
    }

    private void decide(String job, String... answer) {
        var words = new ArrayList<>(List.of("decide", job));
        words.addAll(List.of(answer));
        words.addAll(List.of("--note", "I looked"));
        pawl(0, words.toArray(String[]::new));
    }

    private JobState state(String workflow, Object key) {
        try (var pawl = Pawl.openOrCreate(store, KeptWork.options())) {
            return pawl.find(new Identity(workflow, Key.of(key))).orElseThrow().state();
        }
    }

    private Path unpacked(LeftBy state) throws IOException {
        try (var zip = new ZipInputStream(kept(state + "/file.zip"))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                var file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
        return folder.resolve("pawl.db");
    }

    /** As that Pawl did it: nobody can bring such a file forward any more. */
    private static void seal(Path file, String to) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("create table moved (address text not null, token text not null)");
            statement.execute("insert into moved values ('" + to + "', 'a token')");
            for (var table : List.of("job", "journal", "gate")) {
                statement.execute("create trigger sealed_" + table + "_update before update on " + table
                        + " begin select raise(abort, 'this store was moved'); end");
            }
            statement.execute("pragma application_id = " + 0x5061_774d);
        }
    }

    @Test
    void a_file_that_an_earlier_pawl_had_begun_to_move_moves_on_and_is_finished() throws Exception {
        var state = states().getFirst();
        var file = unpacked(state);
        store = folder.resolve("elsewhere.db").toString();
        seal(file, store);
        var moved = Typing.of("move", "--from", file.toString(), "--to", store);
        assertThat(moved.code()).as(moved.toString()).isZero();
        assertThat(moved.out()).contains("is now at " + store);
        try (var left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString())).noneMatch(name -> name.startsWith(".moving"));
        }
        // What its command left lies beside the other file.
        run(3, "publish", 1);
        decide("publish/1", "done", "--result", "{\"url\":\"there\"}");
        run(0, "publish", 1);
        finish(state);
    }

    @Test
    void a_database_of_an_earlier_state_moves_into_a_file_and_is_finished_there() throws Exception {
        var state = states().getLast();
        try (var server = PostgresServer.start();
                var dump = kept(state + "/postgres.sql")) {
            PostgresDump.restore(server.url(), new String(dump.readAllBytes(), StandardCharsets.UTF_8));
            Files.write(folder.resolve("sent"), sentBefore(state));
            store = folder.resolve("here.db").toString();
            var moved = Typing.of("move", "--from", server.url(), "--to", store);
            assertThat(moved.code()).as(moved.toString()).isZero();
            assertThat(Typing.of("status", "--store=" + server.url()).err()).contains("was moved to " + store);
            run(3, "publish", 1);
            decide("publish/1", "done", "--result", "{\"url\":\"there\"}");
            run(0, "publish", 1);
            finish(state);
        }
    }

    @ParameterizedTest
    @MethodSource("states")
    void a_file_of_an_earlier_state_is_finished(LeftBy state) throws Exception {
        store = unpacked(state).toString();
        bringForward(state.fileSchema(), "SQLite");
        assertThat(pawl(0, "jobs", "--json")).contains("orders/held", "render/1", "announce/1");
        // Its command had ended when nobody was there, and says how.
        run(0, "publish", 1);
        finish(state);
    }

    @ParameterizedTest
    @MethodSource("states")
    void a_database_of_an_earlier_state_is_finished(LeftBy state) throws Exception {
        try (var server = PostgresServer.start();
                var dump = kept(state + "/postgres.sql")) {
            PostgresDump.restore(server.url(), new String(dump.readAllBytes(), StandardCharsets.UTF_8));
            store = server.url();
            Files.write(folder.resolve("sent"), sentBefore(state));
            bringForward(state.databaseSchema(), "PostgreSQL");
            assertThat(pawl(0, "jobs", "--json")).contains("orders/held", "render/1", "announce/1");
            // Its command ran on a machine that this one knows nothing of.
            run(3, "publish", 1);
            decide("publish/1", "done", "--result", "{\"url\":\"there\"}");
            run(0, "publish", 1);
            finish(state);
        }
    }

    private void finish(LeftBy state) throws Exception {
        // A waiting approval, a doubt, a closed gate with two who wait, an open step, a sleep that is over.
        var asksNoMore = Time.system().now().isAfter(state.lastDayOfTheApproval());
        if (!asksNoMore) {
            decide("announce/1", "approve");
        }
        run(asksNoMore ? 1 : 0, "announce", 1);
        decide("charge/1", "done", "--result", "null");
        run(0, "charge", 1);
        pawl(0, "open", "account/label", "--note", "there is credit");
        run(0, "label", 1);
        run(0, "label", 2);
        run(0, "render", 1);
        run(0, "nap", 1);
        // The batch: two are done, one failed, one asks.
        decide("nightly/d", "done", "--result", "null");
        pawl(0, "discard", "nightly/c", "--note", "not needed");
        pawl(
                0,
                "batch",
                "run",
                folder.resolve("rows.jsonl").toString(),
                "--name=nightly",
                "--key=id",
                "--",
                "sh",
                folder.resolve("row.sh").toString());
        assertThat(state("nightly", "d")).isEqualTo(JobState.DONE);
        decide("orders/called", "done", "--result", "{\"id\":\"shipped\",\"cents\":1}");
        decide("orders/many", "done", "--result", "\"b\"");
        assertThat(pawl(0, "signal", "orders/signal", "paid", "--payload", "\"by card\"", "--id", "1", "--json"))
                .contains("orders/signal", "\"news\":true");
        try (var pawl = Pawl.openOrCreate(store, KeptWork.options())) {
            pawl.work(KeptWork.ORDERS.implementedBy(new KeptWork(folder, false)::order));
            for (var key : List.of("signal", "call", "called", "many", "held")) {
                KeptWork.awaitOrder(pawl, key, job -> job.state().finished());
            }
            for (var key : List.of("talk", "signal", "call", "called", "many", "held")) {
                assertThat(KeptWork.order(pawl, key).state()).as(key).isEqualTo(JobState.DONE);
            }
            assertThat(KeptWork.order(pawl, "held").outcome().result()).contains("found");
            assertThat(KeptWork.order(pawl, "signal").outcome().result()).contains("by card");
            assertThat(KeptWork.order(pawl, "call").outcome().result()).contains("shipped");
            assertThat(KeptWork.order(pawl, "fail").state()).isEqualTo(JobState.FAILED);
            assertThat(KeptWork.order(pawl, "cancelled").state()).isEqualTo(JobState.CANCELLED);
            assertThat(pawl.cost(KeptWork.order(pawl, "talk")).toString()).isEqualTo(state.talk());
            if (state.hasRowsAndTools()) {
                finishRowsAndTools(pawl);
            }
            // What was pruned is not done again.
            for (var pruned : List.of("talk", "fail")) {
                assertThat(pawl.submit(KeptWork.ORDERS, Key.of("pruned-" + pruned), new KeptWork.Order(pruned, 100))
                                .how())
                        .isEqualTo(Submission.Arrival.SAME);
            }
        }
        assertThat(Files.readAllLines(folder.resolve("sent")))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(sentBefore(state).stream(), SENT_LATER.stream())
                        .filter(line -> !(asksNoMore && line.startsWith("announce")))
                        .toList());
    }

    private static List<String> sentBefore(LeftBy state) {
        return state.hasRowsAndTools()
                ? Stream.concat(SENT_BEFORE.stream(), Stream.of("orders/tools ship"))
                        .toList()
                : SENT_BEFORE;
    }

    private static void finishRowsAndTools(Pawl pawl) throws InterruptedException {
        var ledger = pawl.ledger(KeptWork.ROWS);
        assertThat(ledger.counts())
                .containsExactly(
                        new RowCount(RowState.PENDING, "", false, 2), new RowCount(RowState.SUCCEEDED, "", false, 1));
        var first = ledger.row(KeptWork.rowKey(0)).orElseThrow();
        assertThat(first.listed().result()).isEqualTo("\"a label\"");
        var late = new RowAnswer(
                KeptWork.rowKey(1).toString(), 1, 1, new RowAnswer.RowEnding.RowSucceeded("\"late\""), null);
        assertThat(ledger.answer(List.of(late), 3)).containsExactly(RowOutcome.SETTLED);
        assertThat(ledger.enrol(Map.of(KeptWork.rowKey(2), Map.of("number", 2)), false))
                .containsExactly(RowOutcome.ALREADY);
        pawl.signal(KeptWork.ORDERS, Key.of("rows"), "answered", "all", "1");
        KeptWork.awaitOrder(pawl, "rows", job -> job.state() == JobState.DONE);
        assertThat(KeptWork.order(pawl, "rows").outcome().result()).contains("all");

        var tools = KeptWork.order(pawl, "tools");
        assertThat(tools.handling().traceparent()).isEqualTo(KeptWork.TRACED);
        assertThat(pawl.operator().envelope(tools).progress()).hasToString("1 of 2: asking");
        pawl.signal(KeptWork.ORDERS, Key.of("tools"), "updated", "look", "1");
        KeptWork.awaitOrder(pawl, "tools", job -> job.state() == JobState.DONE);
        assertThat(KeptWork.order(pawl, "tools").outcome().result()).contains("shipped call-1 arrived", "3");
    }
}
