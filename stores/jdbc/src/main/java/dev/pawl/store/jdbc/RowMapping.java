package dev.pawl.store.jdbc;

import dev.pawl.decision.Question;
import dev.pawl.failure.FailedAt;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.JournalLine;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import dev.pawl.look.Tombstone;
import dev.pawl.store.Answering;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows as values, and values as columns. The numbers are for ever. */
public final class RowMapping {

    /** What {@link #job} reads. */
    public static final String JOB =
            JobColumn.read() + ", claim_group.queue, claim_group.on_behalf_of, claim_group.version";

    /** What {@link #job} reads of a job that stands in a list. */
    static final String SUMMARY = JobColumn.summary(Tombstone.hash(""))
            + ", claim_group.queue, claim_group.on_behalf_of, claim_group.version";

    // Where each column stands among those that are read.
    private static final int CANCELLING = JobColumn.CANCELLING.at();
    private static final int OWES = JobColumn.OWES.at();
    private static final int CHANGED = JobColumn.CHANGED.at();
    private static final int CREATED = JobColumn.CREATED.at();
    private static final int DUE = JobColumn.DUE.at();
    private static final int FAILURE = JobColumn.FAILURE.at();
    private static final int FENCE = JobColumn.FENCE.at();
    private static final int GATE = JobColumn.GATE.at();
    private static final int INPUT = JobColumn.INPUT.at();
    private static final int KEY = JobColumn.KEY.at();
    private static final int LANE = JobColumn.LANE.at();
    private static final int LANE_MOST = JobColumn.LANE_MOST.at();
    private static final int OWNER = JobColumn.OWNER.at();
    private static final int PRIORITY = JobColumn.PRIORITY.at();
    private static final int QUESTION = JobColumn.QUESTION.at();
    private static final int RESUBMISSION = JobColumn.RESUBMISSION.at();
    private static final int RESULT = JobColumn.RESULT.at();
    private static final int SEQ = JobColumn.SEQ.at();
    private static final int STATE = JobColumn.STATE.at();
    private static final int STRIKES = JobColumn.STRIKES.at();
    private static final int SUSPECT = JobColumn.SUSPECT.at();
    private static final int TRACEPARENT = JobColumn.TRACEPARENT.at();
    private static final int WORKFLOW = JobColumn.WORKFLOW.at();
    private static final int QUEUE = JobColumn.manyRead() + 1;
    private static final int PRINCIPAL = JobColumn.manyRead() + 2;
    private static final int VERSION = JobColumn.manyRead() + 3;

    /** The first column behind those of {@link #JOB}. */
    static final int BEHIND_JOB = VERSION + 1;

    /** Where {@link #JOB} is read from. */
    public static final String FROM_JOB = " from pawl.job join pawl.claim_group on claim_group.id = job.claim_group ";

    /** Finds a job by its identity, which is the one parameter. */
    static String byIdentity(Dialect dialect) {
        return "select " + JOB + " from " + dialect.jobsByIdentity()
                + " join pawl.claim_group on claim_group.id = job.claim_group where identity = ?";
    }

    /** The columns that {@link #line} reads. */
    public static final String LINE = "seq, change, resubmission, at, kind, place, body";

    /** Which lines a run that replays the journal is given, see {@link JournalLine#isReplayed}. */
    public static final String REPLAYED =
            "kind not in (" + EntryText.EntryCode.LOGGED.code() + ", " + EntryText.EntryCode.THREW.code() + ")";

    static final ColumnCodes<JobState> STATES = ColumnCodes.of(
            JobState.class,
            List.of(
                    JobState.READY,
                    JobState.RUNNING,
                    JobState.WAITING,
                    JobState.PAUSED,
                    JobState.DONE,
                    JobState.FAILED,
                    JobState.CANCELLED));
    static final ColumnCodes<Answering.Status> STATUSES = ColumnCodes.of(
            Answering.Status.class,
            List.of(
                    Answering.Status.OPEN,
                    Answering.Status.HAPPENED,
                    Answering.Status.DID_NOT_HAPPEN,
                    Answering.Status.WAIVED,
                    Answering.Status.SETTLED));

    private RowMapping() {}

    /** The number of a state. */
    public static int code(JobState state) {
        return STATES.code(state);
    }

    /** The number of a status. */
    public static int code(Answering.Status status) {
        return STATUSES.code(status);
    }

    /** The state with this number. */
    public static JobState state(int code) {
        return STATES.constant(code);
    }

    /** The status with this number. */
    public static Answering.Status status(int code) {
        return STATUSES.constant(code);
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
                Instant.ofEpochMilli(row.getLong(at + CREATED)),
                Instant.ofEpochMilli(row.getLong(at + CHANGED)),
                instantOrNull(row, at + DUE));
        var standing = new StoredJob.Standing(
                state(row.getInt(at + STATE)),
                row.getInt(at + RESUBMISSION),
                row.getLong(at + FENCE),
                row.getLong(at + OWNER),
                new StoredJob.Suspicion(row.getInt(at + SUSPECT) != 0, row.getInt(at + STRIKES)),
                times,
                row.getInt(at + CANCELLING) != 0,
                row.getInt(at + OWES));
        return new StoredJob(
                row.getLong(at + SEQ),
                new Identity(row.getString(at + WORKFLOW), Key.decode(row.getString(at + KEY))),
                new StoredJob.Given(row.getString(at + INPUT), handling(row, at)),
                standing,
                outcome(row, at));
    }

    private static Handling handling(ResultSet row, int at) throws SQLException {
        var queue = row.getString(at + QUEUE);
        var priority = row.getInt(at + PRIORITY);
        var lane = row.getString(at + LANE);
        var principal = row.getString(at + PRINCIPAL);
        var traceparent = row.getString(at + TRACEPARENT);
        var version = row.getString(at + VERSION);
        if (queue.isEmpty()
                && priority == 0
                && lane.isEmpty()
                && principal.isEmpty()
                && traceparent == null
                && version.isEmpty()) {
            return Handling.usual();
        }
        return new Handling(
                queue,
                priority,
                null,
                lane.isEmpty() ? null : new Handling.Lane(lane, row.getInt(at + LANE_MOST)),
                principal,
                traceparent,
                version);
    }

    private static StoredJob.Outcome outcome(ResultSet row, int at) throws SQLException {
        var result = row.getString(at + RESULT);
        var failure = row.getString(at + FAILURE);
        var question = row.getString(at + QUESTION);
        var gate = row.getString(at + GATE);
        if (gate != null) {
            return StoredJob.Outcome.at(gate);
        }
        if (result == null && failure == null && question == null) {
            return StoredJob.Outcome.NONE;
        }
        return new StoredJob.Outcome(
                result,
                failure == null ? null : Json.read(failure, FailedAt.class),
                question == null ? null : Json.read(question, Question.class));
    }

    /** The line of a journal in the first columns of {@code row}. */
    public static JournalLine line(ResultSet row) throws SQLException {
        return line(row, 0);
    }

    /** The line of a journal in the columns after the first {@code at}. */
    public static JournalLine line(ResultSet row, int at) throws SQLException {
        var text =
                new EntryText(EntryText.EntryCode.of(row.getInt(at + 5)), row.getString(at + 6), row.getString(at + 7));
        return new JournalLine(
                row.getLong(at + 1),
                row.getLong(at + 2),
                row.getInt(at + 3),
                Instant.ofEpochMilli(row.getLong(at + 4)),
                text.entry());
    }
}
