package dev.pawl.event;

import org.jspecify.annotations.Nullable;

/**
 * Hears of every attempt that is made in this process, and of every run of a job: what traces, metrics and progress are made of. What is only replayed it never hears of.
 *
 * <p>It is called on the thread that makes the attempt, right before its code and right after, so that it may put something there for the code to find. It must not block; what it throws is
 * nobody's. It changes nothing and hinders nothing.
 */
public interface AttemptListener {

    /** An attempt begins. What is returned hears how it ends, on the same thread. */
    AttemptEnd begins(BegunAttempt attempt);

    /** A run of a job begins. What is returned hears how it ends, on the same thread. */
    default RunEnd begins(RunOfJob run) {
        return how -> {};
    }

    /** Another thread of a run begins to run user code: an item of a fan-out. What is returned is run when that is over, on the same thread. */
    default Runnable joins(RunOfJob run) {
        return () -> {};
    }

    /** Hears how one attempt ends. */
    @FunctionalInterface
    interface AttemptEnd {
        /** It has ended so. */
        void ended(EndedAttempt ended);
    }

    /** Hears how one run ends. */
    @FunctionalInterface
    interface RunEnd {
        /** It has ended with an event of this kind: {@link EventKind#DONE}, {@link EventKind#ASKS}, {@link EventKind#WAIT}, … */
        void ended(EventKind how);

        /**
         * What this run is called in traces ({@code 00-…-…-01}, W3C trace context), asked for once as it begins. It is kept with the job, so that the next run can be linked to it, wherever
         * that is ({@link RunOfJob#before}); null for nothing.
         */
        default @Nullable String traceparent() {
            return null;
        }
    }
}
