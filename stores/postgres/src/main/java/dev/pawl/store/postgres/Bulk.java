package dev.pawl.store.postgres;

import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.Line;
import dev.pawl.json.Json;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Leaving;
import dev.pawl.store.StoredJob;
import dev.pawl.store.Wanted;
import dev.pawl.store.jdbc.Rows;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes that are made many at a time, one statement for each kind, all of them and the commit in one exchange with the server. A statement does
 * only what plainly succeeds; what it leaves alone has changed nothing, and is done the slow way afterwards, which knows why. Not thread-safe.
 */
final class Bulk {

    /** A claim stops at about this much journal, but never before the first job. */
    private static final long MOST_BYTES = 16 << 20;

    /** Stands for the time in what follows. */
    private static final String NOW = "pawl_now";

    /**
     * Rows are locked in the order of the parameters, which is the order of jobs. What is recorded already makes the database refuse all of it, and each is
     * tried alone then: that happens only after an answer was lost, and to look for it each time costs as much again.
     */
    private static final String RECORD = """
            insert into pawl.journal (job, change, resubmission, at, kind, place, body)
            select e.job, e.change, h.resubmission, %1$s, e.kind, e.place, e.body
            from unnest(?, ?, ?, ?, ?, ?) as e(job, fence, change, kind, place, body) cross join lateral (
              select j.resubmission from pawl.job j where j.seq = e.job and j.fence = e.fence and j.state = 1 for share) h
            returning job, %1$s""".formatted(NOW);

    /** The transaction has its number before it gives any, see {@link Horizon}. */
    private static final String LEAVE = """
            with leaving as (
              update pawl.job j set state = w.state, fence = j.fence + 1, owner = 0, claim = 0, changed = %1$s, due = %1$s + w.after,
                result = w.result, failure = w.failure, question = null, last_change = w.change, gate = null,
                suspect = case when w.clears then 0 else j.suspect end, strikes = case when w.clears then 0 else j.strikes end,
                ended = case when w.state >= 4 then nextval('pawl.ended') else j.ended end
              from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) as w(job, fence, change, state, after, result, failure, clears, kind, place, body)
              where pg_current_xact_id() is not null and j.seq = w.job and j.fence = w.fence and j.state = 1 and j.cancelling = 0
                and (w.state < 4 or (j.called = 0 and not exists (select 1 from pawl.attempt a where a.job = j.seq and a.status = 0)))
              returning j.seq, j.resubmission, w.change, w.kind, w.place, w.body),
            told as (
              insert into pawl.journal (job, change, resubmission, at, kind, place, body)
              select g.seq, g.change, g.resubmission, %1$s, g.kind, g.place, g.body from leaving g where g.kind is not null)
            select seq, %1$s from leaving""".formatted(NOW);

    /** The transaction has its number before it gives any, see {@link Horizon}. */
    private static final String SUBMIT = """
            with me as materialized (
              select pg_current_xact_id() is not null as numbered, not exists (select 1 from pawl.queue) as unlimited,
                (select w.id from pawl.worker w where w.id = ? for key share) as id)
            insert into pawl.job (identity, workflow, key, input, state, fence, owner, claim, created, changed, due, line, priority, lane, lane_most)
            select s.identity, s.workflow, s.key, s.input, case when t.taken then 1 else 0 end, case when t.taken then 1 else 0 end,
              case when t.taken then me.id else 0 end, case when t.taken then s.claim else 0 end, %1$s, %1$s,
              case when t.taken then null else greatest(coalesce(s.not_before, 0), %1$s) end, s.line, s.priority, s.lane, s.lane_most
            from me cross join unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) with ordinality
                as s(identity, workflow, key, input, claim, not_before, line, priority, lane, lane_most, n)
              cross join lateral (select s.claim <> 0 and me.id is not null and me.unlimited and coalesce(s.not_before, 0) <= %1$s as taken) t
            where me.numbered order by s.n
            on conflict (identity) do nothing returning seq, identity, state, due, %1$s""".formatted(NOW);

