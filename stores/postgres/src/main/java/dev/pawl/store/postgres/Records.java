package dev.pawl.store.postgres;

import dev.pawl.journal.EntryText;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;

/** What steps give, appended to the journals of jobs that are held. Not thread-safe. */
final class Records implements BulkPart {

    /**
     * Rows are locked in the order of the parameters, which is the order of jobs. What is recorded already makes the database refuse all of it, and each is
     * tried alone then: that happens only after an answer was lost, and to look for it each time costs as much again.
     */
    private static RowsStatement recording(String only) {
        return RowsStatement.in("""
            insert into pawl.journal (job, change, resubmission, at, kind, place, body)
            select e.job, e.change, h.resubmission, %1$s, e.kind, e.place, e.body
            from {e: job bigint, fence bigint, change bigint, kind smallint, place text, body text} cross join lateral (
              select j.resubmission from pawl.job j where j.seq = e.job and j.fence = e.fence and j.state = RUNNING %2$s for share) h
            returning job, %1$s""".formatted(Bulk.NOW, only));
    }

    private static final RowsStatement ALWAYS = recording("");

    private static final RowsStatement UNLESS_CALLED_OFF = recording("and j.cancelling = 0");

    private final RowsStatement record;
    private final List<Change> changes;
    private final List<Integer> indexes;
    private final BulkOutcome outcome;
    private int entries;

    private Records(RowsStatement record, List<Change> changes, List<Integer> indexes, BulkOutcome outcome) {
        this.record = record;
        this.changes = changes;
        this.indexes = indexes;
        this.outcome = outcome;
        for (var index : indexes) {
            entries += change(index).entries().size();
        }
    }

    static Records always(List<Change> changes, List<Integer> indexes, BulkOutcome outcome) {
        return new Records(ALWAYS, changes, indexes, outcome);
    }

    /** Those of jobs that were called off are left alone. */
    static Records unlessCalledOff(List<Change> changes, List<Integer> indexes, BulkOutcome outcome) {
        return new Records(UNLESS_CALLED_OFF, changes, indexes, outcome);
    }

    private Change.Owned change(int index) {
        return (Change.Owned) changes.get(index);
    }

    @Override
    public boolean any() {
        return !indexes.isEmpty();
    }

    @Override
    public List<String> sql() {
        return List.of(record.sql(entries));
    }

    @Override
    public void bind(Binding binding) throws SQLException {
        var jobs = new long[entries];
        var fences = new long[entries];
        var ids = new long[entries];
        var kinds = new short[entries];
        var places = new String[entries];
        var bodies = new String[entries];
        var n = 0;
        for (var index : indexes) {
            var change = change(index);
            var id = change.id();
            for (var entry : change.entries()) {
                var text = EntryText.of(entry);
                jobs[n] = change.job();
                fences[n] = change.hold().fence();
                ids[n] = id++;
                kinds[n] = (short) text.entryCode().code();
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

    @Override
    public void read(StatementResults results) throws SQLException {
        var rows = results.next();
        var recorded = new HashMap<Long, Integer>();
        while (rows.next()) {
            recorded.merge(rows.getLong(1), 1, Integer::sum);
            outcome.now(rows.getLong(2));
        }
        for (var index : indexes) {
            var change = change(index);
            if (recorded.getOrDefault(change.job(), 0) == change.entries().size()) {
                outcome.applied(index, Applied.now());
            }
        }
    }
}
