package dev.pawl.store;

import dev.pawl.job.Transition;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.look.StoredJob.Outcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How an owner's change takes a job out of its hands. Pure.
 *
 * @param transition where it goes
 * @param outcome what it ended with, or what it asks
 * @param after when it may be claimed again, from now; null when it may not
 */
public record Leaving(
        Transition transition, Outcome outcome, @Nullable Duration after) {
    /** How {@code change} ends its owner's hold; null when the owner keeps the job. */
    public static @Nullable Leaving of(Change.Owned change) {
        return switch (change) {
            case Change.RecordStepIfOwned c -> null;
            case Change.IntendEffectIfOwned c -> null;
            case Change.CallIfOwned c -> null;
            case Change.KeepArtifactIfOwned c -> null;
            case Change.PassGateIfOwned c -> null;
            case Change.SendRowsIfOwned c -> null;
            case Change.SealPartIfOwned c -> null;
            case Change.WaitAtGateIfOwned c -> new Leaving(Transition.WAIT, Outcome.NONE, c.after());
            case Change.ReleaseJob c ->
                new Leaving(
                        switch (c.until()) {
                            case TRY_LATER -> Transition.TRY_LATER;
                            case HAND_BACK -> Transition.HAND_BACK;
                            case WAIT -> Transition.WAIT;
                        },
                        Outcome.NONE,
                        c.after());
            case Change.Ask c -> new Leaving(Transition.ASK, new Outcome(null, null, c.question()), c.after());
            case Change.FinishJob c ->
                switch (c.ending()) {
                    case Change.FinishJob.FinalState.Done done ->
                        new Leaving(Transition.FINISH, new Outcome(done.result(), null, null), null);
                    case Change.FinishJob.FinalState.Failed failed ->
                        new Leaving(Transition.FAIL, new Outcome(null, failed.why(), null), null);
                    case Change.FinishJob.FinalState.CalledOff ignored ->
                        new Leaving(Transition.CANCEL, Outcome.NONE, null);
                };
        };
    }

    /**
     * What happened while the job ran that its owner did not know of.
     *
     * @param news a message or a decision came
     * @param cancelling it was called off, perhaps before it was claimed
     * @param inDoubt an attempt of some effect is open
     * @param asksInVain an answer came to what it asks
     * @param owes how many things go on elsewhere whose end it owes
     */
    public record Meanwhile(boolean news, boolean cancelling, boolean inDoubt, boolean asksInVain, int owes) {}

    /**
     * The same, given what the owner did not know: a job that was called off ends, unless it is in doubt or owes; one that would wait, or was called off,
     * comes back at once when something has arrived that it did not know of.
     */
    public Leaving knowing(Meanwhile meanwhile) {
        if (meanwhile.cancelling() && !meanwhile.inDoubt() && meanwhile.owes() == 0) {
            return new Leaving(Transition.CANCEL, Outcome.NONE, null);
        }
        var comesBack = meanwhile.asksInVain() || (meanwhile.news() && (waits() || meanwhile.cancelling()));
        return comesBack ? new Leaving(Transition.COME_BACK, Outcome.NONE, Duration.ZERO) : this;
    }

    /** Whether an answer to the attempts at {@code place} would make its question moot. */
    public boolean asksAbout(Place place) {
        var question = outcome.question();
        return question != null
                && question.kind().closedByAnswer()
                && question.place().equals(place);
    }

    /** Whether the job is not finished by this, so that what happened meanwhile matters. */
    public boolean goesOn() {
        return !transition.to().finished();
    }

    /** Whether it leaves to wait for something that may have arrived meanwhile. */
    public boolean waits() {
        return transition == Transition.WAIT || transition == Transition.ASK;
    }

    /** Whether what is held against the job is forgotten. Handing back counts against no one, and for no one. */
    public boolean clearsSuspicion() {
        return transition != Transition.HAND_BACK;
    }

    /**
     * {@code job} as it stands after this.
     *
     * @param more how many more things it owes than before
     */
    public StoredJob applied(StoredJob job, int more, Instant now) {
        var before = job.standing();
        var standing = new StoredJob.Standing(
                transition.to(),
                before.resubmission(),
                before.fence() + 1,
                0,
                clearsSuspicion() ? StoredJob.Suspicion.NONE : before.suspicion(),
                new StoredJob.Times(before.times().created(), now, after == null ? null : now.plus(after)),
                before.cancelling() && !transition.to().finished(),
                before.owes() + more);
        return new StoredJob(job.id(), job.identity(), job.given(), standing, outcome);
    }
}