    /** Somebody whose transaction waits for news may be waiting for what was just submitted. */
    private static final String ANYBODY_IDLE = "select exists (select 1 from pawl.worker where idle = 1 and id <> ?)";

    private static final String PRIORITIES = """
            priorities(line, suspect, priority) as (
              select l.id, s.suspect, (select j.priority from pawl.job j where j.line = l.id and j.suspect = s.suspect and j.due is not null
                order by j.suspect desc, j.priority desc limit 1)
              from pawl.line l cross join unnest(?) as s(suspect) where l.workflow = any (?)
                and (cardinality(?) = 0 or l.queue = any (?)) and (cardinality(?) = 0 or l.principal = any (?))
              union all
              select p.line, p.suspect, (select j.priority from pawl.job j where j.line = p.line and j.suspect = p.suspect
                and j.priority < p.priority and j.due is not null order by j.suspect desc, j.priority desc limit 1)
              from priorities p where p.priority is not null)""";

    private static final String CLAIM = """
            with recursive asked as (
              update pawl.worker set claim = ?, idle = 0 where id = ? and claim < ? and not exists (select 1 from pawl.queue)
                and not exists (select 1 from pawl.job where due is not null and lane <> '') returning id),
            """ + PRIORITIES + """
            ,
            due as materialized (
              select d.seq, p.priority, p.suspect, d.due, d.touched, d.resubmission from priorities p cross join lateral (
                select j.seq, j.due, j.resubmission, j.fence > 0 or j.news <> 0 as touched from pawl.job j
                where j.line = p.line and j.suspect = p.suspect and j.priority = p.priority and j.due <= %1$s and j.due is not null
                order by j.due, j.lane, j.seq limit case when p.suspect = 1 then 1 else ? end for update skip locked) d
              where p.priority is not null and exists (select 1 from asked)),
            first as (
              select d.*, case when d.touched then (select coalesce(sum(pg_column_size(n.body)), 0) from pawl.journal n
                  where n.job = d.seq and n.resubmission = d.resubmission) else 0 end as size
              from due d where d.suspect = 0 or d.seq = (select s.seq from due s where s.suspect = 1 order by s.priority desc, s.due, s.seq limit 1)
              order by d.priority desc, d.due, d.seq limit ?),
            chosen as (
              select f.*, sum(f.size) over (order by f.priority desc, f.due, f.seq) - f.size as before from first f),
            taken as (
              update pawl.job j set state = 1, fence = j.fence + 1, owner = ?, claim = ?, changed = %1$s, due = null, news = 0, gate = null
              from chosen c where j.seq = c.seq and c.before <= %2$d
              returning j.*, c.due as was_due, c.touched)
            select (select count(*) from asked), %1$s, %3$s
            from (select 1) as always left join (taken job join pawl.line on line.id = job.line) on true
            order by job.priority desc, job.was_due, job.seq""".formatted(NOW, MOST_BYTES, Rows.JOB);

    private static final String JOURNALS =
            "select n.job, n.seq, n.change, n.resubmission, n.at, n.kind, n.place, n.body from pawl.job k join pawl.journal n on n.job = k.seq"
                    + " and n.resubmission = k.resubmission where k.owner = ? and k.claim = ? and k.owner <> 0 and n.kind <> "
                    + EntryText.Kind.LOGGED.code() + " order by n.job, n.seq";

    /** Whether jobs were given under this claim before, and when the first of what is wanted is due. */
    private static final String FIRST_DUE = "with recursive " + PRIORITIES
            + " select exists (select 1 from pawl.job j where j.owner = ? and j.owner <> 0 and j.claim = ?), min((select j.due from pawl.job j"
            + " where j.line = p.line and j.suspect = p.suspect and j.priority = p.priority and j.due is not null order by j.due limit 1)), "
            + NOW + " from priorities p where p.priority is not null";

