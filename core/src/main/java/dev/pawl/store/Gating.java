package dev.pawl.store;

import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.look.StoredJob;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What becomes of a gate when jobs come to it, and when somebody opens it. Pure. */
public final class Gating {
    private Gating() {}

    /**
     * The gate after a job's wish to wait there; null when the gate is open and stays so: the job only meant to join, or its reason is older
     * than the gate's last opening.
     */
    public static @Nullable Gate wished(@Nullable Gate gate, Gate.Wish wish, Instant now) {
        if (gate != null && gate.closedAt(now)) {
            return gate;
        }
        var reason = wish.reason();
        if (reason == null) {
            return null;
        }
        var seen = reason.seen();
        var stale = seen != null && gate != null && gate.closings() > seen;
        var until = reason.until();
        if (stale || (until != null && !now.isBefore(until))) {
            return null;
        }
        var closing = new Gate.Closing(reason.why(), now, until);
        return gate == null
                ? Gate.closed(wish.name(), reason.cause(), closing)
                : gate.closedAgain(reason.cause(), closing);
    }

    /** How a job leaves that comes to {@code gate}: at once back when it is open, else until it opens. */
    public static Leaving leaving(Leaving left, @Nullable Gate gate, Instant now) {
        var closing = gate == null ? null : gate.closing();
        if (closing == null) {
            return new Leaving(dev.pawl.job.Transition.COME_BACK, StoredJob.Outcome.NONE, Duration.ZERO);
        }
        var opens = closing.until() == null ? null : Duration.between(now, closing.until());
        var after = left.after();
        var sooner = after == null || (opens != null && opens.compareTo(after) < 0) ? opens : after;
        return new Leaving(left.transition(), left.outcome(), sooner);
    }

    /** Why {@code gate} cannot be opened like this; null when it can. */
    public static @Nullable Applied objection(@Nullable Gate gate, Change.OpenGate open) {
        if (gate == null) {
            return new Applied.Refused("there is no gate " + open.gate() + "; \"pawl gates\" lists them");
        }
        if (gate.closings() != open.closings()) {
            return new Applied.Conflict(
                    "gate " + open.gate() + " has closed again since; look at it again before you open it", null);
        }
        return gate.closing() == null ? Applied.already() : null;
    }

    /** The gate after it was opened; a person's word allows more. */
    public static Gate opened(Gate gate, Change.OpenGate open, Instant now) {
        var closing = gate.closing();
        var daily = closing != null && closing.until() != null;
        var audit = open.audit();
        return audit == null ? gate.open() : gate.openedBy(audit, now, daily);
    }

    /**
     * The attempts that a rate has allowed in its current stretch of time.
     *
     * @param since when the stretch began
     * @param taken how many were taken
     */
    public record Passed(Instant since, int taken) {
        /** Transactions take their time before they wait for each other: one that comes a little later may have been begun before the stretch. */
        private static final Duration LATE = Duration.ofSeconds(10);

        /**
         * Takes one more, if {@code rate} allows it now; null when it does not. A moment long before the stretch means that the clock was set back, and begins another
         * stretch; one shortly before belongs to it.
         */
        public @Nullable Passed more(Rate rate, Instant now) {
            var late = rate.per().compareTo(LATE) > 0 ? rate.per() : LATE;
            if (!now.isBefore(since.plus(rate.per())) || now.isBefore(since.minus(late))) {
                return new Passed(now, 1);
            }
            return taken < rate.most() ? new Passed(since, taken + 1) : null;
        }

        /** How long until the next one. */
        public Duration left(Rate rate, Instant now) {
            return Duration.between(now, since.plus(rate.per()));
        }
    }
}
