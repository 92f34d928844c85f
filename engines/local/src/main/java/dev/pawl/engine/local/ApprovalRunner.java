package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Fingerprint;
import dev.pawl.effect.RequestText;
import dev.pawl.job.Named;
import dev.pawl.job.StepFailed;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.key.Place;
import dev.pawl.retry.Failure;
import dev.pawl.retry.FailureClass;
import dev.pawl.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a person for a yes to one effect with one request. The yes is kept at the effect's own place: it is for that effect key and that
 * fingerprint, it expires, and the first attempt that may have reached the world uses it up.
 */
final class ApprovalRunner {
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Scope run;

    ApprovalRunner(Scope run) {
        this.run = run;
    }

    <R> void approve(Named effect, R request, String question, Duration expires) {
        if (!expires.isPositive() || expires.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "an approval expires within a year, not after " + Durations.text(expires));
        }
        var today = run.meetApproval(effect);
        var fingerprint = Fingerprint.of(request);
        var wanted = new Wanted(fingerprint, request, question, expires);
        run.wantsApproval(today, wanted);
        var history = run.recall(effect, today);
        var place = history == null ? today : history.place();
        if (history != null && (history.known() != null || history.inDoubt())) {
            refuseIfDenied(history);
            return;
        }
        require(history, place, wanted);
    }

    /** What is to be approved. */
    record Wanted(Fingerprint fingerprint, Object request, String question, Duration expires) {}

    /** Until when there is a yes that is good for one more attempt with this request; when there is none, asks or fails. */
    Instant require(@Nullable PlaceHistory history, Place place, Wanted wanted) {
        var approval = history == null ? null : history.approval();
        var now = run.pen().storeNow();
        if (approval != null && approval.covers(wanted.fingerprint(), now)) {
            return approval.until();
        }
        if (approval != null && approval.awaited(wanted.fingerprint(), now)) {
            throw run.park(asks(place, wanted, List.of(), Duration.between(now, approval.until())));
        }
        if (approval != null && !approval.given() && wanted.fingerprint().is(approval.fingerprint())) {
            var late = Failure.of(FailureClass.PERMANENT, "not-approved", "nobody approved it in time");
            run.record(new Entry.GaveUp(place, late));
            throw new StepFailed(place, late, null);
        }
        throw run.park(asks(
                place,
                wanted,
                List.of(new Entry.ApprovalWanted(place, wanted.fingerprint().today(), wanted.expires())),
                wanted.expires()));
    }

    private static Ending.Parked asks(Place place, Wanted wanted, List<Entry> entries, Duration left) {
        return new Ending.Asks(
                entries,
                new Ending.Asking(QuestionKind.APPROVE, place, wanted.question(), RequestText.of(wanted.request())),
                left);
    }

    private static void refuseIfDenied(PlaceHistory history) {
        if (history.known() instanceof PlaceHistory.Known.Failed failed) {
            throw new StepFailed(history.place(), failed.failure(), null);
        }
    }
}