    private static final String NEXT_DUE = "with recursive " + PRIORITIES
            + " select min((select j.due from pawl.job j where j.line = p.line and j.suspect = 0 and j.priority = p.priority and j.due > "
            + NOW + " order by j.due limit 1)) from priorities p where p.suspect = 0 and p.priority is not null";

    private final Settings settings;
    private final PostgresLines lines;
    private final long worker;
    private final List<Change> changes;
    private final @Nullable Applied[] applied;
    private final List<Integer> records = new ArrayList<>();
    private final List<Integer> leavings = new ArrayList<>();
    private final List<Integer> submissions = new ArrayList<>();
    private final Wanted wanted;
    private final List<Claimed> claimed = new ArrayList<>();
    private boolean claimAnswered;
    private boolean anybodyIdle;
    private @Nullable Instant next;
    private @Nullable Instant now;

    Bulk(Settings settings, PostgresLines lines, long worker, List<Change> changes, Wanted wanted) {
        this.worker = worker;
        this.settings = settings;
        this.lines = lines;
        this.changes = changes;
        this.applied = new Applied[changes.size()];
        this.wanted = wanted;
        for (var i = 0; i < changes.size(); i++) {
            sort(i, changes.get(i));
        }
        Comparator<Integer> byJob = Comparator.comparingLong(i -> changes.get(i).job());
        records.sort(byJob);
        leavings.sort(byJob);
    }

    private void sort(int index, Change change) {
        if (change instanceof Change.SubmitJob submit) {
            if (submit.given().handling().lane() == null || submit.claim() == null) {
                submissions.add(index);
            }
        } else if (change instanceof Change.Owned owned && plain(owned)) {
            if (owned instanceof Change.RecordStepIfOwned) {
                records.add(index);
            } else if (owned.entries().size() > 1) {
                return;
            } else if (owned instanceof Change.FinishJob
                    || (owned instanceof Change.ReleaseJob release
                            && release.until() != Change.ReleaseJob.Until.WAIT)) {
                leavings.add(index);
            }
        }
    }

    /** Whether a change says nothing about money, which is added up elsewhere. */
    private static boolean plain(Change.Owned change) {
        for (var entry : change.entries()) {
            if (entry instanceof Entry.Used) {
                return false;
            }
        }
        return !change.entries().isEmpty() || change instanceof Change.FinishJob;
    }

    /** Looks whether there is anything to claim; says when there will be, when there is not, and else null. Changes nothing. */
    @Nullable
    Exchanged look(Session session) throws SQLException {
        var text = FIRST_DUE.replace("pawl.", settings.prefix()).replace(NOW, settings.now());
        try (var statement = session.connection().prepareStatement(text)) {
            var binding = new Binding(session.connection(), statement);
            bindTaking(binding, wanted.suspectToo() ? new int[] {0, 1} : new int[] {0});
            binding.number(wanted.worker());
            binding.number(wanted.claim());
            try (var row = statement.executeQuery()) {
                row.next();
                var due = Rows.instantOrNull(row, 2);
                var at = Instant.ofEpochMilli(row.getLong(3));
                return row.getBoolean(1) || (due != null && !due.isAfter(at))
                        ? null
                        : new Exchanged(List.of(), List.of(), due, at);
            }
        }
    }

    /** The database refused something: nothing was done. */
    void failed() {
        java.util.Arrays.fill(applied, null);
        claimed.clear();
        claimAnswered = false;
        next = null;
    }

    /** Whether there is anything to do in bulk. */
    boolean any() {
        return wanted.any() || !records.isEmpty() || !leavings.isEmpty() || !submissions.isEmpty();
    }

    /** What became of the change at {@code index}; null when it was left alone. */
    @Nullable
    Applied applied(int index) {
        return applied[index];
    }

    /** What was claimed, with submissions or by wish. */
    List<Claimed> claimed() {
        return claimed;
    }

