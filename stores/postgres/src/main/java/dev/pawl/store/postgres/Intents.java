package dev.pawl.store.postgres;

import dev.pawl.store.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** First attempts of effects, intended by jobs that are held and were not called off. Not thread-safe. */
final class Intents implements BulkPart {

    /** What was recorded before it in the same exchange keeps the jobs as they are. */
    private static final RowsStatement OPEN = RowsStatement.in("""
            insert into pawl.attempt (job, resubmission, place, number, status, intended, remembered)
            select i.job, h.resubmission, i.place, 1, 0, %1$s, %1$s + i.memory
            from {i: job bigint, fence bigint, place text, memory bigint} cross join lateral (
              select j.resubmission from pawl.job j where j.seq = i.job and j.fence = i.fence and j.state = RUNNING and j.cancelling = 0) h
            returning job""".formatted(Bulk.NOW));

    private final List<Change> changes;
    private final List<Integer> indexes;
    private final Records records;

    Intents(List<Change> changes, List<Integer> indexes, BulkOutcome outcome) {
        this.changes = changes;
        this.indexes = indexes;
        this.records = Records.unlessCalledOff(changes, indexes, outcome);
    }

    /** Whether nothing that is known of other attempts has a say in it. */
    static boolean isPlain(Change.IntendEffectIfOwned change) {
        return change.intent().number() == 1 && change.goodUntil() == null && !change.paysDebt();
    }

    @Override
    public boolean any() {
        return !indexes.isEmpty();
    }

    @Override
    public List<String> sql() {
        var statements = new ArrayList<>(records.sql());
        statements.add(OPEN.sql(indexes.size()));
        return statements;
    }

    @Override
    public void bind(Binding binding) throws SQLException {
        records.bind(binding);
        var many = indexes.size();
        var jobs = new long[many];
        var fences = new long[many];
        var places = new String[many];
        var memories = new long[many];
        for (var n = 0; n < many; n++) {
            var change = (Change.IntendEffectIfOwned) changes.get(indexes.get(n));
            var memory = change.intent().terms().memory();
            jobs[n] = change.job();
            fences[n] = change.hold().fence();
            places[n] = change.intent().place().toString();
            memories[n] = memory == null ? 0 : memory.toMillis();
        }
        binding.numbers(jobs);
        binding.numbers(fences);
        binding.texts(places);
        binding.numbers(memories);
    }

    @Override
    public void read(StatementResults results) throws SQLException {
        records.read(results);
        results.next();
    }
}
