package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Fingerprint;
import dev.pawl.effect.RequestText;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.key.Place;
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

    private final Scope scope;
    private final RunJournal journal;

    ApprovalRunner(Scope scope) {
        this.scope = scope;
        this.journal = scope.context().journal();
    }

    <R> void approve(Named named, R request, String question, Duration expires) {
        if (!expires.isPositive() || expires.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "an approval expires within a year, not after " + Durations.text(expires));
        }
        var today = scope.meetApproval(named);
        var fingerprint = Fingerprint.of(request);
        var asked = new ApprovalRequest(fingerprint, request, question, expires);
        scope.wantsApproval(today, asked);
        var history = scope.recall(named, today);
        var place = history == null ? today : history.place();
        if (history != null && (history.known() != null || history.inDoubt())) {
            refuseIfDenied(history);
            return;
        }
        scope.beginsNew();
        require(history, place, asked);
    }

    /** What is to be approved. */
    record ApprovalRequest(Fingerprint fingerprint, Object request, String question, Duration expires) {}

    /** Until when there is a yes that is good for one more attempt with this request; when there is none, asks or fails. */
    Instant require(@Nullable PlaceHistory history, Place place, ApprovalRequest asked) {
        var approval = history == null ? null : history.approval();
        var now = journal.storeNow();
        if (approval != null && approval.covers(asked.fingerprint(), now)) {
            return approval.until();
        }
        if (approval != null && approval.awaited(asked.fingerprint(), now)) {
            throw scope.park(asks(place, asked, List.of(), Duration.between(now, approval.until())));
        }
        if (approval != null && !approval.given() && asked.fingerprint().is(approval.fingerprint())) {
            var late = Failure.of(FailureClass.PERMANENT, "not-approved", "nobody approved it in time");
            scope.record(new Entry.GaveUp(place, late));
            throw new StepFailed(place, late, null);
        }
        throw scope.park(asks(
                place,
                asked,
                List.of(new Entry.ApprovalWanted(place, asked.fingerprint().today(), asked.expires())),
                asked.expires()));
    }

    private static Ending.Parked asks(Place place, ApprovalRequest asked, List<Entry> entries, Duration left) {
        return new Ending.Asks(
                entries,
                new Ending.NewQuestion(QuestionKind.APPROVE, place, asked.question(), RequestText.of(asked.request())),
                left);
    }

    private static void refuseIfDenied(PlaceHistory history) {
        if (history.known() instanceof PlaceHistory.Known.Failed failed) {
            throw new StepFailed(history.place(), failed.failure(), null);
        }
    }
}