    /** Whether the wish was met as far as it could be; when not, it has to be met the slow way. */
    boolean claimAnswered() {
        return claimAnswered;
    }

    /** Whether somebody may wait for what was submitted. */
    boolean anybodyIdle() {
        return anybodyIdle;
    }

    @Nullable
    Instant next() {
        return next;
    }

    /** What the store's clock said; null when it said nothing. */
    @Nullable
    Instant now() {
        return now;
    }

    // ---- running

    /** Does it all in one exchange and one commit. */
    void run(Session session) throws SQLException {
        var submitted =
                submissions.stream().map(i -> (Change.SubmitJob) changes.get(i)).toList();
        var numbers = lines.of(session, submitted);
        var parts = new ArrayList<String>();
        var setting = settings.forTransaction();
        if (!setting.isEmpty()) {
            parts.add(setting);
        }
        if (!records.isEmpty()) {
            parts.add(RECORD);
        }
        if (!leavings.isEmpty()) {
            parts.add(LEAVE);
        }
        if (!submissions.isEmpty()) {
            parts.add(SUBMIT);
            parts.add(ANYBODY_IDLE);
        }
        if (wanted.any()) {
            parts.add(CLAIM);
            parts.add(JOURNALS);
            parts.add(NEXT_DUE);
        }
        var text = String.join(";\n", parts).replace("pawl.", settings.prefix()).replace(NOW, settings.now());
        try (var statement = session.connection().prepareStatement(text)) {
            var binding = new Binding(session.connection(), statement);
            if (!records.isEmpty()) {
                bindRecords(binding);
            }
            if (!leavings.isEmpty()) {
                bindLeavings(binding);
            }
            if (!submissions.isEmpty()) {
                bindSubmissions(binding, numbers);
                binding.number(worker);
            }
            if (wanted.any()) {
                bindWanted(binding);
            }
            statement.execute();
            read(new Answers(statement, !setting.isEmpty()));
        }
    }

    private void read(Answers answers) throws SQLException {
        if (!records.isEmpty()) {
            readRecords(answers.next());
        }
        if (!leavings.isEmpty()) {
            readLeavings(answers.next());
        }
        if (!submissions.isEmpty()) {
            readSubmissions(answers.next());
            var idle = answers.next();
            idle.next();
            anybodyIdle = idle.getBoolean(1);
        }
        if (wanted.any()) {
            var jobs = readClaimed(answers.next());
            var journals = readJournals(answers.next());
            for (var job : jobs) {
                claimed.add(new Claimed(job, journals.getOrDefault(job.id(), List.of())));
            }
            var due = answers.next();
            due.next();
            next = jobs.size() == wanted.most() ? null : Rows.instantOrNull(due, 1);
        }
    }

    /** The answers to the statements of one exchange, in their order. */
    private static final class Answers {
        private final PreparedStatement statement;
        private boolean first;

        Answers(PreparedStatement statement, boolean skipsFirst) {
            this.statement = statement;
            this.first = !skipsFirst;
        }

        ResultSet next() throws SQLException {
            if (!first) {
                statement.getMoreResults();
            }
            first = false;
            return Objects.requireNonNull(statement.getResultSet());
        }
    }

    private void told(long millis) {
        now = Instant.ofEpochMilli(millis);
    }

    // ---- records and leavings

    private void bindRecords(Binding binding) throws SQLException {
        var many = 0;
        for (var i : records) {
            many += ((Change.Owned) changes.get(i)).entries().size();
        }
        var jobs = new long[many];
        var fences = new long[many];
        var ids = new long[many];
        var kinds = new int[many];
        var places = new String[many];
        var bodies = new String[many];
        var n = 0;
        for (var i : records) {
            var change = (Change.Owned) changes.get(i);
            var id = change.id();
            for (var entry : change.entries()) {
                var text = EntryText.of(entry);
                jobs[n] = change.job();
                fences[n] = change.hold().fence();
                ids[n] = id++;
                kinds[n] = text.kind().code();
                places[n] = text.place();
                bodies[n++] = text.body();
            }
        }
        binding.numbers(jobs);
        binding.numbers(fences);
        binding.numbers(ids);
        binding.smallNumbers(kinds);
        binding.texts(places);
        binding.texts(bodies);
    }

