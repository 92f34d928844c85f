package dev.pawl.store.jdbc;

import dev.pawl.gate.Gate;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.EntryText;
import dev.pawl.json.Json;
import dev.pawl.key.Place;
import dev.pawl.store.Applied;
import dev.pawl.store.Calling;
import dev.pawl.store.Change;
import dev.pawl.store.Debts;
import dev.pawl.store.FollowUp;
import dev.pawl.store.Gating;
import dev.pawl.store.Leaving;
import dev.pawl.store.Owning;
import dev.pawl.store.Versions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;

/** What a job's owner writes under its fence. Not thread-safe. */
final class JdbcOwners {
    /** What SQL calls a serialization failure: the very same succeeds when it is tried again. */
    private static final String COLLISION = "40001";

    private static final String APPEND_IF_OWNED =
            "insert into pawl.journal (job, change, resubmission, at, kind, place, body)"
                    + " select seq, ?, resubmission, ?, ?, ?, ? from pawl.job where seq = ? and fence = ? and state = RUNNING"
                    + " and cancelling <= ? on conflict do nothing";

    private final Statements sql;
    private final String leave;
    private final JdbcJobs jobs;
    private final JdbcAttempts attempts;
    private final JdbcSubmissions submissions;
    private final JdbcGates gates;
    private final JdbcLedger ledger;

    JdbcOwners(
            Statements sql,
            Dialect dialect,
            JdbcJobs jobs,
            JdbcAttempts attempts,
            JdbcSubmissions submissions,
            JdbcGates gates,
            JdbcLedger ledger) {
        this.sql = sql;
        this.leave =
                "update pawl.job set state = ?, fence = fence + 1, owner = 0, claim = 0, changed = ?, due = ?, result = ?, failure = ?,"
                        + " question = ?, last_change = ?, suspect = case when ? = 1 then 0 else suspect end,"
                        + " strikes = case when ? = 1 then 0 else strikes end, end_number = case when ? = 1 then "
                        + dialect.nextEnded()
                        + " else end_number end, ending = ?, gate = ?, gate_closings = ?, owes = owes + ?"
                        + " where seq = ? and fence = ? and state = RUNNING and owes <= ? returning claim_group";
        this.jobs = jobs;
        this.attempts = attempts;
        this.submissions = submissions;
        this.gates = gates;
        this.ledger = ledger;
    }

    Applied owned(Change.Owned change, Instant now) throws SQLException {
        var facts = new OwnedRow(change);
        if (isInTheWay(change, facts, now)) {
            return whyNot(facts, now);
        }
        if (change instanceof Change.CallIfOwned call) {
            return call(call, facts, now);
        }
        if (change instanceof Change.PassGateIfOwned pass) {
            return holds(change.hold()) ? gates.pass(pass, now) : new Applied.LeaseLost();
        }
        if (change instanceof Change.OfLedger ofLedger) {
            // Whoever asks again is not told of what has become of it since.
            var objection = Owning.objection(change, facts, now);
            var refused = objection == null ? ledger.objection(ofLedger, now) : objection;
            if (refused != null) {
                return refused;
            }
        }
        var left = Leaving.of(change);
        return left == null ? append(facts, now) : leave(facts, left, now);
    }

    /** Whether something may keep the change from being made that the statement which makes it does not look at. */
    private static boolean isInTheWay(Change.Owned change, OwnedRow facts, Instant now) throws SQLException {
        return switch (change) {
            case Change.FinishJob ignored -> facts.inDoubt();
            // Before the first attempt of an effect nothing has happened there.
            case Change.IntendEffectIfOwned intend ->
                (intend.intent().number() > 1
                                && (facts.happened(intend.intent().place())
                                        || facts.inDoubt(intend.intent().place(), now)))
                        || (intend.paysDebt() && facts.owes() == 0)
                        || intend.tooLate(now);
            default -> false;
        };
    }

