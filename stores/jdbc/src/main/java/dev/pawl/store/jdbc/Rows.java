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
    public static final String FROM_JOB = " from job join line on line.id = job.line ";

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

    public static int code(Answering.Status status) {
        return switch (status) {
            case OPEN -> 0;
            case HAPPENED -> 1;
            case DID_NOT_HAPPEN -> 2;
            case WAIVED -> 3;
            case SETTLED -> 4;
        };
    }

    public static JobState state(int code) {
        return STATES[code];
    }

    public static Answering.Status status(int code) {
        return STATUSES[code];
    }

    public static @Nullable Instant instantOrNull(ResultSet row, int column) throws SQLException {
        var millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    public static StoredJob job(ResultSet row) throws SQLException {
        var times = new StoredJob.Times(
                Instant.ofEpochMilli(row.getLong(11)), Instant.ofEpochMilli(row.getLong(12)), instantOrNull(row, 13));
        var standing = new StoredJob.Standing(
                STATES[row.getInt(5)],
                row.getInt(6),
                row.getLong(7),
                row.getLong(8),
                new StoredJob.Suspicion(row.getInt(9) != 0, row.getInt(10)),
                times,
                row.getInt(17) != 0);
        return new StoredJob(
                row.getLong(1),
                new Identity(row.getString(2), Key.decode(row.getString(3))),
                new StoredJob.Given(row.getString(4), handling(row)),
                standing,
                outcome(row));
    }

    private static Handling handling(ResultSet row) throws SQLException {
        var queue = row.getString(18);
        var priority = row.getInt(19);
        var lane = row.getString(20);
        var principal = row.getString(22);
        if (queue.isEmpty() && priority == 0 && lane.isEmpty() && principal.isEmpty()) {
            return Handling.usual();
        }
        return new Handling(
                queue, priority, null, lane.isEmpty() ? null : new Handling.Lane(lane, row.getInt(21)), principal);
    }

    private static StoredJob.Outcome outcome(ResultSet row) throws SQLException {
        var result = row.getString(14);
        var failure = row.getString(15);
        var question = row.getString(16);
        var gate = row.getString(23);
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

    public static Line line(ResultSet row) throws SQLException {
        var text = new EntryText(EntryText.Kind.of(row.getInt(5)), row.getString(6), row.getString(7));
        return new Line(
                row.getLong(1), row.getLong(2), row.getInt(3), Instant.ofEpochMilli(row.getLong(4)), text.entry());
    }
}
