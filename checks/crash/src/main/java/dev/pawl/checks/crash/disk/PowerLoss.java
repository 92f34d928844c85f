package dev.pawl.checks.crash.disk;

import dev.pawl.checks.crash.Acknowledger;
import dev.pawl.checks.crash.Jvm;
import dev.pawl.checks.crash.disk.Trace.Event;
import dev.pawl.job.JobState;
import dev.pawl.store.StoreFailure;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Traces a run, pulls the plug after every write and sync of it, and opens what is left: nothing that was acknowledged may be gone. */
public final class PowerLoss {
    private static final String STORE = "pawl.db";

    private final Path folder;
    private final String rows;

    private PowerLoss(Path folder, String rows) {
        this.folder = folder;
        this.rows = rows;
    }

    /** Reads which numbers are in a file. */
    interface Reader {
        Set<Integer> numbers(Path file) throws SQLException;
    }

    /** What came of the images. */
    private record Tally(int images, int lost, int unreadable) {}

    /** Arguments: a folder to work in, and how many rows to write. */
    public static void main(String[] arguments) throws Exception {
        var start = Time.system().nanos();
        var loss = new PowerLoss(Path.of(arguments[0]), arguments[1]);
        var pawl = loss.judge(Acknowledger.class, PowerLoss::jobs);
        var control = loss.judge(Careless.class, PowerLoss::rows);
        System.err.println("pawl: " + pawl + "; control with synchronous=off: " + control);
        if (control.lost() == 0) {
            System.err.println("the control lost nothing, so this harness shows nothing");
        }
        System.out.printf(
                Locale.ROOT,
                "{\"name\":\"power\",\"runs\":%d,\"lost\":%d,\"duplicated\":0,\"stuck\":%d,\"paused\":0,\"seeds\":0,\"seconds\":%d,\"control\":%d}%n",
                pawl.images(),
                pawl.lost(),
                pawl.unreadable(),
                (Time.system().nanos() - start) / 1_000_000_000,
                control.lost());
        System.exit(pawl.images() > 0 && pawl.lost() == 0 && pawl.unreadable() == 0 && control.lost() > 0 ? 0 : 1);
    }

    private Tally judge(Class<?> program, Reader reader) throws IOException, InterruptedException {
        var here =
                Files.createDirectories(folder.resolve(program.getSimpleName())).toRealPath();
        var output = folder.resolve(program.getSimpleName() + ".trace");
        var strace = Trace.command(output);
        try (var traced = Jvm.start(strace, program, here.resolve(STORE).toString(), rows)) {
            traced.linesUntil(line -> line.equals("ack " + rows));
            traced.ends(60);
        }
        return judge(Trace.read(output, here), reader);
    }

    private Tally judge(List<Event> events, Reader reader) throws IOException {
        var disk = new Disk();
        var acknowledged = new HashSet<Integer>();
        var images = 0;
        var lost = 0;
        var unreadable = 0;
        for (var event : events) {
            disk.apply(event);
            if (event instanceof Event.Acknowledged ack) {
                acknowledged.add(ack.number());
            }
            for (var image : disk.images(event)) {
                images++;
                var place = Files.createDirectories(folder.resolve("image"));
                Disk.lay(image, place);
                try {
                    var there = image.containsKey(STORE) ? reader.numbers(place.resolve(STORE)) : Set.<Integer>of();
                    lost += there.containsAll(acknowledged) ? 0 : 1;
                } catch (SQLException | StoreFailure e) {
                    unreadable++;
                    System.err.println("cannot be opened after " + words(event) + ", with " + acknowledged.size()
                            + " acknowledged: " + e.getMessage());
                }
                delete(place);
            }
        }
        return new Tally(images, lost, unreadable);
    }

    private static String words(Event event) {
        return event instanceof Event.Wrote wrote
                ? wrote.bytes().size() + " bytes at " + wrote.offset() + " of " + wrote.file()
                : event.toString();
    }

    /** The numbers of the jobs in a store. */
    static Set<Integer> jobs(Path file) {
        try (var store = SqliteStore.open(file, Time.system())) {
            return jobs(store);
        }
    }

    static Set<Integer> jobs(SqliteStore store) {
        var numbers = new HashSet<Integer>();
        store.wholeJobs(null, EnumSet.allOf(JobState.class), 0, 100_000)
                .forEach(
                        job -> numbers.add(Integer.parseInt(job.identity().key().toString())));
        return numbers;
    }

    /** The numbers of the rows that the control wrote. */
    static Set<Integer> rows(Path file) throws SQLException {
        var numbers = new HashSet<Integer>();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            var tables = statement.executeQuery("select count(*) from sqlite_schema where name = 'row'");
            if (tables.next() && tables.getInt(1) == 0) {
                return numbers;
            }
            var found = statement.executeQuery("select number from row");
            while (found.next()) {
                numbers.add(found.getInt(1));
            }
            return numbers;
        }
    }

    static void delete(Path place) throws IOException {
        try (var files = Files.walk(place)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
