package dev.pawl.store.postgres;

import dev.pawl.journal.JournalLine;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Wanted;
import dev.pawl.store.jdbc.RowMapping;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a worker wants: jobs that are due, with their journals, as far as there are no limits to count. Not thread-safe. */
final class Claiming implements BulkPart {

    /** A claim stops at about this much journal, but never before the first job. */
    private static final long MOST_BYTES = 16 << 20;

    private static final String PRIORITIES = """
            priorities(claim_group, suspect, priority) as (
              select l.id, s.suspect, (select j.priority from pawl.job j where j.claim_group = l.id and j.suspect = s.suspect and j.due is not null
                order by j.suspect desc, j.priority desc limit 1)
              from pawl.claim_group l cross join unnest(?) as s(suspect) where l.workflow = any (?)
                and (cardinality(?) = 0 or l.queue = any (?)) and (cardinality(?) = 0 or l.on_behalf_of = any (?)) and (l.version = '' or l.workflow || chr(10) || l.version = any (?))
              union all
              select p.claim_group, p.suspect, (select j.priority from pawl.job j where j.claim_group = p.claim_group and j.suspect = p.suspect
                and j.priority < p.priority and j.due is not null order by j.suspect desc, j.priority desc limit 1)
              from priorities p where p.priority is not null)""";

    /** Where claims have come to, see {@link ClaimPositions}. */
    static final String POSITIONS =
            " left join unnest(?, ?, ?, ?) as m(claim_group, priority, due, seq) on m.claim_group = p.claim_group and m.priority = p.priority and p.suspect = 0 ";

    private static final String AFTER_POSITION =
            " and (j.due, j.lane, j.seq) > (coalesce(m.due, -1), '', coalesce(m.seq, 0)) ";

    private static final String CLAIM =
            """
            with recursive asked as (
              update pawl.worker set claim = ? where id = ? and claim < ? and ending is null and not exists (select 1 from pawl.queue)
                and not exists (select 1 from pawl.job where due is not null and lane <> '') returning id),
            """ + PRIORITIES + """
            ,
            due as materialized (
              select d.seq, p.priority, p.suspect, d.due, d.touched, d.resubmission from priorities p %4$s cross join lateral (
                select j.seq, j.due, j.resubmission, j.fence > 0 or j.news <> 0 as touched from pawl.job j
                where j.claim_group = p.claim_group and j.suspect = p.suspect and j.priority = p.priority and j.due <= %1$s and j.due is not null %5$s
                order by j.due, j.lane, j.seq limit case when p.suspect = 1 then 1 else ? end for update skip locked) d
              where p.priority is not null and exists (select 1 from asked)),
            first as (
              select d.*, case when d.touched then (select coalesce(sum(octet_length(n.body)), 0) from pawl.journal n
                  where n.job = d.seq and n.resubmission = d.resubmission) else 0 end as size
              from due d where d.suspect = 0 or d.seq = (select s.seq from due s where s.suspect = 1 order by s.priority desc, s.due, s.seq limit 1)
              order by d.priority desc, d.due, d.seq limit ?),
            chosen as (
              select f.*, sum(f.size) over (order by f.priority desc, f.due, f.seq) - f.size as before from first f),
            taken as (
              update pawl.job j set state = RUNNING, fence = j.fence + 1, owner = ?, claim = ?, changed = %1$s, due = null, news = 0, gate = null
              from chosen c where j.seq = c.seq and c.before <= %2$d
              returning j.*, c.due as was_due, c.touched)
            select (select count(*) from asked), %1$s, (select count(*) filter (where d.suspect = 0) > ? from due d), claim_group.id, job.was_due, %3$s
            from (select 1) as always left join (taken job join pawl.claim_group on claim_group.id = job.claim_group) on true
            order by job.priority desc, job.was_due, job.seq""".formatted(Bulk.NOW, MOST_BYTES, RowMapping.JOB, POSITIONS, AFTER_POSITION);

    private static final String JOURNALS =
            "select n.job, n.seq, n.change, n.resubmission, n.at, n.kind, n.place, n.body from pawl.job k join pawl.journal n on n.job = k.seq"
                    + " and n.resubmission = k.resubmission where k.owner = ? and k.claim = ? and k.owner <> 0 and n."
                    + RowMapping.REPLAYED + " order by n.job, n.seq";

    /** Whether jobs were given under this claim before, and when the first of what is wanted is due. */
    private static final String FIRST_DUE = "with recursive " + PRIORITIES
            + " select exists (select 1 from pawl.job j where j.owner = ? and j.owner <> 0 and j.claim = ?), min((select j.due from pawl.job j"
            + " where j.claim_group = p.claim_group and j.suspect = p.suspect and j.priority = p.priority and j.due is not null"
            + AFTER_POSITION
            + "order by j.due, j.lane, j.seq limit 1)), " + Bulk.NOW + " from priorities p" + POSITIONS
            + "where p.priority is not null";

