package dev.pawl.store.jdbc;

import dev.pawl.cost.Cost;
import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.JournalLine;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import dev.pawl.look.Brief;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.JobSummary;
import dev.pawl.look.JournalPage;
import dev.pawl.look.Occurrence;
import dev.pawl.look.StoredJob;
import dev.pawl.look.Tombstone;
import dev.pawl.store.FollowUp;
import dev.pawl.store.OccurrencePosition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks into the tables with one connection's statements; changes nothing. Not thread-safe. */
public final class Looks {
    private final Statements sql;
    private final Dialect dialect;
    private final JdbcLists lists;

    /** Looks with {@code sql}. */
    public Looks(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.dialect = dialect;
        this.lists = new JdbcLists(sql, dialect);
    }

    /** What is in the ledger. */
    public LedgerLooks ledger() {
        return new LedgerLooks(sql);
    }

    /** See {@code Store.find}. */
    public Optional<StoredJob> byHash(String identity) throws SQLException {
        return Optional.ofNullable(sql.one(RowMapping.byIdentity(dialect), RowMapping::job, identity));
    }

    /** See {@code Store.job}. */
    public Optional<StoredJob> byId(long id) throws SQLException {
        return Optional.ofNullable(
                sql.one("select " + RowMapping.JOB + RowMapping.FROM_JOB + "where seq = ?", RowMapping::job, id));
    }

    /** See {@code Store.wholeJobs}. */
    List<StoredJob> wholeJobs(@Nullable String workflow, Set<JobState> states, long after, int most)
            throws SQLException {
        var codes = states.stream()
                .map(state -> Integer.toString(RowMapping.code(state)))
                .sorted()
                .collect(Collectors.joining(", "));
        return jobs(
                "where state in (" + codes + ") and seq > ? and job.workflow = coalesce(?, job.workflow)"
                        + " and input not like 'sha256:%' order by seq limit ?",
                after,
                workflow,
                most);
    }

    /** Lists and counts of jobs. */
    JdbcLists lists() {
        return lists;
    }

    /** See {@code Store.briefs}. */
    public Map<String, Brief> briefs(Collection<String> hashes) throws SQLException {
        var found = new HashMap<String, Brief>();
        sql.each(
                "select identity, state, input, due, gate from " + dialect.jobsByIdentity() + " where identity"
                        + dialect.amongTexts(),
                row -> found.put(
                        row.getString(1),
                        new Brief(
                                RowMapping.state(row.getInt(2)),
                                Tombstone.hashOf(row.getString(3)),
                                RowMapping.instantOrNull(row, 4),
                                row.getString(5))),
                Json.write(hashes));
        return found;
    }

    /** See {@code Store.happened}; nothing above {@code upTo}. */
    public List<Occurrence> happened(Cursor from, OccurrencePosition upTo, int most) throws SQLException {
        var cursor = OccurrencePosition.of(from);
        var found = new ArrayList<Occurrence>();
        sql.each(
                "select seq, workflow, key from pawl.job where seq > ? and seq <= ? order by seq limit ?",
                row -> found.add(new Occurrence(
                        new OccurrencePosition(row.getLong(1), cursor.recorded(), cursor.ended()).cursor(),
                        row.getLong(1),
                        identity(row, 2),
                        new Occurrence.What.Submitted())),
                cursor.submitted(),
                upTo.submitted(),
                most);
        var submitted = reached(cursor, found);
        sql.each(
                "select j.seq, change, j.resubmission, at, kind, place, body, job, workflow, key from pawl.journal j"
                        + " join pawl.job on job.seq = j.job where j.seq > ? and j.seq <= ? order by j.seq limit ?",
                row -> found.add(new Occurrence(
                        new OccurrencePosition(submitted.submitted(), row.getLong(1), cursor.ended()).cursor(),
                        row.getLong(8),
                        identity(row, 9),
                        new Occurrence.What.Recorded(RowMapping.line(row)))),
                cursor.recorded(),
                upTo.recorded(),
                most - found.size());
        var recorded = reached(cursor, found);
        // Of a job whose last line lies beyond what may be read the end is told with that line; no end behind it is
        // told before, or it would be missed.
        var mayBeTold = new AtomicBoolean(true);
        var lastLine = upTo.equals(OccurrencePosition.END)
                ? "0"
                : "(select max(line.seq) from pawl.journal line where line.job = job.seq)";
        sql.each(
                "select end_number, seq, workflow, key, state, " + lastLine + " from pawl.job"
                        + " where end_number > ? and end_number <= ? and state in (DONE, FAILED, CANCELLED) order by end_number limit ?",
                row -> {
                    if (mayBeTold.get() && row.getLong(6) <= upTo.recorded()) {
                        found.add(new Occurrence(
                                new OccurrencePosition(recorded.submitted(), recorded.recorded(), row.getLong(1))
                                        .cursor(),
                                row.getLong(2),
                                identity(row, 3),
                                new Occurrence.What.Ended(RowMapping.state(row.getInt(5)))));
                    } else {
                        mayBeTold.set(false);
                    }
                },
                cursor.ended(),
                upTo.ended(),
                most - found.size());
        return found;
    }

