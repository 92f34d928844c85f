package dev.pawl.store;

import dev.pawl.journal.Approval;
import dev.pawl.key.Place;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What an owner's change meets, in the same order in every store. Pure. */
public final class Owning {
    private Owning() {}

    /**
     * What a store knows of the job that a change is about; each is asked only when it matters.
     *
     * @param <X> what a look at the store may throw
     */
    public interface JobFacts<X extends Exception> {
        /** Whether there is such a job. */
        boolean there() throws X;

        /** Whether this very change was made before. */
        boolean done() throws X;

        /** Whether the job runs, under the fence that the change carries. */
        boolean held() throws X;

        /** Whether a person called it off. */
        boolean cancelling() throws X;

        /** How many things go on elsewhere whose end it owes. */
        int owes() throws X;

        /** Whether an attempt of one of its effects may have happened, and nobody knows. */
        boolean inDoubt() throws X;

        /** Whether an attempt of the effect at {@code place} has happened, in the current run. */
        boolean happened(Place place) throws X;

        /** Whether an attempt of the effect at {@code place} is open, in the current run, that its destination does not remember at {@code now}. */
        boolean inDoubt(Place place, Instant now) throws X;
    }

    /** Whether a change begins something outside that a job which was called off begins no more. */
    public static boolean beginsSomething(Change.Owned change) {
        return (change instanceof Change.IntendEffectIfOwned intend && !intend.paysDebt())
                || change instanceof Change.CallIfOwned
                || change instanceof Change.SendRowsIfOwned;
    }

    /**
     * Why a change is not made: it was made before, somebody else owns the job, or what it wants may not be. Null when it is to be made. What has happened
     * comes before an approval that has expired: nobody needs a yes to what is done.
     */
    public static <X extends Exception> @Nullable Applied objection(Change.Owned change, JobFacts<X> facts, Instant now)
            throws X {
        if (!facts.there()) {
            return new Applied.Refused("there is no job " + change.job());
        }
        var intends = change instanceof Change.IntendEffectIfOwned;
        if (facts.done()) {
            // Who acts on an intent must own the job still, also when the intent itself is recorded.
            return intends && !facts.held() ? new Applied.LeaseLost() : Applied.already();
        }
        if (!facts.held()) {
            return new Applied.LeaseLost();
        }
        if (change instanceof Change.FinishJob && facts.inDoubt()) {
            return new Applied.Conflict("job " + change.job() + " is in doubt and cannot finish", null);
        }
        if (change instanceof Change.FinishJob
                && Debts.mustBePaidBefore(change, facts.owes() + Debts.more(change.entries()))) {
            return new Applied.Conflict(
                    "job " + change.job() + " began something that goes on elsewhere, and ends it first", null);
        }
        if (change instanceof Change.IntendEffectIfOwned intend) {
            if (facts.happened(intend.intent().place())) {
                return new Applied.Conflict("an earlier attempt has happened", null);
            }
            if (facts.inDoubt(intend.intent().place(), now)) {
                // It was taken for not happened, and its worker has said since that it may have been sent late.
                return new Applied.Conflict("an earlier attempt is in doubt again", null);
            }
            if (intend.paysDebt() && facts.owes() == 0) {
                return new Applied.Refused("job " + change.job() + " owes nothing");
            }
            if (intend.tooLate(now)) {
                return new Applied.Refused(Approval.EXPIRED);
            }
        }
        return beginsSomething(change) && facts.cancelling() ? new Applied.CalledOff() : null;
    }
}
