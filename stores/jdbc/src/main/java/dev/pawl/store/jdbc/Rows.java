package dev.pawl.store.jdbc;

import dev.pawl.decision.Question;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.Line;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.store.Answering;
import dev.pawl.store.Change;
import dev.pawl.store.StoredJob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Rows as values, and values as columns. The numbers are for ever. */
public final class Rows {

    /** The columns that {@link #job} reads. */
    public static final String JOB =
            "seq, job.workflow, key, input, state, resubmission, fence, owner, suspect, strikes, created, changed, due,"
                    + " result, failure, question, cancelling, queue, priority, lane, lane_most, principal, gate";

    /** Where {@link #JOB} is read from. */
    public static final String FROM_JOB = " from pawl.job join pawl.line on line.id = job.line ";

    /** Finds a job by its identity, which is the one parameter. */
    static String byIdentity(Dialect dialect) {
        return "select " + JOB + " from " + dialect.jobsByIdentity()
                + " join pawl.line on line.id = job.line where identity = ?";
    }

    /** The columns that {@link #line} reads. */
    public static final String LINE = "seq, change, resubmission, at, kind, place, body";

    private static final JobState[] STATES = {
        JobState.READY,
        JobState.RUNNING,
        JobState.WAITING,
        JobState.PAUSED,
        JobState.DONE,
        JobState.FAILED,
        JobState.CANCELLED
    };
    private static final Answering.Status[] STATUSES = {
        Answering.Status.OPEN,
        Answering.Status.HAPPENED,
        Answering.Status.DID_NOT_HAPPEN,
        Answering.Status.WAIVED,
        Answering.Status.SETTLED
    };

    private Rows() {}

    /** The number of a state. */
    public static int code(JobState state) {
        return switch (state) {
            case READY -> 0;
            case RUNNING -> 1;
            case WAITING -> 2;
            case PAUSED -> 3;
            case DONE -> 4;
            case FAILED -> 5;
            case CANCELLED -> 6;
        };
    }

    /** The number of a status. */
    public static int code(Answering.Status status) {
        return switch (status) {
            case OPEN -> 0;
            case HAPPENED -> 1;
            case DID_NOT_HAPPEN -> 2;
            case WAIVED -> 3;
            case SETTLED -> 4;
        };
    }

    /** The state with this number. */
    public static JobState state(int code) {
        return STATES[code];
    }

    /** The status with this number. */
    public static Answering.Status status(int code) {
        return STATUSES[code];
    }

    /** A time in milliseconds; null when there is none. */
    public static @Nullable Instant instantOrNull(ResultSet row, int column) throws SQLException {
        var millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    /** The job in the first columns of {@code row}. */
    public static StoredJob job(ResultSet row) throws SQLException {
        return job(row, 0);
    }

    /** The job in the columns after the first {@code at}. */
    public static StoredJob job(ResultSet row, int at) throws SQLException {
        var times = new StoredJob.Times(
                Instant.ofEpochMilli(row.getLong(at + 11)),
                Instant.ofEpochMilli(row.getLong(at + 12)),
                instantOrNull(row, at + 13));
        var standing = new StoredJob.Standing(
                STATES[row.getInt(at + 5)],
                row.getInt(at + 6),
                row.getLong(at + 7),
                row.getLong(at + 8),
                new StoredJob.Suspicion(row.getInt(at + 9) != 0, row.getInt(at + 10)),
                times,
                row.getInt(at + 17) != 0);
        return new StoredJob(
                row.getLong(at + 1),
                new Identity(row.getString(at + 2), Key.decode(row.getString(at + 3))),
                new StoredJob.Given(row.getString(at + 4), handling(row, at)),
                standing,
                outcome(row, at));
    }

    private static Handling handling(ResultSet row, int at) throws SQLException {
        var queue = row.getString(at + 18);
        var priority = row.getInt(at + 19);
        var lane = row.getString(at + 20);
        var principal = row.getString(at + 22);
        if (queue.isEmpty() && priority == 0 && lane.isEmpty() && principal.isEmpty()) {
            return Handling.usual();
        }
        return new Handling(
                queue, priority, null, lane.isEmpty() ? null : new Handling.Lane(lane, row.getInt(at + 21)), principal);
    }

    private static StoredJob.Outcome outcome(ResultSet row, int at) throws SQLException {
        var result = row.getString(at + 14);
        var failure = row.getString(at + 15);
        var question = row.getString(at + 16);
        var gate = row.getString(at + 23);
        if (gate != null) {
            return StoredJob.Outcome.at(gate);
        }
        if (result == null && failure == null && question == null) {
            return StoredJob.Outcome.NONE;
        }
        return new StoredJob.Outcome(
                result,
                failure == null ? null : Json.read(failure, Change.FailedAt.class),
                question == null ? null : Json.read(question, Question.class));
    }

    /** The line of a journal in the first columns of {@code row}. */
    public static Line line(ResultSet row) throws SQLException {
        return line(row, 0);
    }

    /** The line of a journal in the columns after the first {@code at}. */
    public static Line line(ResultSet row, int at) throws SQLException {
        var text = new EntryText(EntryText.Kind.of(row.getInt(at + 5)), row.getString(at + 6), row.getString(at + 7));
        return new Line(
                row.getLong(at + 1),
                row.getLong(at + 2),
                row.getInt(at + 3),
                Instant.ofEpochMilli(row.getLong(at + 4)),
                text.entry());
    }
}
