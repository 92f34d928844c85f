package dev.pawl.checks.bench;

import com.sun.management.ThreadMXBean;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import dev.pawl.look.JobQuery;
import dev.pawl.look.TimeWindow;
import dev.pawl.store.Store;
import dev.pawl.time.Time;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a look costs where a thousand jobs have ended, and where a million have: the same looks, in turn, in the same process; how long each takes, and how much
 * memory it asks for.
 */
public final class Reads {
    /** As many as there are in a store that was just begun. */
    public static final int FEW = 1_000;

    /** In the order of their numbers in the column. */
    private static final List<FailureClass> CLASSES =
            List.of(FailureClass.TRANSIENT, FailureClass.PERMANENT, FailureClass.AMBIGUOUS, FailureClass.ACCOUNT);

    private static final int UNFINISHED = 200;
    private static final int WORKFLOWS = 20;
    private static final int AT_ONCE = 1_000;
    private static final long OVER = Duration.ofDays(100).toMillis();
    private static final int TURNS = 60;
    private static final Time TIME = Time.system();

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What is looked at, by name. */
    private static Map<String, Consumer<Store>> looks(Instant now) {
        var day = TimeWindow.since(now.minus(Duration.ofDays(1)));
        var looks = new LinkedHashMap<String, Consumer<Store>>();
        looks.put("newest", store -> store.jobs(JobQuery.all()));
        looks.put("oldest", store -> store.jobs(JobQuery.all().oldestFirst()));
        looks.put("workflow", store -> store.jobs(JobQuery.all().workflow("w7").most(40)));
        looks.put("done", store -> store.jobs(JobQuery.in(JobState.DONE)));
        looks.put("failed", store -> store.jobs(JobQuery.in(JobState.FAILED).most(20)));
        looks.put(
                "class",
                store -> store.jobs(JobQuery.all()
                        .failedAs(EnumSet.of(FailureClass.AMBIGUOUS))
                        .most(5)));
        looks.put("queue", store -> store.jobs(JobQuery.all().queue("mail").most(40)));
        looks.put(
                "principal",
                store -> store.jobs(JobQuery.all().principal("anna").most(40)));
        looks.put("keys", store -> store.jobs(JobQuery.all().keyPrefix("k-")));
        looks.put(
                "some keys",
                store -> store.jobs(JobQuery.all().keyPrefix("k-00").most(4)));
        looks.put(
                "one key",
                store -> store.jobs(JobQuery.all()
                        .workflow("w3")
                        .keyPrefix(key(3).toString())
                        .most(10)));
        looks.put("since", store -> store.jobs(JobQuery.all().changed(day)));
        looks.put("waiting", store -> store.jobs(JobQuery.in(JobState.WAITING, JobState.PAUSED)));
        looks.put("count unfinished", store -> store.unfinished(now.minus(Duration.ofDays(1)), now));
        looks.put("count of a day", store -> store.ended(day));
        looks.put("count of all", store -> store.ended(TimeWindow.EVER));
        looks.put("happened twice", store -> store.duplicated(100));
        looks.put("closed gates", Store::closedGates);
        looks.put("journal", store -> store.journal(1, ListPart.newest()));
        looks.put("happened", store -> store.happened(Cursor.START, 100));
        looks.put("status", store -> {
            store.unfinished(now.minus(Duration.ofDays(1)), now);
            store.ended(day);
            store.jobs(JobQuery.in(JobState.PAUSED).oldestFirst().most(ListPart.MOST));
            store.jobs(JobQuery.in(JobState.FAILED).oldestFirst().most(20));
            store.ended(TimeWindow.EVER);
            store.duplicated(1_000);
            store.closedGates();
            store.workers();
        });
        return looks;
    }

    private static Key key(int number) {
        return Key.of(String.format(Locale.ROOT, "k-%08x", number * 0x9E3779B1));
    }