    private Applied append(OwnedRow facts, Instant now) throws SQLException {
        var change = facts.change;
        var id = change.id();
        for (var entry : change.entries()) {
            if (appendIfOwned(change, id++, now, entry) == 0) {
                return whyNot(facts, now);
            }
            jobs.spending().add(change.job(), now, entry);
        }
        owes(change);
        runsAs(change);
        if (change instanceof Change.IntendEffectIfOwned intend) {
            attempts.openAttempt(intend, now);
        }
        if (change instanceof Change.KeepArtifactIfOwned keep) {
            sql.run(
                    "insert into pawl.artifact (job, resubmission, place, bytes)"
                            + " select seq, resubmission, ?, ? from pawl.job where seq = ?"
                            + " on conflict (job, resubmission, place) do update set bytes = excluded.bytes",
                    keep.artifact().place().toString(),
                    keep.bytes().toArray(),
                    keep.job());
        }
        switch (change) {
            case Change.SendRowsIfOwned send -> ledger.send(send, now);
            case Change.SealPartIfOwned seal -> ledger.seal(seal);
            default -> {}
        }
        return Applied.now();
    }

    private void runsAs(Change.Owned change) throws SQLException {
        var version = Versions.of(change.entries());
        if (version != null) {
            jobs.runsAs(change.job(), version);
        }
    }

    private void owes(Change.Owned change) throws SQLException {
        var more = Debts.more(change.entries());
        if (more != 0) {
            sql.run("update pawl.job set owes = owes + ? where seq = ?", more, change.job());
        }
    }

    private Applied leave(OwnedRow facts, Leaving left, Instant now) throws SQLException {
        var change = facts.change;
        var leaving = left.goesOn() ? left.knowing(meanwhile(change, left)) : left;
        Gate gate = null;
        if (change instanceof Change.WaitAtGateIfOwned wait && holds(change.hold())) {
            gate = gates.wished(wait.wish(), now);
            leaving = leaving.waits() ? Gating.leaving(leaving, gate, now) : leaving;
        }
        var outcome = leaving.outcome();
        var after = leaving.after();
        var clears = leaving.clearsSuspicion() ? 1 : 0;
        var finished = leaving.transition().to().finished();
        var ending = EndingCodes.of(leaving.transition().to(), outcome);
        var more = Debts.more(change.entries());
        runsAs(change);
        var group = sql.one(
                leave,
                row -> row.getLong(1),
                RowMapping.code(leaving.transition().to()),
                now.toEpochMilli(),
                after == null ? null : now.plus(after).toEpochMilli(),
                outcome.result(),
                outcome.failure() == null ? null : Json.write(outcome.failure()),
                outcome.question() == null ? null : Json.write(outcome.question()),
                change.id(),
                clears,
                clears,
                finished ? 1 : 0,
                ending,
                gate != null && leaving.transition() == Transition.WAIT ? gate.name() : null,
                gate == null ? 0 : gate.closings(),
                more,
                change.job(),
                change.hold().fence(),
                Debts.mustBePaidBefore(change, 1) ? -more : Integer.MAX_VALUE);
        if (group == null) {
            return whyNot(facts, now);
        }
        if (ending != null) {
            jobs.tally().add(group, ending, now, 1);
        }
        jobs.append(change.job(), change.id(), now, change.entries());
        var told = finished && jobs.tellCallers(change.job(), now);
        return left.waits() || told ? new Applied.Now(jobs.job(change.job())) : Applied.now();
    }

    private Leaving.Meanwhile meanwhile(Change.Owned change, Leaving left) throws SQLException {
        var question = left.outcome().question();
        var inVain = question != null
                && left.asksAbout(question.place())
                && !attempts.anyOpen(change.job(), question.place());
        var inDoubt = attempts.anyOpen(change.job()) != null;
        return Objects.requireNonNullElseGet(
                sql.one(
                        "select news, cancelling, owes from pawl.job where seq = ?",
                        row -> new Leaving.Meanwhile(
                                row.getInt(1) != 0,
                                row.getInt(2) != 0,
                                inDoubt,
                                inVain,
                                row.getInt(3) + Debts.more(change.entries())),
                        change.job()),
                () -> new Leaving.Meanwhile(false, false, inDoubt, inVain, 0));
    }

