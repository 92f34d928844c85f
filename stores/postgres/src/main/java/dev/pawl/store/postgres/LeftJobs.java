package dev.pawl.store.postgres;

import dev.pawl.journal.EntryText;
import dev.pawl.json.Json;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Leaving;
import dev.pawl.store.jdbc.EndingCodes;
import dev.pawl.store.jdbc.RowMapping;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Jobs that their owners leave: finished, or to be taken again. Not thread-safe. */
final class LeftJobs implements BulkPart {

    /** The transaction has its number before it gives any, see {@link Horizon}. */
    private static final RowsStatement LEAVE = RowsStatement.in("""
            with leaving as (
              update pawl.job j set state = w.state, fence = j.fence + 1, owner = 0, claim = 0, changed = %1$s, due = %1$s + w.after,
                result = w.result, failure = w.failure, question = null, last_change = w.change, gate = null,
                suspect = case when w.clears then 0 else j.suspect end, strikes = case when w.clears then 0 else j.strikes end,
                end_number = case when w.state >= 4 then nextval('pawl.ended') else j.end_number end, ending = w.ending
              from {w: job bigint, fence bigint, change bigint, state smallint, ending smallint, after bigint, result text, failure text, clears boolean,
                kind smallint, place text, body text}
              where pg_current_xact_id() is not null and j.seq = w.job and j.fence = w.fence and j.state = RUNNING and j.cancelling = 0
                and (w.state < DONE or (j.called = 0 and j.owes = 0 and not exists (select 1 from pawl.attempt a where a.job = j.seq and a.status = OPEN)))
              returning j.seq, j.resubmission, j.claim_group, w.ending, w.change, w.kind, w.place, w.body),
            told as (
              insert into pawl.journal (job, change, resubmission, at, kind, place, body)
              select g.seq, g.change, g.resubmission, %1$s, g.kind, g.place, g.body from leaving g where g.kind is not null),
            counted as (
              insert into pawl.tally (claim_group, ending, day, slot, many)
              select g.claim_group, g.ending, d.day, %2$s, count(*) from leaving g cross join (values (cast(-1 as bigint)), (%1$s / 86400000)) d(day)
              where g.ending is not null group by 1, 2, 3 order by 3, 1, 2
              on conflict (day, claim_group, ending, slot) do update set many = tally.many + excluded.many)
            select seq, %1$s from leaving""".formatted(Bulk.NOW, PostgresDialect.TALLY_SLOT));

    private final List<Change> changes;
    private final List<Integer> indexes;
    private final BulkOutcome outcome;

    LeftJobs(List<Change> changes, List<Integer> indexes, BulkOutcome outcome) {
        this.changes = changes;
        this.indexes = indexes;
        this.outcome = outcome;
    }

    @Override
    public boolean any() {
        return !indexes.isEmpty();
    }

    @Override
    public List<String> sql() {
        return List.of(LEAVE.sql(indexes.size()));
    }

    @Override
    public void bind(Binding binding) throws SQLException {
        var many = indexes.size();
        var jobs = new long[many];
        var fences = new long[many];
        var ids = new long[many];
        var states = new short[many];
        var endings = new @Nullable Short[many];
        var afters = new @Nullable Long[many];
        var results = new @Nullable String[many];
        var failures = new @Nullable String[many];
        var clears = new boolean[many];
        var kinds = new @Nullable Short[many];
        var places = new @Nullable String[many];
        var bodies = new @Nullable String[many];
        for (var n = 0; n < many; n++) {
            var change = (Change.Owned) changes.get(indexes.get(n));
            var left = Objects.requireNonNull(Leaving.of(change));
            var after = left.after();
            var failure = left.outcome().failure();
            jobs[n] = change.job();
            fences[n] = change.hold().fence();
            ids[n] = change.id();
            states[n] = (short) RowMapping.code(left.transition().to());
            var ending = EndingCodes.of(left.transition().to(), left.outcome());
            endings[n] = ending == null ? null : ending.shortValue();
            afters[n] = after == null ? null : after.toMillis();
            results[n] = left.outcome().result();
            failures[n] = failure == null ? null : Json.write(failure);
            clears[n] = left.clearsSuspicion();
            if (!change.entries().isEmpty()) {
                var text = EntryText.of(change.entries().getFirst());
                kinds[n] = (short) text.entryCode().code();
                places[n] = text.place();
                bodies[n] = text.body();
            }
        }
        binding.numbers(jobs);
        binding.numbers(fences);
        binding.numbers(ids);
        binding.smallNumbers(states);
        binding.smallNumbersOrNull(endings);
        binding.numbersOrNull(afters);
        binding.texts(results);
        binding.texts(failures);
        binding.flags(clears);
        binding.smallNumbersOrNull(kinds);
        binding.texts(places);
        binding.texts(bodies);
    }

    @Override
    public void read(StatementResults results) throws SQLException {
        var rows = results.next();
        var gone = new HashSet<Long>();
        while (rows.next()) {
            gone.add(rows.getLong(1));
            outcome.now(rows.getLong(2));
        }
        for (var index : indexes) {
            if (gone.contains(changes.get(index).job())) {
                outcome.applied(index, Applied.now());
                if (changes.get(index) instanceof Change.ReleaseJob) {
                    outcome.handedBack();
                }
            }
        }
    }
}
