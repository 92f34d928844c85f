package dev.pawl.store;

import dev.pawl.job.Transition;
import dev.pawl.store.StoredJob.Outcome;
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
            case Change.ReleaseJob c ->
                new Leaving(
                        switch (c.until()) {
                            case TRY_LATER -> Transition.TRY_LATER;
                            case HAND_BACK -> Transition.HAND_BACK;
                            case WAIT -> Transition.WAIT;
                        },
                        Outcome.NONE,
                        c.after());
            case Change.Ask c -> new Leaving(Transition.ASK, new Outcome(null, null, c.question()), null);
            case Change.FinishJob c ->
                switch (c.ending()) {
                    case Change.FinishJob.Ending.Done done ->
                        new Leaving(Transition.FINISH, new Outcome(done.result(), null, null), null);
                    case Change.FinishJob.Ending.Failed failed ->
                        new Leaving(Transition.FAIL, new Outcome(null, failed.why(), null), null);
                };
        };
    }

    /** Whether what is held against the job is forgotten. Handing back counts against no one, and for no one. */
    public boolean clearsSuspicion() {
        return transition != Transition.HAND_BACK;
    }

    /** {@code job} as it stands after this. */
    public StoredJob applied(StoredJob job, Instant now) {
        var before = job.standing();
        var standing = new StoredJob.Standing(
                transition.to(),
                before.resubmission(),
                before.fence() + 1,
                0,
                clearsSuspicion() ? StoredJob.Suspicion.NONE : before.suspicion(),
                new StoredJob.Times(before.times().created(), now, after == null ? null : now.plus(after)));
        return new StoredJob(job.id(), job.identity(), job.input(), standing, outcome);
    }
}
