package dev.pawl.store;

import dev.pawl.job.JobState;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import java.util.regex.Pattern;

/**
 * Something that happened to a job, as the store knows it. Claims leave no trace of their own; everything else does. Of a job that ended and
 * was reopened before anybody looked, the reopening is told and not the ending.
 *
 * @param cursor where to go on after this
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

    /**
     * How far somebody has read. What comes after it is never missed and never told twice, whatever clocks say.
     *
     * @param submitted the last submission
     * @param recorded the last entry of any journal
     * @param ended the last ending
     */
    public record Cursor(long submitted, long recorded, long ended) {
        private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\.(\\d{1,18})\\.(\\d{1,18})");

        /** Before everything. */
        public static final Cursor START = new Cursor(0, 0, 0);

        /** After everything that there will ever be. */
        public static final Cursor END = new Cursor(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

        /** The cursor that {@link #toString()} wrote. */
        public static Cursor parse(String text) {
            var parts = TEXT.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" is no cursor; use one that was given with an event");
            }
            return new Cursor(
                    Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)), Long.parseLong(parts.group(3)));
        }

        @Override
        public String toString() {
            return submitted + "." + recorded + "." + ended;
        }
    }
}
