package dev.pawl.store;

import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import dev.pawl.look.JobSummary;
import java.util.Comparator;

/**
 * Where a job stands in lists: by when it came into its state, and of those of one moment by its number.
 *
 * @param changed when it came into its state, in milliseconds
 * @param id its number
 */
public record JobPosition(long changed, long id) implements Comparable<JobPosition> {
    private static final Comparator<JobPosition> ORDER =
            Comparator.comparingLong(JobPosition::changed).thenComparingLong(JobPosition::id);

    /** Before or behind all jobs, from where a list begins. */
    public static JobPosition start(boolean newestFirst) {
        return newestFirst
                ? new JobPosition(Long.MAX_VALUE, Long.MAX_VALUE)
                : new JobPosition(Long.MIN_VALUE, Long.MIN_VALUE);
    }

    /** The position of a job. */
    public static JobPosition of(JobSummary job) {
        return new JobPosition(job.standing().times().changed().toEpochMilli(), job.id());
    }

    /** Where this part of a list begins: behind this position. */
    public static JobPosition before(ListPart part) {
        if (part.behind().isStart()) {
            return start(part.newestFirst());
        }
        var numbers = part.behind().numbers(2);
        return new JobPosition(numbers[0], numbers[1]);
    }

    /** For somebody who goes on behind it. */
    public Cursor cursor() {
        return Cursor.of(changed, id);
    }

    /** The order of a list. */
    public static Comparator<JobPosition> order(boolean newestFirst) {
        return newestFirst ? ORDER.reversed() : ORDER;
    }

    @Override
    public int compareTo(JobPosition position) {
        return ORDER.compare(this, position);
    }
}