    private Applied call(Change.CallIfOwned change, OwnedRow facts, Instant now) throws SQLException {
        var call = change.call();
        var objection = Owning.objection(change, facts, now);
        if (objection != null) {
            return objection instanceof Applied.Already ? new Applied.Already(jobs.find(call.child())) : objection;
        }
        var parent = jobs.job(change.job());
        var child = jobs.find(call.child());
        if (child != null) {
            if (jobs.waitsFor(child.id(), parent.id())) {
                return new Applied.Refused(Calling.circle(parent.identity(), call.child()));
            }
            if (submissions.again(child, call.given()) instanceof Applied.Conflict conflict) {
                return conflict;
            }
        } else {
            child = jobs.insert(call.child(), Calling.inherited(call.given(), parent.given()), 0, 0, now);
            if (child == null) {
                throw new SQLException(call.child() + " was submitted by somebody else just now", COLLISION);
            }
        }
        var caller = new FollowUp.Caller(
                parent.id(),
                parent.standing().resubmission(),
                change.called().place().toString());
        sql.run(
                "insert into pawl.call (child, parent, resubmission, place, detached) values (?, ?, ?, ?, ?) on conflict do nothing",
                child.id(),
                caller.parent(),
                caller.resubmission(),
                caller.place(),
                call.detached() ? 1 : 0);
        jobs.isCalled();
        jobs.append(change.job(), change.id(), now, change.entries());
        owes(change);
        runsAs(change);
        if (child.state().finished()) {
            jobs.tellCaller(child, caller, now);
        }
        return new Applied.Now(child);
    }

    /** Nothing was changed: because it is done already, because it may not be, or because somebody else owns the job. */
    private static Applied whyNot(OwnedRow facts, Instant now) throws SQLException {
        return Objects.requireNonNull(
                Owning.objection(facts.change, facts, now), () -> "nothing keeps " + facts.change + " from being made");
    }

    /** What is known of the job that a change is about: nothing else can change it before this transaction ends. */
    private final class OwnedRow implements Owning.JobFacts<SQLException> {
        private final Change.Owned change;

        OwnedRow(Change.Owned change) {
            this.change = change;
        }

        @Override
        public boolean there() throws SQLException {
            return sql.one("select 1 from pawl.job where seq = ?", row -> true, change.job()) != null;
        }

        @Override
        public boolean done() throws SQLException {
            return sql.one(
                            "select 1 from pawl.job where seq = ? and last_change = ?"
                                    + " union all select 1 from pawl.journal where job = ? and change = ?",
                            row -> true,
                            change.job(),
                            change.id(),
                            change.job(),
                            change.entries().isEmpty() ? Long.MIN_VALUE : change.id())
                    != null;
        }

        @Override
        public boolean held() throws SQLException {
            return holds(change.hold());
        }

        @Override
        public boolean cancelling() throws SQLException {
            return sql.one("select 1 from pawl.job where seq = ? and cancelling <> 0", row -> true, change.job())
                    != null;
        }

        @Override
        public int owes() throws SQLException {
            return Objects.requireNonNullElse(
                    sql.one("select owes from pawl.job where seq = ?", row -> row.getInt(1), change.job()), 0);
        }

        @Override
        public boolean inDoubt() throws SQLException {
            return attempts.anyOpen(change.job()) != null;
        }

        @Override
        public boolean happened(Place place) throws SQLException {
            return attempts.happened(change.job(), place);
        }

        @Override
        public boolean inDoubt(Place place, Instant now) throws SQLException {
            return attempts.inDoubt(change.job(), place, now);
        }
    }

    private int appendIfOwned(Change.Owned change, long id, Instant now, Entry entry) throws SQLException {
        var text = EntryText.of(entry);
        return sql.run(
                APPEND_IF_OWNED,
                id,
                now.toEpochMilli(),
                text.entryCode().code(),
                text.place(),
                text.body(),
                change.job(),
                change.hold().fence(),
                Owning.beginsSomething(change) ? 0 : 1);
    }

    /** Whether {@code hold} is good: nothing else can claim the job before this transaction ends. */
    boolean holds(Change.Hold hold) throws SQLException {
        return sql.one(
                        "select 1 from pawl.job where seq = ? and fence = ? and state = RUNNING",
                        row -> row.getInt(1),
                        hold.job(),
                        hold.fence())
                != null;
    }
}