    private void readRecords(ResultSet rows) throws SQLException {
        var recorded = new HashMap<Long, Integer>();
        while (rows.next()) {
            recorded.merge(rows.getLong(1), 1, Integer::sum);
            told(rows.getLong(2));
        }
        for (var i : records) {
            var change = (Change.Owned) changes.get(i);
            if (recorded.getOrDefault(change.job(), 0) == change.entries().size()) {
                applied[i] = Applied.now();
            }
        }
    }

    private void bindLeavings(Binding binding) throws SQLException {
        var owned = leavings.stream().map(i -> (Change.Owned) changes.get(i)).toList();
        var left =
                owned.stream().map(c -> Objects.requireNonNull(Leaving.of(c))).toList();
        binding.numbers(owned.stream().mapToLong(Change.Owned::job).toArray());
        binding.numbers(owned.stream().mapToLong(c -> c.hold().fence()).toArray());
        binding.numbers(owned.stream().mapToLong(Change.Owned::id).toArray());
        binding.smallNumbers(
                left.stream().mapToInt(l -> Rows.code(l.transition().to())).toArray());
        binding.numbersOrNull(left.stream()
                .map(l -> l.after() == null ? null : l.after().toMillis())
                .toArray(Long[]::new));
        binding.texts(left.stream().map(l -> l.outcome().result()).toArray(String[]::new));
        binding.texts(left.stream()
                .map(l -> l.outcome().failure() == null
                        ? null
                        : Json.write(l.outcome().failure()))
                .toArray(String[]::new));
        binding.flags(left.stream().map(Leaving::clearsSuspicion).toArray(Boolean[]::new));
        var texts = owned.stream()
                .map(c ->
                        c.entries().isEmpty() ? null : EntryText.of(c.entries().getFirst()))
                .toList();
        binding.smallNumbersOrNull(texts.stream()
                .map(text -> text == null ? null : (short) text.kind().code())
                .toArray(Short[]::new));
        binding.texts(
                texts.stream().map(text -> text == null ? null : text.place()).toArray(String[]::new));
        binding.texts(
                texts.stream().map(text -> text == null ? null : text.body()).toArray(String[]::new));
    }

    private void readLeavings(ResultSet rows) throws SQLException {
        var gone = new HashMap<Long, Boolean>();
        while (rows.next()) {
            gone.put(rows.getLong(1), true);
            told(rows.getLong(2));
        }
        for (var i : leavings) {
            if (gone.containsKey(changes.get(i).job())) {
                applied[i] = Applied.now();
            }
        }
    }

    // ---- submissions

    private void bindSubmissions(Binding binding, long[] numbers) throws SQLException {
        var submitted =
                submissions.stream().map(i -> (Change.SubmitJob) changes.get(i)).toList();
        var claims = submitted.stream()
                .map(Change.SubmitJob::claim)
                .filter(Objects::nonNull)
                .toList();
        binding.number(claims.isEmpty() ? null : claims.getFirst().worker());
        var handlings = submitted.stream().map(s -> s.given().handling()).toList();
        binding.texts(submitted.stream().map(s -> s.identity().hash()).toArray(String[]::new));
        binding.texts(submitted.stream().map(s -> s.identity().workflow()).toArray(String[]::new));
        binding.texts(submitted.stream().map(s -> s.identity().key().encoded()).toArray(String[]::new));
        binding.texts(submitted.stream().map(Change.SubmitJob::input).toArray(String[]::new));
        binding.numbers(submitted.stream()
                .mapToLong(s -> s.claim() == null ? 0 : s.claim().id())
                .toArray());
        binding.numbersOrNull(handlings.stream()
                .map(h -> h.notBefore() == null ? null : h.notBefore().toEpochMilli())
                .toArray(Long[]::new));
        binding.numbers(numbers);
        binding.integers(handlings.stream().mapToInt(Handling::priority).toArray());
        binding.texts(handlings.stream()
                .map(h -> h.lane() == null ? "" : h.lane().key())
                .toArray(String[]::new));
        binding.integers(handlings.stream()
                .mapToInt(h -> h.lane() == null ? 0 : h.lane().most())
                .toArray());
    }

