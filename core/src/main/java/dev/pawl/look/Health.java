package dev.pawl.look;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a process stands, for whoever watches it: made to be asked for every few seconds.
 *
 * @param works whether it runs jobs
 * @param beats whether its worker has beaten lately, so that its jobs are left to it; false when it does not work
 * @param sinceBeat how long ago that was; null when it never has
 * @param storeTrouble why the store does not answer; null when it does
 * @param dueFor how long the job has waited that has been due for longest; null when none is due, and when the store does not answer
 * @param running how many jobs run here
 * @param overdue how many steps and effects go on here past their time, although they were interrupted
 */
public record Health(
        boolean works,
        boolean beats,
        @Nullable Duration sinceBeat,
        @Nullable String storeTrouble,
        @Nullable Duration dueFor,
        int running,
        int overdue) {

    /** Whether the store answers. */
    public boolean storeAnswers() {
        return storeTrouble == null;
    }

    /** Whether it can do what it is there for: the store answers, and if it works, it beats. */
    public boolean isWell() {
        return storeAnswers() && (beats || !works);
    }
}