    /**
     * Fills tables that were just made, as if so many jobs had ended in the last hundred days, a hundred of them in the last one.
     *
     * @param file whether it is a file, or a database
     */
    public static void fill(Connection connection, boolean file, int ended, Instant now) throws SQLException {
        connection.setAutoCommit(false);
        var table = file ? "" : "pawl.";
        try (var groups = connection.prepareStatement(
                "insert into " + table + "claim_group (id, workflow, queue, on_behalf_of) values (?, ?, ?, ?)")) {
            for (var group = 1; group <= WORKFLOWS; group++) {
                groups.setLong(1, group);
                groups.setString(2, "w" + group);
                groups.setString(3, group == 5 ? "mail" : "");
                groups.setString(4, group == 6 ? "anna" : "");
                groups.addBatch();
            }
            groups.executeBatch();
        }
        jobs(connection, file, ended, now);
        try (var statement = connection.createStatement()) {
            statement.execute("insert into " + table
                    + "tally (claim_group, ending, day, slot, many) select claim_group, ending, changed / 86400000, 0, count(*) from "
                    + table + "job where ending is not null group by 1, 2, 3");
            statement.execute("insert into " + table
                    + "tally (claim_group, ending, day, slot, many) select claim_group, ending, -1, 0, sum(many) from "
                    + table + "tally group by 1, 2");
            if (!file) {
                statement.execute("select setval('pawl.job_seq_seq', " + (ended + UNFINISHED)
                        + "), setval('pawl.journal_seq_seq', " + (ended + UNFINISHED) + "), setval('pawl.ended', "
                        + ended
                        + ")");
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
        try (var statement = connection.createStatement()) {
            statement.execute("analyze");
        }
    }

    private static void jobs(Connection connection, boolean file, int ended, Instant now) throws SQLException {
        var table = file ? "" : "pawl.";
        var failures = new HashMap<FailureClass, String>();
        for (var failure : CLASSES) {
            failures.put(
                    failure,
                    Json.write(new FailedAt(Place.WORKFLOW, Failure.of(failure, "no", "it did not work out"))));
        }
        var question = Json.write(new Question(1, QuestionKind.IN_DOUBT, new Place("", "send", ""), "nobody knows"));
        var payload = "{\"text\":\"" + "x".repeat(200) + "\"}";
        try (var jobs = connection.prepareStatement("insert into " + table
                        + "job (seq, workflow, key, input, state, fence, created, changed, due, result, failure, question, claim_group, end_number, ending"
                        + (file ? ", identity" : "") + ") values (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?"
                        + (file ? ", ?" : "") + ")");
                var identities = file
                        ? null
                        : connection.prepareStatement(
                                "insert into pawl.identified (identity, job, claim_group, name) values (?, ?, ?, ?)");
                var journal = connection.prepareStatement(
                        "insert into " + table
                                + "journal (seq, job, change, resubmission, at, kind, place, body) values (?, ?, ?, 0, ?, 1, 's', ?)")) {
            for (var number = 1; number <= ended + UNFINISHED; number++) {
                var unfinished = number > ended;
                var group = number % WORKFLOWS + 1;
                var identity = new Identity("w" + group, key(number));
                // The last hundred of whichever ended in the last day, the others before it.
                var lately = ended - number < 100;
                var changed = lately || unfinished
                        ? now.toEpochMilli() - 1_000L * (ended + UNFINISHED - number)
                        : now.toEpochMilli() - OVER + (long) ((OVER - 2 * 86_400_000L) * (double) number / ended);
                var failure = !unfinished && number % 50 == 0 ? CLASSES.get(number / 50 % CLASSES.size()) : null;
                var state = unfinished ? number % 4 == 0 ? 2 : number % 4 == 1 ? 3 : 0 : failure == null ? 4 : 5;
                jobs.setLong(1, number);
                jobs.setString(2, identity.workflow());
                var encoded = identity.key().encoded();
                jobs.setString(3, encoded);
                jobs.setString(4, payload);
                jobs.setInt(5, state);
                jobs.setLong(6, changed - 1_000);
                jobs.setLong(7, changed);
                jobs.setObject(8, unfinished && state != 3 ? changed + 3_600_000L : null, java.sql.Types.BIGINT);
                jobs.setString(9, state == 4 ? payload : null);
                jobs.setString(10, failure == null ? null : failures.get(failure));
                jobs.setString(11, state == 3 ? question : null);
                jobs.setLong(12, group);
                jobs.setObject(13, unfinished ? null : number, java.sql.Types.BIGINT);
                jobs.setObject(
                        14,
                        unfinished ? null : failure == null ? 40 : 50 + CLASSES.indexOf(failure),
                        java.sql.Types.SMALLINT);
                if (identities == null) {
                    jobs.setString(15, identity.hash());
                } else {
                    identities.setString(1, identity.hash());
                    identities.setLong(2, number);
                    identities.setLong(3, group);
                    identities.setString(4, encoded.substring(encoded.indexOf(':') + 1));
                    identities.addBatch();
                }
                jobs.addBatch();
                journal.setLong(1, number);
                journal.setLong(2, number);
                journal.setLong(3, number);
                journal.setLong(4, changed);
                journal.setString(5, "\"done\"");
                journal.addBatch();
                if (number % AT_ONCE == 0 || number == ended + UNFINISHED) {
                    jobs.executeBatch();
                    if (identities != null) {
                        identities.executeBatch();
                    }
                    journal.executeBatch();
                }
            }
        }
    }

    /** One look: milliseconds, and bytes. */
    private double[] once(Consumer<Store> look, Store store) {
        var bytes = threads.getCurrentThreadAllocatedBytes();
        var start = TIME.nanos();
        look.accept(store);
        var took = (TIME.nanos() - start) / 1e6;
        return new double[] {took, threads.getCurrentThreadAllocatedBytes() - bytes};
    }

    /** Looks at both, in turn, and says how they stand to each other. */
    public List<FigureLine> measure(String kind, Store few, Store many, int ended, Instant now) {
        var lines = new ArrayList<FigureLine>();
        // Machine code comes to be before anything counts.
        for (var turn = 0; turn < TURNS; turn++) {
            looks(now).values().forEach(look -> {
                look.accept(few);
                look.accept(many);
            });
        }
        for (var look : looks(now).entrySet()) {
            var times = List.of(new ArrayList<Double>(), new ArrayList<Double>());
            var bytes = List.of(new ArrayList<Double>(), new ArrayList<Double>());
            for (var turn = -TURNS / 3; turn < TURNS; turn++) {
                for (var which = 0; which < 2; which++) {
                    var seen = once(look.getValue(), which == 0 ? few : many);
                    if (turn >= 0) {
                        times.get(which).add(seen[0]);
                        bytes.get(which).add(seen[1]);
                    }
                }
            }
            var ratio = Spread.ratio(times.get(1), times.get(0));
            lines.add(new FigureLine("reads", kind, look.getKey())
                    .with("ended", ended)
                    .with("millisOverFew", Spread.of(times.get(0)).median(), 3)
                    .with("millisOverMany", Spread.of(times.get(1)).median(), 3)
                    .with("timesLonger", ratio)
                    .with(
                            "timesMoreMemory",
                            Spread.of(bytes.get(1)).median()
                                    / Spread.of(bytes.get(0)).median(),
                            2));
        }
        return lines;
    }
}
