package dev.pawl;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.decision.Audit;
import dev.pawl.event.Events;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.ledger.LedgerPart.PartSeal;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowAnswer.RowEnding;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowOutcome;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowState;
import dev.pawl.ledger.RowWord;
import dev.pawl.ledger.SentRow;
import dev.pawl.list.Cursor;
import dev.pawl.retry.Retry;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are not jobs, as Java code enrols, sends and answers them. */
class LedgerTest {
    private static final Workflow<Integer, Integer> RUN = Workflow.named("run", Integer.class, Integer.class);
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final int MANY = 2_500;

    @TempDir
    private Path folder;

    private final AtomicInteger tries = new AtomicInteger();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private static Map<Key, Map<String, Object>> rows(int many) {
        var rows = new LinkedHashMap<Key, Map<String, Object>>();
        IntStream.range(0, many).forEach(i -> rows.put(Key.of("r", i), Map.of("text", "row " + i)));
        return rows;
    }

    private int run(Job job, int many) {
        for (var from = 0; from < many; from += 1_000) {
            var refs = IntStream.range(from, Math.min(from + 1_000, many))
                    .mapToObj(i -> new RowRef(Key.of("r", i).toString(), 1))
                    .toList();
            job.sendRows(named("send").item("" + from), new PartSending("reviews", "1.1", refs, 2));
        }
        job.step("dies-once", Integer.class, () -> {
            if (tries.getAndIncrement() == 0) {
                throw new IllegalStateException("the process that composed the part died");
            }
            return 1;
        });
        job.sealPart(named("seal"), new PartSealing("reviews", "1.1", new PartSeal(many, "hash")));
        return many;
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "database"})
    void a_job_sends_rows_once_however_often_it_begins_anew_and_answers_come_after_its_end(String where)
            throws InterruptedException {
        var store = where.equals("file") ? folder.resolve("pawl.db").toString() : SERVER.url() + "&pawlSchema=rows";
        try (var pawl = Pawl.openOrCreate(store, PawlOptions.usual().log(Events.NOWHERE))) {
            var ledger = pawl.ledger("reviews");
            assertThat(ledger.enrol(rows(MANY), false)).hasSize(MANY).containsOnly(RowOutcome.ENROLLED);
            assertThat(ledger.enrol(rows(MANY), false)).containsOnly(RowOutcome.ALREADY);
            pawl.work(RUN.implementedBy(this::run));
            assertThat(pawl.submit(RUN, Key.of("1"), MANY).join()).isEqualTo(MANY);
            assertThat(tries).hasValue(2);
            assertThat(ledger.parts("", 10))
                    .singleElement()
                    .satisfies(part -> assertThat(part.seal()).isEqualTo(new PartSeal(MANY, "hash")));

            var sent = ledger.sent("1.1", Cursor.START, 1_000);
            assertThat(sent.rows()).hasSize(1_000).extracting(SentRow::attempt).containsOnly(1);
            assertThat(sent.rows().getFirst().payload()).isEqualTo("{\"text\":\"row 0\"}");
            var answers = sent.rows().stream()
                    .map(row -> new RowAnswer(
                            row.key(),
                            row.generation(),
                            row.attempt(),
                            row.key().endsWith("7")
                                    ? new RowEnding.RowFailed("blocked", "by the filter", true, true)
                                    : new RowEnding.RowSucceeded("1"),
                            null))
                    .toList();
            assertThat(ledger.answer(answers, 2)).containsOnly(RowOutcome.SETTLED);
            assertThat(ledger.counts())
                    .containsExactly(
                            new RowCount(RowState.PENDING, "", false, 1_500),
                            new RowCount(RowState.SUCCEEDED, "", false, 900),
                            new RowCount(RowState.PERMANENT, "blocked", false, 100));
            var blocked = ledger.rows(
                    LedgerQuery.of("reviews").in(Set.of(RowState.PERMANENT)).most(1));
            assertThat(blocked.next()).isNotNull();
            var key = blocked.rows().getFirst().row().key();
            assertThat(ledger.say(List.of(new RowRef(key, 1)), new RowWord.Drop(), new Audit("anna", "spam")))
                    .containsExactly(RowOutcome.SETTLED);
            assertThat(ledger.row(Key.parse(key))
                            .orElseThrow()
                            .said()
                            .getFirst()
                            .who())
                    .startsWith("anna");
            ledger.note("1.1", Map.of("id", "batches/7"));
            assertThat(ledger.parts("", 1).getFirst().provider()).isEqualTo("{\"id\":\"batches/7\"}");
            assertThat(pawl.operator().collections())
                    .singleElement()
                    .satisfies(one -> assertThat(one.name()).isEqualTo("reviews"));
            assertThatThrownBy(() -> ledger.note("9.9", Map.of())).hasMessageContaining("there is no part 9.9");
            assertThat(ledger.prune(Time.system().now().plus(Duration.ofDays(1))))
                    .isEqualTo(901);
        }
    }

    @Test
    void what_cannot_be_sent_fails_the_job_with_the_reason() throws InterruptedException {
        try (var pawl =
                Pawl.openOrCreate(folder.resolve("pawl.db"), PawlOptions.usual().log(Events.NOWHERE))) {
            pawl.work(RUN.implementedBy((job, many) -> {
                        job.sendRows(named("send"), new PartSending("nowhere", "1", List.of(new RowRef("a", 1)), 1));
                        return many;
                    })
                    .retry(Retry.USUAL.attempts(1)));
            pawl.submit(RUN, Key.of("1"), 1);
            var identity = new Identity("run", Key.of("1"));
            while (pawl.find(identity).orElseThrow().state() != JobState.FAILED) {
                new Signal().await(Time.system(), 0, Duration.ofMillis(20));
            }
            assertThat(pawl.find(identity).orElseThrow().outcome().failure())
                    .asString()
                    .contains("there is no collection nowhere");
        }
    }
}
