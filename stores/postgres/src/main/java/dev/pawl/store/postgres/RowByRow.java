package dev.pawl.store.postgres;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What was not made in bulk: it is made row by row, under locks, together in one commit where that goes well, and else alone. Not thread-safe. */
final class RowByRow {
    private final Session session;
    private final String server;
    private final long worker;
    private final List<Change> changes;
    private final @Nullable Applied[] applied;
    private final List<Claimed> claimed;
    private @Nullable Instant now;
    private boolean wakes;
    private long enlisted;

    /** @param worker who asks; 0 for nobody who works */
    RowByRow(Session session, String server, long worker, List<Change> changes, BulkOutcome outcome) {
        this.session = session;
        this.server = server;
        this.worker = worker;
        this.changes = changes;
        this.claimed = new ArrayList<>(outcome.claimed());
        this.applied = new Applied[changes.size()];
        for (var i = 0; i < applied.length; i++) {
            applied[i] = outcome.applied(i);
        }
    }

    /** What became of each, once it is made. */
    List<Applied> applied() {
        return Arrays.stream(applied).map(Objects::requireNonNull).toList();
    }

    /** What was claimed, in bulk and here. */
    List<Claimed> claimed() {
        return claimed;
    }

    /** What the store's clock said last; null when it was not asked. */
    @Nullable
    Instant now() {
        return now;
    }

    /** Whether something may be to be claimed that was not before, and another worker waits for it. */
    boolean wakesAnother() {
        return wakes;
    }

    /** The worker that enlisted; 0 for none. */
    long enlisted() {
        return enlisted;
    }

    /** Makes all of it. */
    void make() throws SQLException {
        var adding = new ArrayList<Integer>();
        var moving = new ArrayList<Integer>();
        for (var i = 0; i < applied.length; i++) {
            var change = changes.get(i);
            if (applied[i] == null && Locks.onlyAdds(change)) {
                adding.add(i);
            } else if (applied[i] == null
                    && change instanceof Change.Owned
                    && !(change instanceof Change.CallIfOwned)) {
                moving.add(i);
            }
        }
        together(adding);
        together(moving);
        for (var i = 0; i < applied.length; i++) {
            if (applied[i] == null) {
                alone(i);
            }
        }
    }

    /** Makes all of them in one commit, or none when the database refuses one. */
    private void together(List<Integer> indexes) throws SQLException {
        if (indexes.size() < 2) {
            return;
        }
        try {
            var at = session.begin();
            new Locks(session.sql()).lock(indexes.stream().map(changes::get).toList());
            commit(at, indexes);
        } catch (SQLException e) {
            session.undo(e);
            if (PostgresErrors.isHeld(e)) {
                throwIfAnyIsHeld(e);
            }
            if (!PostgresErrors.isAboutTheChanges(e)) {
                throw e;
            }
        } catch (RuntimeException e) {
            session.undo(e);
            throw e;
        }
    }

    /** Somebody holds something: when it is the jobs of some of the changes, there is no need to wait for each. */
    void throwIfAnyIsHeld(SQLException why) throws SQLException {
        session.begin();
        var held = new Locks(session.sql()).held(changes);
        session.rollback();
        if (!held.isEmpty()) {
            throw PostgresErrors.held(held, why, server);
        }
    }

    private void alone(int index) throws SQLException {
        try {
            session.retrying(() -> {
                var at = session.begin();
                new Locks(session.sql()).lock(changes.get(index));
                commit(at, List.of(index));
                return index;
            });
        } catch (SQLException e) {
            if (PostgresErrors.isHeld(e)) {
                throw PostgresErrors.held(List.of(index), e, server);
            }
            if (!PostgresErrors.blamesTheChange(e)) {
                throw e;
            }
            applied[index] = new Applied.Refused("the database refused it: " + e.getMessage());
        }
    }

    private void commit(Instant at, List<Integer> indexes) throws SQLException {
        var taken = new ArrayList<Claimed>();
        var made = new ArrayList<Applied>();
        var mayWake = false;
        for (var index : indexes) {
            var change = changes.get(index);
            made.add(write(change, at, taken));
            mayWake |= made.getLast().done() && mayMakeReady(change);
        }
        var wakesAnother = mayWake && isAnotherIdle(session, worker);
        session.commit();
        now = at;
        wakes |= wakesAnother;
        claimed.addAll(taken);
        for (var i = 0; i < made.size(); i++) {
            var change = changes.get(indexes.get(i));
            applied[indexes.get(i)] = made.get(i);
            if (change instanceof Change.Enlist enlist && made.get(i).done()) {
                enlisted = enlist.worker();
            }
        }
    }

    private Applied write(Change change, Instant at, List<Claimed> taken) throws SQLException {
        var made = session.writer().apply(change, at, taken);
        if (change instanceof Change.CallIfOwned) {
            session.sql()
                    .run(
                            "update pawl.job set called = 1 where called = 0 and seq in (select child from pawl.call where parent = ?)",
                            change.job());
        }
        return made;
    }

    /** Whether a job may be to be claimed after such a change that was not before. */
    private static boolean mayMakeReady(Change change) {
        return switch (change) {
            case Change.RecordStepIfOwned c -> false;
            case Change.IntendEffectIfOwned c -> false;
            case Change.KeepArtifactIfOwned c -> false;
            case Change.OfLedger c -> false;
            case Change.PassGateIfOwned c -> false;
            case Change.Enlist c -> false;
            case Change.Beat c -> false;
            case Change.Retire c -> false;
            case Change.PruneJobs c -> false;
            case Change.KeepPrices c -> false;
            default -> true;
        };
    }

    /** Whether somebody other than {@code worker} waits to be told of something to claim. */
    static boolean isAnotherIdle(Session session, long worker) throws SQLException {
        return session.sql().one("select 1 from pawl.worker where idle = 1 and id <> ? limit 1", row -> 1, worker)
                != null;
    }
}
