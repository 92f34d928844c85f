package dev.pawl.look;

import dev.pawl.job.JobState;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.list.Cursor;

/**
 * Something that happened to a job, as the store knows it. Claims leave no trace of their own, nor does a wait that goes on for the same reason; everything else does. Of a job that ended and
 * was reopened before anybody looked, the reopening is told and not the ending.
 *
 * @param cursor where to go on after this: what comes behind it is never missed and never told twice, whatever clocks say
 * @param job the job's number
 * @param identity which job
 * @param what happened
 */
public record Occurrence(Cursor cursor, long job, Identity identity, What what) {
    /** What happened. */
    public sealed interface What {
        /** The job was submitted. */
        record Submitted() implements What {}

        /** Something was recorded about it. */
        record Recorded(JournalLine line) implements What {}

        /** It ended. */
        record Ended(JobState state) implements What {}
    }
}