    private static OccurrencePosition reached(OccurrencePosition begun, List<Occurrence> found) {
        return found.isEmpty() ? begun : OccurrencePosition.of(found.getLast().cursor());
    }

    private static Identity identity(ResultSet row, int column) throws SQLException {
        return new Identity(row.getString(column), Key.decode(row.getString(column + 1)));
    }

    /** See {@code Store.due}. */
    public List<ClaimGroup> due(Instant before) throws SQLException {
        var groups = new ArrayList<ClaimGroup>();
        sql.each(
                "select workflow, queue, on_behalf_of, version from pawl.claim_group where exists (select 1 from pawl.job where job.claim_group = claim_group.id"
                        + " and due is not null and due <= ?)",
                row -> groups.add(
                        new ClaimGroup(row.getString(1), row.getString(2), row.getString(3), row.getString(4))),
                before.toEpochMilli());
        return groups;
    }

    /** See {@code Store.earliestDue}. */
    public Optional<Instant> earliestDue() throws SQLException {
        var groups = new ArrayList<Long>();
        sql.each(
                "select id from pawl.claim_group where exists (select 1 from pawl.job where job.claim_group = claim_group.id and due is not null)",
                row -> groups.add(row.getLong(1)));
        Long earliest = null;
        for (var group : groups) {
            for (var priority : DuePriorities.in(group, sql)) {
                for (var suspect = 0; suspect <= 1; suspect++) {
                    var due = sql.one(
                            "select due from pawl.job where claim_group = ? and suspect = ? and priority = ? and due is not null"
                                    + " order by due limit 1",
                            row -> row.getLong(1),
                            group,
                            suspect,
                            priority);
                    earliest = due == null || (earliest != null && earliest <= due) ? earliest : due;
                }
            }
        }
        return Optional.ofNullable(earliest).map(Instant::ofEpochMilli);
    }

    /** See {@code Store.journal}. */
    public List<JournalLine> journal(long job) throws SQLException {
        var lines = new ArrayList<JournalLine>();
        sql.each(
                "select " + RowMapping.LINE + " from pawl.journal where job = ? order by seq",
                row -> lines.add(RowMapping.line(row)),
                job);
        return lines;
    }

    /** See {@code Store.journal}: only the numbers of a journal's lines are put in order, and of those of one page the lines are read. */
    public JournalPage journal(long job, ListPart part) throws SQLException {
        var newest = part.newestFirst();
        var after = part.behind().isStart()
                ? (newest ? Long.MAX_VALUE : Long.MIN_VALUE)
                : part.behind().numbers(1)[0];
        var order = "order by seq" + (newest ? " desc" : "");
        var lines = new ArrayList<JournalLine>();
        sql.each(
                "select " + RowMapping.LINE
                        + " from pawl.journal where seq in (select seq from pawl.journal where job = ? and seq "
                        + (newest ? "<" : ">") + " ? " + order + " limit ?) " + order,
                row -> lines.add(RowMapping.line(row)),
                job,
                after,
                part.most() + 1);
        if (lines.size() <= part.most()) {
            return new JournalPage(lines, null);
        }
        lines.removeLast();
        return new JournalPage(lines, Cursor.of(lines.getLast().seq()));
    }

