package dev.pawl.store.jdbc;

import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.JournalLine;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Brief;
import dev.pawl.store.JobQuery;
import dev.pawl.store.KeptPrices;
import dev.pawl.store.Occurrence;
import dev.pawl.store.StoredJob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Looks into the tables with one connection's statements; changes nothing. Not thread-safe. */
public final class Looks {
    private final Statements sql;
    private final Dialect dialect;

    /** Looks with {@code sql}. */
    public Looks(Statements sql, Dialect dialect) {
        this.sql = sql;
        this.dialect = dialect;
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

    /** See {@code Store.jobs}. */
    public List<StoredJob> jobs(JobQuery query) throws SQLException {
        var codes = query.states().stream()
                .map(state -> Integer.toString(RowMapping.code(state)))
                .sorted()
                .collect(Collectors.joining(", "));
        var jobs = new ArrayList<StoredJob>();
        sql.each(
                "select " + RowMapping.JOB + RowMapping.FROM_JOB + "where state in (" + codes + ")"
                        + byItsIndex(query.states())
                        + " and seq > ?"
                        + " and job.workflow = coalesce(?, job.workflow) and queue = coalesce(?, queue)"
                        + " and principal = coalesce(?, principal) and input not like 'sha256:%' order by seq limit ?",
                row -> jobs.add(RowMapping.job(row)),
                query.page().after(),
                query.workflow(),
                query.queue(),
                query.principal(),
                query.page().most());
        return jobs;
    }

    /** Says what the index {@code job_attention} is about, word by word: SQLite does not see that fewer states are among its states. */
    private static String byItsIndex(Set<JobState> states) {
        return EnumSet.of(JobState.WAITING, JobState.PAUSED, JobState.FAILED).containsAll(states)
                ? " and state in (WAITING, PAUSED, FAILED)"
                : "";
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
                                row.getString(3),
                                RowMapping.instantOrNull(row, 4),
                                row.getString(5))),
                Json.write(hashes));
        return found;
    }

    /** See {@code Store.happened}; nothing above {@code upTo}. */
    public List<Occurrence> happened(Occurrence.Cursor cursor, Occurrence.Cursor upTo, int most) throws SQLException {
        var found = new ArrayList<Occurrence>();
        sql.each(
                "select seq, workflow, key from pawl.job where seq > ? and seq <= ? order by seq limit ?",
                row -> found.add(new Occurrence(
                        new Occurrence.Cursor(row.getLong(1), cursor.recorded(), cursor.ended()),
                        row.getLong(1),
                        identity(row, 2),
                        new Occurrence.What.Submitted())),
                cursor.submitted(),
                upTo.submitted(),
                most);
        var submitted = found.isEmpty() ? cursor : found.getLast().cursor();
        sql.each(
                "select j.seq, change, j.resubmission, at, kind, place, body, job, workflow, key from pawl.journal j"
                        + " join pawl.job on job.seq = j.job where j.seq > ? and j.seq <= ? order by j.seq limit ?",
                row -> found.add(new Occurrence(
                        new Occurrence.Cursor(submitted.submitted(), row.getLong(1), cursor.ended()),
                        row.getLong(8),
                        identity(row, 9),
                        new Occurrence.What.Recorded(RowMapping.line(row)))),
                cursor.recorded(),
                upTo.recorded(),
                most - found.size());
        var recorded = found.isEmpty() ? cursor : found.getLast().cursor();
        sql.each(
                "select ended, seq, workflow, key, state from pawl.job where ended > ? and ended <= ? and state in (DONE, FAILED, CANCELLED)"
                        + " order by ended limit ?",
                row -> found.add(new Occurrence(
                        new Occurrence.Cursor(recorded.submitted(), recorded.recorded(), row.getLong(1)),
                        row.getLong(2),
                        identity(row, 3),
                        new Occurrence.What.Ended(RowMapping.state(row.getInt(5))))),
                cursor.ended(),
                upTo.ended(),
                most - found.size());
        return found;
    }

    private static Identity identity(ResultSet row, int column) throws SQLException {
        return new Identity(row.getString(column), Key.decode(row.getString(column + 1)));
    }

    /** See {@code Store.due}. */
    public List<Taking> due(Instant before) throws SQLException {
        var groups = new ArrayList<Taking>();
        sql.each(
                "select workflow, queue, principal from pawl.claim_group where exists (select 1 from pawl.job where job.claim_group = claim_group.id"
                        + " and due is not null and due <= ?)",
                row -> groups.add(
                        new Taking(List.of(row.getString(1)), List.of(row.getString(2)), List.of(row.getString(3)))),
                before.toEpochMilli());
        return groups;
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

    /** See {@code Store.duplicated}: what happened twice was tried twice, or taken for not happened, and both are seldom. */
    public List<StoredJob> duplicated(int most) throws SQLException {
        return jobs(
                "where seq in (select job from pawl.attempt where number > 1 or status = DID_NOT_HAPPEN) and exists ("
                        + JdbcDuplicates.NOT_DEALT_WITH.formatted("job.seq") + ") order by seq limit ?",
                most);
    }

    /** See {@code Store.pruned}. */
    public long pruned(String workflow) throws SQLException {
        return Objects.requireNonNull(sql.one(
                "select count(*) from pawl.job where workflow = ? and state = DONE and input like 'sha256:%'",
                row -> row.getLong(1), workflow));
    }

    private List<StoredJob> jobs(String which, Object... values) throws SQLException {
        var jobs = new ArrayList<StoredJob>();
        sql.each(
                "select " + RowMapping.JOB + RowMapping.FROM_JOB + which, row -> jobs.add(RowMapping.job(row)), values);
        return jobs;
    }

    /** See {@code Store.spent}. */
    public List<Spent> spent(LocalDate day) throws SQLException {
        var all = new ArrayList<Spent>();
        sql.each(JdbcSpending.ALL, row -> all.add(JdbcSpending.spent(row)), day.toEpochDay());
        return all;
    }

    /** See {@code Store.gates}. */
    public List<Gate> gates() throws SQLException {
        var gates = new ArrayList<Gate>();
        sql.each(JdbcGates.ALL + " order by name", row -> gates.add(JdbcGates.gate(row)));
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

    /** See {@code Store.calledOff}. */
    public Set<Long> calledOff(long worker) throws SQLException {
        var jobs = new HashSet<Long>();
        sql.each(
                "select seq from pawl.job where owner = ? and owner <> 0 and cancelling = 1",
                row -> jobs.add(row.getLong(1)),
                worker);
        return jobs;
    }

    /** See {@code Store.workers}. */
    public List<WorkerRecord> workers() throws SQLException {
        var workers = new ArrayList<WorkerRecord>();
        sql.each(
                "select id, name, beat, term, taking, beaten from pawl.worker order by id",
                row -> workers.add(new WorkerRecord(
                        row.getLong(1),
                        row.getString(2),
                        row.getLong(3),
                        Instant.ofEpochMilli(row.getLong(6)),
                        Duration.ofMillis(row.getLong(4)),
                        Objects.requireNonNull(Json.read(row.getString(5), Taking.class)))));
        return workers;
    }
}
