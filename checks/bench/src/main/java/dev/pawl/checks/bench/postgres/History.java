package dev.pawl.checks.bench.postgres;

import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.store.Change;
import dev.pawl.store.Wanted;
import dev.pawl.store.postgres.PostgresStore;
import dev.pawl.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Claims among a thousand ready jobs, where nothing ever finished and where five million have: a million of these stood ready once and were claimed, and
 * what they left behind was never cleaned away. Not thread-safe.
 */
final class History implements AutoCloseable {
    private static final Time TIME = Time.system();
    private static final int READY = 1_000;
    private static final int CLAIM = 100;
    private static final long WORKER = 7;
    /** Of all of them: nothing looks at it when it claims. */
    private static final String KEY = Key.of("x").encoded();

    private static final Taking TAKING = new Taking(List.of("w"), List.of(), List.of());

    private final Database database;
    private final PostgresStore store;
    private long claims;

    /** @param untouched finished jobs that were never anything else; {@code drained} ones stood ready before */
    History(Database database, int untouched, int drained) throws SQLException {
        this.database = database;
        this.store = PostgresStore.open(database.url());
        database.run("alter table pawl.job set (autovacuum_enabled = off);"
                + "insert into pawl.claim_group (id, workflow, queue, on_behalf_of) values (1, 'w', '', '')");
        insert(untouched, 4, "null");
        insert(drained, 0, "1");
        database.run("update pawl.job set state = 1, fence = 1, owner = 5, claim = 1, due = null where state = 0");
        database.run(
                "update pawl.job set state = 4, fence = 2, owner = 0, claim = 0, result = '1', end_number = nextval('pawl.ended') where state = 1");
        insert(READY, 0, "1");
        database.run("analyze pawl.job");
        store.exchange(List.of(new Change.Enlist(WORKER, "bench", Duration.ofHours(1), TAKING)), Wanted.NOTHING);
    }

    private void insert(int many, int state, String due) throws SQLException {
        var ended = state == 4 ? "nextval('pawl.ended')" : "null";
        database.run(
                "insert into pawl.job (workflow, key, input, state, created, changed, due, claim_group, result, end_number)"
                        + " select 'w', '" + KEY + "', '1', " + state + ", 1, 1, " + due + ", 1, case when " + state
                        + " = 4 then '1' end, "
                        + ended + " from generate_series(1, " + many + ") g");
    }

    /** Claims all of them, and says how many milliseconds the claims took; afterwards they are ready again. */
    List<Double> claimAll() throws SQLException {
        var times = new ArrayList<Double>();
        for (var i = 0; i < READY / CLAIM; i++) {
            var start = TIME.nanos();
            var claimed = store.exchange(List.of(), new Wanted(WORKER, ++claims, TAKING, CLAIM, false))
                    .claimed();
            times.add((TIME.nanos() - start) / 1e6);
            if (claimed.size() != CLAIM) {
                throw new IllegalStateException("claimed " + claimed.size());
            }
        }
        database.run(
                "update pawl.job set state = 0, owner = 0, claim = 0, due = extract(epoch from now()) * 1000 where owner = "
                        + WORKER + " and owner <> 0");
        return times;
    }

    @Override
    public void close() {
        store.close();
    }
}