    /** See {@code Store.artifact}. */
    public Optional<Bytes> artifact(long job, Place place) throws SQLException {
        return Optional.ofNullable(sql.one(
                "select bytes from pawl.artifact a join pawl.job j on j.seq = a.job and j.resubmission = a.resubmission"
                        + " where a.job = ? and a.place = ?",
                row -> Bytes.copyOf(row.getBytes(1)),
                job,
                place.toString()));
    }

    /** See {@code Store.children}. */
    public List<StoredJob> children(long job) throws SQLException {
        return jobs("where seq in (select child from pawl.call where parent = ?) order by seq", job);
    }

    /** See {@code Store.waitedFor}. */
    public List<StoredJob> waitedFor(long job, int most) throws SQLException {
        return jobs(
                "where state in (READY, RUNNING, WAITING, PAUSED) and seq in (select c.child from pawl.call c join pawl.job p on p.seq = c.parent"
                        + " and p.resubmission = c.resubmission where c.parent = ?) order by state, seq limit ?",
                job,
                most);
    }

    /** See {@code Store.duplicated}: the entries that tell of it are seldom, and have an index. */
    public List<JobSummary> duplicated(int most) throws SQLException {
        return lists.summaries(
                "where seq in (select job from pawl.journal where kind = " + EntryText.EntryCode.DUPLICATED.code()
                        + ") and exists (" + JdbcDuplicates.NOT_DEALT_WITH.formatted("job.seq")
                        + ") order by seq limit ?",
                most);
    }

    private List<StoredJob> jobs(String which, @Nullable Object... values) throws SQLException {
        var jobs = new ArrayList<StoredJob>();
        sql.each(
                "select " + RowMapping.JOB + RowMapping.FROM_JOB + which, row -> jobs.add(RowMapping.job(row)), values);
        return jobs;
    }

    /** See {@code Store.spentByWorkflow}. */
    Map<String, Cost> spentByWorkflow() throws SQLException {
        var sums = new HashMap<String, Cost>();
        sql.each(JdbcSpending.EVER, row -> {
            var spent = JdbcSpending.spent(row);
            sums.merge(spent.workflow(), spent.cost(), Cost::plus);
        });
        return sums;
    }

    /** See {@code Store.spent}. */
    public List<Spent> spent(LocalDate day) throws SQLException {
        var all = new ArrayList<Spent>();
        sql.each(JdbcSpending.ALL, row -> all.add(JdbcSpending.spent(row)), day.toEpochDay());
        return all;
    }

    /** See {@code Store.gates}. */
    List<Gate> gates(String which) throws SQLException {
        var gates = new ArrayList<Gate>();
        sql.each(JdbcGates.ALL + which + " order by name", row -> gates.add(JdbcGates.gate(row)));
        return gates;
    }

    /** See {@code Store.pricesAfter}. */
    public Optional<KeptPrices> pricesAfter(long number) throws SQLException {
        return JdbcPrices.after(sql, number);
    }

    /** See {@code Store.waitingAt}. */
    public long waitingAt(String gate) throws SQLException {
        return Objects.requireNonNull(sql.one(
                "select count(*) from pawl.job where gate = ? and state = WAITING", row -> row.getLong(1), gate));
    }

    /** See {@code Store.followUps}. */
    List<FollowUp> followUps(long after, int most) throws SQLException {
        var left = new ArrayList<FollowUp>();
        sql.each(JdbcFollowUps.FIRST, row -> left.add(JdbcFollowUps.followUp(row)), after, most);
        return left;
    }

    /** See {@code Store.workers}. */
    public List<WorkerRecord> workers() throws SQLException {
        var workers = new ArrayList<WorkerRecord>();
        sql.each(JdbcWorkers.ALL, row -> workers.add(JdbcWorkers.worker(row)));
        return workers;
    }
}
