package dev.pawl.store.postgres;

import static java.util.Map.entry;

import dev.pawl.job.JobState;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.jdbc.JobColumn;
import dev.pawl.store.jdbc.RowMapping;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** New jobs, and those among them that whoever submits them takes at once. Not thread-safe. */
final class Submissions implements BulkPart {

    /** What a new job gets, of what is given, and of whether it is taken at once. */
    private static final Map<JobColumn, String> VALUES = Map.ofEntries(
            entry(JobColumn.WORKFLOW, "g.workflow"),
            entry(JobColumn.KEY, "g.key"),
            entry(JobColumn.INPUT, "g.input"),
            entry(JobColumn.STATE, "case when t.taken then RUNNING else READY end"),
            entry(JobColumn.FENCE, "case when t.taken then 1 else 0 end"),
            entry(JobColumn.OWNER, "case when t.taken then me.id else 0 end"),
            entry(JobColumn.CLAIM, "case when t.taken then g.claim else 0 end"),
            entry(JobColumn.CREATED, Bulk.NOW),
            entry(JobColumn.CHANGED, Bulk.NOW),
            entry(
                    JobColumn.DUE,
                    "case when t.taken then null else greatest(coalesce(g.not_before, 0), " + Bulk.NOW + ") end"),
            entry(JobColumn.CLAIM_GROUP, "g.claim_group"),
            entry(JobColumn.PRIORITY, "g.priority"),
            entry(JobColumn.LANE, "g.lane"),
            entry(JobColumn.LANE_MOST, "g.lane_most"),
            entry(JobColumn.TRACEPARENT, "g.traceparent"));

    /**
     * The transaction has its number before it gives any, see {@link Horizon}. Identities are inserted in their own order, so that two lists of the same jobs
     * do not wait for each other in a circle. Which jobs are new is asked through a hash table: the planner makes one for a condition, which "is true" keeps it,
     * but, told to join by index alone, not for a join.
     */
    private static final RowsStatement SUBMIT = RowsStatement.in(
            """
            with me as materialized (
              select pg_current_xact_id() is not null as numbered, not exists (select 1 from pawl.queue) as unlimited,
                (select w.id from pawl.worker w where w.id = ? and w.ending is null for key share) as id),
            given as materialized (
              select s.*, nextval('pawl.job_seq_seq') as seq from me cross join
                {s: identity text, workflow text, key text, input text, claim bigint, not_before bigint, claim_group bigint, priority integer, lane text,
                  lane_most integer, traceparent text}
              where me.numbered),
            new as (
              insert into pawl.identified (identity, job, claim_group, name) select g.identity, g.seq, g.claim_group, %4$s from given g
              order by g.identity collate "C" on conflict do nothing returning job)
            insert into pawl.job (seq, %2$s) select g.seq, %3$s
            from me cross join given g
              cross join lateral (select g.claim <> 0 and me.id is not null and me.unlimited and coalesce(g.not_before, 0) <= %1$s as taken) t
            where (g.seq in (select n.job from new n)) is true
            returning seq, key, workflow, state, due, %1$s, (select exists (select 1 from pawl.worker where idle = 1 and id <> ?))""".formatted(Bulk.NOW, JobColumn.ofNew(), JobColumn.given(VALUES), PostgresDialect.INSTANCE.keyText()));

    private final List<Change> changes;
    private final List<Integer> indexes;
    private final long worker;
    private final BulkOutcome outcome;
    private long[] groups = new long[0];

    Submissions(List<Change> changes, List<Integer> indexes, long worker, BulkOutcome outcome) {
        this.changes = changes;
        this.indexes = indexes;
        this.worker = worker;
        this.outcome = outcome;
    }

    private Change.SubmitJob change(int index) {
        return (Change.SubmitJob) changes.get(index);
    }

    /** Learns the numbers of claim groups, before it is bound. */
    void learn(PostgresClaimGroups known, Session session) throws SQLException {
        var submitted = new ArrayList<Change.SubmitJob>();
        for (var index : indexes) {
            submitted.add(change(index));
        }
        this.groups = known.of(session, submitted);
    }

    @Override
    public boolean any() {
        return !indexes.isEmpty();
    }

    @Override
    public List<String> sql() {
        return List.of(SUBMIT.sql(indexes.size()));
    }

    @Override
    public void bind(Binding binding) throws SQLException {
        var many = indexes.size();
        var identities = new String[many];
        var workflows = new String[many];
        var keys = new String[many];
        var inputs = new String[many];
        var claims = new long[many];
        var notBefore = new @Nullable Long[many];
        var priorities = new int[many];
        var lanes = new String[many];
        var most = new int[many];
        var traceparents = new @Nullable String[many];
        var claiming = claimingWorker();
        for (var n = 0; n < many; n++) {
            var submit = change(indexes.get(n));
            var handling = submit.given().handling();
            var claim = submit.claim();
            var lane = handling.lane();
            identities[n] = submit.identity().hash();
            workflows[n] = submit.identity().workflow();
            keys[n] = submit.identity().key().encoded();
            inputs[n] = submit.input();
            // A worker that has lost its number since gets nothing more under it.
            claims[n] = claim == null || !Objects.equals(claim.worker(), claiming) ? 0 : claim.id();
            notBefore[n] =
                    handling.notBefore() == null ? null : handling.notBefore().toEpochMilli();
            priorities[n] = handling.priority();
            lanes[n] = lane == null ? "" : lane.key();
            most[n] = lane == null ? 0 : lane.most();
            traceparents[n] = handling.traceparent();
        }
        binding.number(claiming);
        binding.texts(identities);
        binding.texts(workflows);
        binding.texts(keys);
        binding.texts(inputs);
        binding.numbers(claims);
        binding.numbersOrNull(notBefore);
        binding.numbers(groups);
        binding.integers(priorities);
        binding.texts(lanes);
        binding.integers(most);
        binding.texts(traceparents);
        binding.number(worker);
    }

    /** The worker that takes what it submits: the last one, where there are two. */
    private @Nullable Long claimingWorker() {
        Long worker = null;
        for (var index : indexes) {
            var claim = change(index).claim();
            if (claim != null) {
                worker = claim.worker();
            }
        }
        return worker;
    }

    /** What a job is known by in the answer. */
    private record JobName(String workflow, String key) {}

    private record Inserted(
            long seq, JobState state, @Nullable Instant due) {}

    @Override
    public void read(StatementResults results) throws SQLException {
        var rows = results.next();
        var inserted = new HashMap<JobName, Inserted>();
        while (rows.next()) {
            outcome.now(rows.getLong(6));
            outcome.anybodyIdle(rows.getBoolean(7));
            inserted.put(
                    new JobName(rows.getString(3), rows.getString(2)),
                    new Inserted(rows.getLong(1), RowMapping.state(rows.getInt(4)), RowMapping.instantOrNull(rows, 5)));
        }
        for (var index : indexes) {
            var submit = change(index);
            var there = inserted.remove(new JobName(
                    submit.identity().workflow(), submit.identity().key().encoded()));
            if (there != null) {
                var job = job(submit, there);
                outcome.applied(index, new Applied.Now(job));
                if (there.state() == JobState.RUNNING) {
                    outcome.claimed().add(new Claimed(job, List.of()));
                }
            }
        }
    }

    private StoredJob job(Change.SubmitJob submit, Inserted there) {
        var owner = there.state() == JobState.RUNNING
                ? Objects.requireNonNull(submit.claim()).worker()
                : 0;
        return StoredJob.submitted(there.seq(), submit.identity(), submit.given(), owner, outcome.now(), there.due());
    }
}
