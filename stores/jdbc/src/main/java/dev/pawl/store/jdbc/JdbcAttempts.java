package dev.pawl.store.jdbc;

import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Answering;
import dev.pawl.store.Answering.KnownAttempt;
import dev.pawl.store.Change;
import java.sql.SQLException;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of the attempts of effects: an index beside the journal, so that doubt is found without reading it. Not thread-safe. */
final class JdbcAttempts {

    private final Statements sql;

    JdbcAttempts(Statements sql) {
        this.sql = sql;
    }

    void openAttempt(Change.IntendEffectIfOwned intend, Instant now) throws SQLException {
        var intent = intend.intent();
        var attempt = KnownAttempt.of(intent, now);
        sql.run(
                "insert into pawl.attempt (job, resubmission, place, number, status, intended, remembered)"
                        + " select seq, resubmission, ?, ?, 0, ?, ? from pawl.job where seq = ?",
                intent.place().toString(),
                intent.number(),
                attempt.intended().toEpochMilli(),
                attempt.rememberedUntil().toEpochMilli(),
                intend.job());
    }

    boolean happened(long job, Place place) throws SQLException {
        return sql.one(
                        "select 1 from pawl.attempt a join pawl.job j on j.seq = a.job and j.resubmission = a.resubmission"
                                + " where a.job = ? and a.place = ? and a.status = HAPPENED",
                        row -> true,
                        job,
                        place.toString())
                != null;
    }

    /** Whether an attempt of the effect at {@code place} is open, in the current run of the job, that its destination does not remember. */
    boolean inDoubt(long job, Place place, Instant now) throws SQLException {
        return sql.one(
                        "select 1 from pawl.attempt a join pawl.job j on j.seq = a.job and j.resubmission = a.resubmission"
                                + " where a.job = ? and a.place = ? and a.status = OPEN and a.remembered <= ? limit 1",
                        row -> true,
                        job,
                        place.toString(),
                        now.toEpochMilli())
                != null;
    }

    @Nullable
    Place anyOpen(long job) throws SQLException {
        return sql.one(
                "select place from pawl.attempt where job = ? and status = OPEN limit 1",
                row -> Place.parse(row.getString(1)),
                job);
    }

    /** Whether an attempt of the effect at {@code place} is open, in the current run of the job. */
    boolean anyOpen(long job, Place place) throws SQLException {
        return sql.one(
                        "select 1 from pawl.attempt a join pawl.job j on j.seq = a.job and j.resubmission = a.resubmission"
                                + " where a.job = ? and a.place = ? and a.status = OPEN limit 1",
                        row -> row.getInt(1),
                        job,
                        place.toString())
                != null;
    }

    /** All attempts of an effect, by number. */
    SortedMap<Integer, KnownAttempt> of(long job, int resubmission, Place place) throws SQLException {
        var attempts = new TreeMap<Integer, KnownAttempt>();
        sql.each(
                "select number, status, intended, remembered from pawl.attempt where job = ? and resubmission = ? and place = ?",
                row -> attempts.put(
                        row.getInt(1),
                        new KnownAttempt(
                                RowMapping.status(row.getInt(2)),
                                Instant.ofEpochMilli(row.getLong(3)),
                                Instant.ofEpochMilli(row.getLong(4)))),
                job,
                resubmission,
                place.toString());
        return attempts;
    }

    /** What only a person's word had put aside is in doubt again. */
    void unwaive(StoredJob job, Place place) throws SQLException {
        sql.run(
                "update pawl.attempt set status = ? where job = ? and resubmission = ? and place = ? and status = ?",
                RowMapping.code(Answering.Status.OPEN),
                job.id(),
                job.standing().resubmission(),
                place.toString(),
                RowMapping.code(Answering.Status.WAIVED));
    }

    void setStatus(long job, Change.AttemptRef attempt, Answering.Status status) throws SQLException {
        sql.run(
                "update pawl.attempt set status = ? where job = ? and resubmission = ? and place = ? and number = ?",
                RowMapping.code(status),
                job,
                attempt.resubmission(),
                attempt.place().toString(),
                attempt.number());
        if (status == Answering.Status.HAPPENED) {
            sql.run(
                    "update pawl.attempt set status = ? where job = ? and resubmission = ? and place = ? and status = OPEN",
                    RowMapping.code(Answering.Status.SETTLED),
                    job,
                    attempt.resubmission(),
                    attempt.place().toString());
        }
    }
}