    private static final String NEXT_DUE = "with recursive " + PRIORITIES
            + " select min((select j.due from pawl.job j where j.claim_group = p.claim_group and j.suspect = 0 and j.priority = p.priority and j.due > "
            + Bulk.NOW + " order by j.due limit 1)) from priorities p where p.suspect = 0 and p.priority is not null";

    private final Wanted wanted;
    private final ClaimPositions positions;
    private final BulkOutcome outcome;
    private final boolean fromTheFront;

    Claiming(Wanted wanted, ClaimPositions positions, BulkOutcome outcome) {
        this.wanted = wanted;
        this.positions = positions;
        this.outcome = outcome;
        this.fromTheFront = wanted.any() && positions.fromTheFront();
    }

    /** Looks whether there is anything to claim; says when there will be, when there is not, and else null. Changes nothing. */
    @Nullable
    Exchanged look(Session session, ExchangeTexts texts) throws SQLException {
        try (var statement = session.connection().prepareStatement(texts.of(List.of(FIRST_DUE)))) {
            var binding = new Binding(session.connection(), statement);
            bindTaking(binding, wanted.suspectToo());
            binding.number(wanted.worker());
            binding.number(wanted.claim());
            positions.bind(binding, fromTheFront);
            try (var row = statement.executeQuery()) {
                row.next();
                var due = RowMapping.instantOrNull(row, 2);
                var at = Instant.ofEpochMilli(row.getLong(3));
                positions.told(at);
                return row.getBoolean(1) || (due != null && !due.isAfter(at))
                        ? null
                        : new Exchanged(List.of(), List.of(), due, at);
            }
        }
    }

    @Override
    public boolean any() {
        return wanted.any();
    }

    @Override
    public List<String> sql() {
        return List.of(CLAIM, JOURNALS, NEXT_DUE);
    }

    @Override
    public void bind(Binding binding) throws SQLException {
        binding.number(wanted.claim());
        binding.number(wanted.worker());
        binding.number(wanted.claim());
        bindTaking(binding, wanted.suspectToo());
        positions.bind(binding, fromTheFront);
        // One more than it takes, to know whether there is more.
        binding.number(wanted.most() + 1L);
        binding.number((long) wanted.most());
        binding.number(wanted.worker());
        binding.number(wanted.claim());
        binding.number((long) wanted.most());
        binding.number(wanted.worker());
        binding.number(wanted.claim());
        bindTaking(binding, false);
    }

    private void bindTaking(Binding binding, boolean suspectToo) throws SQLException {
        var queues = wanted.taking().queues().toArray(String[]::new);
        var principals = wanted.taking().principals().toArray(String[]::new);
        binding.anyOf(suspectToo ? new short[] {0, 1} : new short[] {0});
        binding.anyOf(wanted.taking().workflows().toArray(String[]::new));
        binding.anyOf(queues);
        binding.anyOf(queues);
        binding.anyOf(principals);
        binding.anyOf(principals);
        binding.anyOf(wanted.taking().versions().entrySet().stream()
                .flatMap(fits -> fits.getValue().stream().map(version -> fits.getKey() + "\n" + version))
                .toArray(String[]::new));
    }

    @Override
    public void read(StatementResults results) throws SQLException {
        var rows = results.next();
        var asked = false;
        var jobs = new ArrayList<StoredJob>();
        while (rows.next()) {
            asked = rows.getLong(1) == 1;
            outcome.now(rows.getLong(2));
            outcome.leavesBehind(rows.getBoolean(3));
            var group = rows.getLong(4);
            if (!rows.wasNull()) {
                var job = RowMapping.job(rows, 5);
                jobs.add(job);
                mark(group, rows.getLong(5), job);
            }
        }
        var journals = readJournals(results.next());
        for (var job : jobs) {
            outcome.claimed().add(new Claimed(job, journals.getOrDefault(job.id(), List.of())));
        }
        var due = results.next();
        due.next();
        if (asked) {
            outcome.claimAnswered(jobs.size() == wanted.most() ? null : RowMapping.instantOrNull(due, 1));
        }
    }

    /** They come in the order in which they were claimed, but for suspects, which are taken out of turn. */
    private void mark(long group, long due, StoredJob job) {
        if (!job.standing().suspicion().suspect()) {
            var handling = job.given().handling();
            positions.claimed(group, handling.priority(), new ClaimPositions.Position(due, job.id()), outcome.now());
        }
    }

    private static Map<Long, List<JournalLine>> readJournals(ResultSet rows) throws SQLException {
        var journals = new LinkedHashMap<Long, List<JournalLine>>();
        while (rows.next()) {
            journals.computeIfAbsent(rows.getLong(1), job -> new ArrayList<>()).add(RowMapping.line(rows, 1));
        }
        return journals;
    }
}