    private record Inserted(
            long seq, JobState state, @Nullable Instant due) {}

    private void readSubmissions(ResultSet rows) throws SQLException {
        var inserted = new HashMap<String, Inserted>();
        while (rows.next()) {
            told(rows.getLong(5));
            inserted.put(
                    rows.getString(2),
                    new Inserted(rows.getLong(1), Rows.state(rows.getInt(3)), Rows.instantOrNull(rows, 4)));
        }
        for (var i : submissions) {
            var submit = (Change.SubmitJob) changes.get(i);
            var there = inserted.remove(submit.identity().hash());
            if (there != null) {
                var job = job(submit, there);
                applied[i] = new Applied.Now(job);
                if (there.state() == JobState.RUNNING) {
                    claimed.add(new Claimed(job, List.of()));
                }
            }
        }
    }

    private StoredJob job(Change.SubmitJob submit, Inserted there) {
        var taken = there.state() == JobState.RUNNING;
        var standing = new StoredJob.Standing(
                there.state(),
                0,
                taken ? 1 : 0,
                taken ? Objects.requireNonNull(submit.claim()).worker() : 0,
                StoredJob.Suspicion.NONE,
                new StoredJob.Times(Objects.requireNonNull(now), now, there.due()),
                false);
        var given =
                new StoredJob.Given(submit.input(), submit.given().handling().kept());
        return new StoredJob(there.seq(), submit.identity(), given, standing, StoredJob.Outcome.NONE);
    }

    // ---- claims

    private void bindWanted(Binding binding) throws SQLException {
        binding.number(wanted.claim());
        binding.number(wanted.worker());
        binding.number(wanted.claim());
        bindTaking(binding, wanted.suspectToo() ? new int[] {0, 1} : new int[] {0});
        binding.number((long) wanted.most());
        binding.number((long) wanted.most());
        binding.number(wanted.worker());
        binding.number(wanted.claim());
        binding.number(wanted.worker());
        binding.number(wanted.claim());
        bindTaking(binding, new int[] {0});
    }

    private void bindTaking(Binding binding, int[] suspects) throws SQLException {
        binding.smallNumbers(suspects);
        binding.texts(wanted.taking().workflows().toArray(String[]::new));
        binding.texts(wanted.taking().queues().toArray(String[]::new));
        binding.texts(wanted.taking().queues().toArray(String[]::new));
        binding.texts(wanted.taking().principals().toArray(String[]::new));
        binding.texts(wanted.taking().principals().toArray(String[]::new));
    }

    private List<StoredJob> readClaimed(ResultSet rows) throws SQLException {
        var jobs = new ArrayList<StoredJob>();
        while (rows.next()) {
            claimAnswered = rows.getLong(1) == 1;
            told(rows.getLong(2));
            rows.getLong(3);
            if (!rows.wasNull()) {
                jobs.add(Rows.job(rows, 2));
            }
        }
        return jobs;
    }

    private static Map<Long, List<Line>> readJournals(ResultSet rows) throws SQLException {
        var journals = new LinkedHashMap<Long, List<Line>>();
        while (rows.next()) {
            journals.computeIfAbsent(rows.getLong(1), job -> new ArrayList<>()).add(Rows.line(rows, 1));
        }
        return journals;
    }
}
