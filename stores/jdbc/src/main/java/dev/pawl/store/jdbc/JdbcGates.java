package dev.pawl.store.jdbc;

import dev.pawl.gate.Gate;
import dev.pawl.job.Transition;
import dev.pawl.json.Json;
import dev.pawl.json.TypeToken;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Gating;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Gates and rates. Not thread-safe. */
final class JdbcGates {
    static final List<String> COLUMNS =
            List.of("name", "kind", "why", "since", "until", "closings", "raised", "raised_at", "openings");

    static final String ALL = "select " + String.join(", ", COLUMNS) + " from pawl.gate";

    private static final String PUT = "insert into pawl.gate (" + String.join(", ", COLUMNS) + ") values ("
            + String.join(", ", Collections.nCopies(COLUMNS.size(), "?")) + ") on conflict (name) do update set "
            + COLUMNS.stream()
                    .skip(1)
                    .map(column -> column + " = excluded." + column)
                    .collect(Collectors.joining(", "));

    private static final TypeToken<List<Gate.Opening>> OPENINGS = new TypeToken<>() {};

    static final ColumnCodes<Gate.Cause> CAUSES = ColumnCodes.of(
            Gate.Cause.class, List.of(Gate.Cause.ACCOUNT, Gate.Cause.BUDGET, Gate.Cause.RATE, Gate.Cause.BRAKE));

    private static final String WAITING = " from pawl.job where gate = ? and state = WAITING and gate_closings <= ?";

    private final Statements sql;
    private final JdbcJobs jobs;
    private final String letGo;

    JdbcGates(Statements sql, Dialect dialect, JdbcJobs jobs) {
        this.sql = sql;
        this.jobs = jobs;
        this.letGo = "update pawl.job set state = " + RowMapping.code(Transition.GATE_OPENS.to())
                + ", fence = fence + 1, owner = 0, claim = 0, changed = ?, due = ?, result = null, failure = null, question = null, gate = null"
                + " where seq in (select seq" + WAITING + " limit ?" + dialect.skippingLocked() + ")";
    }

    /** The gate after a job's wish to wait there; null when it is open and the job only meant to join. */
    @Nullable
    Gate wished(Gate.Wish wish, Instant now) throws SQLException {
        var gate = Gating.wished(find(wish.name()), wish, now);
        if (gate != null) {
            save(gate);
        }
        return gate;
    }

    Applied open(Change.OpenGate change, Instant now) throws SQLException {
        var there = find(change.gate());
        var objection = Gating.objection(there, change);
        if (objection != null) {
            return objection;
        }
        var gate = Objects.requireNonNull(there);
        save(Gating.opened(gate, change, now));
        var waiting = new FollowUp.LetGo(gate.name(), gate.closings());
        letGo(waiting, now);
        if (anyWaits(waiting)) {
            jobs.followUps().leave(waiting);
        }
        return Applied.now();
    }

    /** Lets jobs go that wait at a gate which was opened, as many as may be changed yet, but for those that somebody else holds just now; says how many. */
    int letGo(FollowUp.LetGo rest, Instant now) throws SQLException {
        var gone = sql.run(
                letGo,
                now.toEpochMilli(),
                now.toEpochMilli(),
                rest.gate(),
                rest.closings(),
                Math.max(jobs.followUps().othersLeft(), 0));
        jobs.followUps().changesOthers(gone);
        return gone;
    }

    /** Whether any job waits yet that is to be let go. */
    boolean anyWaits(FollowUp.LetGo rest) throws SQLException {
        return sql.one("select 1" + WAITING + " limit 1", row -> true, rest.gate(), rest.closings()) != null;
    }

    Applied pass(Change.PassGateIfOwned change, Instant now) throws SQLException {
        var rate = change.rate();
        var stored = sql.one(
                "select since, taken from pawl.passed where gate = ?",
                row -> new Gating.Passed(Instant.ofEpochMilli(row.getLong(1)), row.getInt(2)),
                rate.gate());
        var before = stored == null ? new Gating.Passed(Instant.EPOCH, 0) : stored;
        var after = before.more(rate, now);
        if (after == null) {
            return new Applied.NotYet(before.left(rate, now));
        }
        sql.run(
                "insert into pawl.passed (gate, since, taken) values (?, ?, ?)"
                        + " on conflict (gate) do update set since = excluded.since, taken = excluded.taken",
                rate.gate(),
                after.since().toEpochMilli(),
                after.taken());
        return Applied.now();
    }

    private @Nullable Gate find(String name) throws SQLException {
        return sql.one(ALL + " where name = ?", JdbcGates::gate, name);
    }

    private void save(Gate gate) throws SQLException {
        var closing = gate.closing();
        var until = closing == null ? null : closing.until();
        var raisedAt = gate.raised().last();
        sql.run(
                PUT,
                gate.name(),
                CAUSES.code(gate.cause()),
                closing == null ? null : closing.why(),
                closing == null ? null : closing.since().toEpochMilli(),
                until == null ? null : until.toEpochMilli(),
                gate.closings(),
                gate.raised().times(),
                raisedAt == null ? null : raisedAt.toEpochMilli(),
                Json.write(gate.openings()));
    }

    static Gate gate(ResultSet row) throws SQLException {
        var why = row.getString(3);
        var since = Instant.ofEpochMilli(row.getLong(4));
        var untilMillis = row.getLong(5);
        var until = row.wasNull() ? null : Instant.ofEpochMilli(untilMillis);
        var raisedMillis = row.getLong(8);
        var raisedAt = row.wasNull() ? null : Instant.ofEpochMilli(raisedMillis);
        return new Gate(
                row.getString(1),
                CAUSES.constant(row.getInt(2)),
                why == null ? null : new Gate.Closing(why, since, until),
                row.getLong(6),
                new Gate.Raised(row.getInt(7), raisedAt),
                Objects.requireNonNull(Json.read(row.getString(9), OPENINGS)));
    }
}
