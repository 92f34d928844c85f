package dev.pawl.checks.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.Wanted;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker killed with {@code kill -9} again and again: every effect is counted by somebody who never dies. */
class KillTest {

    private static final int JOBS = 45;
    private static final int KILLS = 6;
    private static final int LONG_SECONDS = 240;

    @TempDir
    private Path folder;

    @Test
    void whatever_is_killed_nothing_is_lost_and_nothing_happens_twice() throws Exception {
        var file = folder.resolve("pawl.db").toString();
        var random = new Random(11);
        try (var tally = new Tally()) {
            var kills = 0;
            while (kills < KILLS) {
                try (var worker = Jvm.start(Worker.class, file, tally.address().toString(), Integer.toString(JOBS))) {
                    arrivals(tally, 1 + random.nextInt(12), worker);
                    if (worker.alive()) {
                        worker.kill();
                        kills++;
                    } else {
                        break;
                    }
                }
            }
            try (var worker = Jvm.start(Worker.class, file, tally.address().toString(), Integer.toString(JOBS))) {
                worker.linesUntil(line -> line.startsWith("finished"));
                assertThat(worker.ends(LONG_SECONDS)).isTrue();
            }
            assertThat(kills).as("a run without kills proves nothing").isGreaterThanOrEqualTo(4);
            judge(tally);
        }
    }

    /** Waits until so many more requests have arrived, or the worker has ended. */
    private static void arrivals(Tally tally, int more, Jvm worker) throws InterruptedException {
        var start = tally.arrived().count();
        while (worker.alive() && tally.arrived().count() < start + more) {
            tally.arrived().await(Time.system(), tally.arrived().count(), Duration.ofMillis(200));
        }
    }

    private void judge(Tally tally) throws SQLException {
        assertThat(tally.once().values()).containsOnly(1);
        assertThat(tally.each().values()).as("nothing arrived twice").containsOnly(1);
        assertThat(tally.once()).hasSize(JOBS);
        var done = 0;
        try (var store = SqliteStore.open(folder.resolve("pawl.db"), Time.system())) {
            var jobs = store.wholeJobs(null, EnumSet.allOf(JobState.class), 0, 1_000);
            assertThat(jobs).hasSize(JOBS);
            for (var job : jobs) {
                assertThat(tally.each()).containsKey(key(job, "ship"));
                if (job.state() == JobState.DONE) {
                    assertThat(tally.each()).containsKey(key(job, "mail"));
                    done++;
                } else {
                    assertThat(job.state()).as("only what has no contract asks").isEqualTo(JobState.PAUSED);
                    assertThat(job.outcome().question()).isNotNull();
                    assertThat(store.journal(job.id()).stream().map(line -> line.entry()))
                            .noneMatch(entry -> entry instanceof Entry.Answered answered
                                    && answered.place().name().equals("mail")
                                    && answered.answer() instanceof Answer.Happened);
                }
            }
        }
        assertThat(done).as("most of it went well").isGreaterThan(JOBS / 2);
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("pawl.db"));
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(*), count(distinct number) from book")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getInt(1)).as("rows of the user's own table").isEqualTo(JOBS);
            assertThat(row.getInt(2)).isEqualTo(JOBS);
        }
    }

    private static String key(StoredJob job, String effect) {
        return EffectKey.of(job.identity(), new Place("", effect, ""), 0);
    }

    @Test
    void a_worker_stopped_past_its_lease_and_continued_does_nothing_twice_in_silence() throws Exception {
        var file = folder.resolve("pawl.db").toString();
        try (var tally = new Tally();
                var frozen = Jvm.start(Worker.class, file, tally.address().toString(), "30")) {
            arrivals(tally, 5, frozen);
            frozen.stopOutsideAWrite(Path.of(file));
            try (var other = Jvm.start(Worker.class, file, tally.address().toString(), "30")) {
                other.linesUntil(line -> line.startsWith("finished"));
                frozen.goOn();
                assertThat(frozen.ends(LONG_SECONDS))
                        .as("the one that was stopped ends by itself")
                        .isTrue();
            }
            assertThat(tally.once().values()).containsOnly(1);
            assertThat(tally.once()).hasSize(30);
            assertTwiceIsReported(tally);
        }
    }

    /** Stopped between its last check and its send for longer than the deadline, a request goes out once more, or may have; then a person is told. */
    private void assertTwiceIsReported(Tally tally) {
        try (var store = SqliteStore.open(folder.resolve("pawl.db"), Time.system())) {
            for (var job : store.wholeJobs(null, EnumSet.allOf(JobState.class), 0, 100)) {
                var reported = store.journal(job.id()).stream()
                        .map(line -> line.entry())
                        .filter(entry -> entry instanceof Entry.Duplicated)
                        .map(entry -> (Entry.Duplicated) entry)
                        .toList();
                for (var effect : List.of("ship", "mail")) {
                    var told = reported.stream()
                            .filter(twice -> twice.place().name().equals(effect))
                            .toList();
                    var most = told.isEmpty() ? 1 : 2;
                    var least = told.stream().anyMatch(twice -> !twice.unheard()) ? 2 : 1;
                    assertThat(tally.each().getOrDefault(key(job, effect), 1))
                            .as(effect + " of " + job.identity() + ", reported " + told)
                            .isBetween(least, most);
                }
            }
        }
    }

    @Test
    void a_process_stopped_inside_a_write_is_named() throws Exception {
        var file = folder.resolve("pawl.db");
        SqliteStore.open(file, Time.system()).close();
        try (var holder = Jvm.start(Holder.class, file.toString())) {
            holder.linesUntil(line -> line.equals("holding"));
            holder.stop();
            try (var store = SqliteStore.open(file, Time.system(), Duration.ofMillis(200))) {
                var change = new Change.Enlist(1, "w", Duration.ofSeconds(30), Taking.of("w"));
                assertThat(catchThrowable(() -> store.exchange(List.of(change), Wanted.NOTHING)))
                        .isInstanceOf(StoreFailure.class)
                        .hasMessageContaining("process " + holder.pid())
                        .hasMessageContaining("is stopped inside a write")
                        .hasMessageContaining("kill -CONT " + holder.pid());
            }
        }
    }

    @Test
    void a_disk_that_takes_no_more_acknowledges_nothing_and_goes_on_when_it_does()
            throws IOException, InterruptedException {
        var file = folder.resolve("pawl.db");
        var limited = List.of("bash", "-c", "ulimit -S -f 400; exec \"$@\"", "limited");
        try (var process = Jvm.start(limited, Acknowledger.class, file.toString(), "400")) {
            var before = process.linesUntil(line -> line.startsWith("trouble"));
            assertThat(before.getLast()).contains("nothing was acknowledged");
            Jvm.run("prlimit", "--pid", Long.toString(process.pid()), "--fsize=unlimited:unlimited");
            var after = process.linesUntil(line -> line.equals("finished"));
            var acknowledged = Stream.concat(before.stream(), after.stream())
                    .filter(line -> line.startsWith("ack "))
                    .count();
            assertThat(acknowledged).isEqualTo(400);
            try (var store = SqliteStore.open(file, Time.system())) {
                assertThat(store.wholeJobs(null, EnumSet.of(JobState.READY), 0, 1_000))
                        .hasSize(400);
            }
        }
    }
}
