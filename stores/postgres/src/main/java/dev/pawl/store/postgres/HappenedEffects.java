package dev.pawl.store.postgres;

import dev.pawl.effect.Answer;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.jdbc.RowMapping;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;

/** Effects that happened at the first attempt, as whoever acted says of jobs that are running and ask nothing. Not thread-safe. */
final class HappenedEffects implements BulkPart {

    /** Nobody intends another attempt meanwhile: what was intended before this is seen by the next statement. */
    private static final RowsStatement LOCK = RowsStatement.in("select pg_advisory_xact_lock(" + Locks.OURS
            + ", hashtext('pawl.' || '" + Locks.JOB + "' || w.job)) from {w: job bigint}");

    private static final RowsStatement SETTLE = RowsStatement.in(
            """
            with settled as (
              update pawl.attempt a set status = HAPPENED
              from {w: job bigint, change bigint, resubmission integer, place text, body text} cross join lateral (
                select j.seq from pawl.job j
                where j.seq = w.job and j.resubmission = w.resubmission and j.state = RUNNING and j.question is null for share) h
              where a.job = w.job and a.resubmission = w.resubmission and a.place = w.place and a.number = 1 and a.status = OPEN
                and not exists (select 1 from pawl.attempt b where b.job = w.job and b.resubmission = w.resubmission and b.place = w.place
                  and b.number <> 1)
              returning a.job, a.resubmission, a.place, w.change, w.body),
            told as (
              insert into pawl.journal (job, change, resubmission, at, kind, place, body)
              select s.job, s.change, s.resubmission, %1$s, %2$d, s.place, s.body from settled s)
            select %1$s, %3$s %4$s where seq = any (array(select s.job from settled s))""".formatted(Bulk.NOW, EntryText.EntryCode.ANSWERED.code(), RowMapping.JOB, RowMapping.FROM_JOB));

    private final List<Change> changes;
    private final List<Integer> indexes;
    private final BulkOutcome outcome;

    HappenedEffects(List<Change> changes, List<Integer> indexes, BulkOutcome outcome) {
        this.changes = changes;
        this.indexes = indexes;
        this.outcome = outcome;
    }

    /** Whether nothing but its own attempt has a say in it. */
    static boolean isPlain(Change.AnswerAttempt change) {
        return change.attempt().number() == 1
                && change.answer() instanceof Answer.Happened
                && change.source() == Answer.Source.WORKER
                && change.used() == null;
    }

    private Change.AnswerAttempt change(int index) {
        return (Change.AnswerAttempt) changes.get(index);
    }

    @Override
    public boolean any() {
        return !indexes.isEmpty();
    }

    @Override
    public List<String> sql() {
        return List.of(LOCK.sql(indexes.size()), SETTLE.sql(indexes.size()));
    }

    @Override
    public void bind(Binding binding) throws SQLException {
        var many = indexes.size();
        var jobs = new long[many];
        var ids = new long[many];
        var resubmissions = new int[many];
        var places = new String[many];
        var bodies = new String[many];
        for (var n = 0; n < many; n++) {
            var change = change(indexes.get(n));
            var attempt = change.attempt();
            jobs[n] = change.job();
            ids[n] = change.id();
            resubmissions[n] = attempt.resubmission();
            places[n] = attempt.place().toString();
            bodies[n] = EntryText.of(
                            new Entry.Answered(attempt.place(), attempt.number(), change.answer(), change.source()))
                    .body();
        }
        binding.numbers(jobs);
        binding.numbers(jobs);
        binding.numbers(ids);
        binding.integers(resubmissions);
        binding.texts(places);
        binding.texts(bodies);
    }

    @Override
    public void read(StatementResults results) throws SQLException {
        results.next();
        var rows = results.next();
        var settled = new HashMap<Long, StoredJob>();
        while (rows.next()) {
            outcome.now(rows.getLong(1));
            var job = RowMapping.job(rows, 1);
            settled.put(job.id(), job);
        }
        for (var index : indexes) {
            var job = settled.get(changes.get(index).job());
            if (job != null) {
                outcome.applied(index, new Applied.Now(job));
            }
        }
    }
}
