package dev.pawl.journal;

import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Tried;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is known about one place of the workflow. Owned by one run; not thread-safe. */
public final class PlaceHistory {

    private final Place place;
    private final List<Tried> attempts = new ArrayList<>();
    private final Map<Integer, AttemptNotes> notes = new HashMap<>();
    private final Map<Integer, AttemptNotes> stepNotes = new HashMap<>();
    private @Nullable Integer most;
    private @Nullable String wanted;
    private @Nullable Known known;
    private @Nullable Failure lastFailure;
    private int spent;
    private int stepTries;
    private int cannotTell;
    private int askedAgain;
    private @Nullable Decision retry;
    private boolean newOnPurpose;
    private @Nullable Question standing;
    private @Nullable Wait wait;
    private @Nullable Approval approval;
    private @Nullable Identity child;
    private @Nullable String requested;
    private @Nullable Instant looksFailSince;
    private boolean decidedElsewhere;

    /** A wait, and when it began by the store's clock. */
    private record Wait(Instant since, Duration longest) {}

    PlaceHistory(Place place) {
        this.place = place;
    }

    /** How a place ended, as far as the workflow is concerned. The first ending stands: the workflow has seen it. */
    public sealed interface Known {
        /** It has a result; {@code kept} is false when it happened and the result was lost. */
        record Result(@Nullable String json, boolean kept) implements Known {}

        /** It was given up, and the workflow told. */
        record Failed(Failure failure) implements Known {}

        /** A person said to go on without it. */
        record Skipped() implements Known {}

        /** It was waited for, and its time was up. */
        record TimeUp() implements Known {}
    }

    /** Where this is. */
    public Place place() {
        return place;
    }

    /** How it ended; null while it has not. */
    public @Nullable Known known() {
        return known;
    }

    /** The effect's attempts, oldest first. */
    public List<Tried> attempts() {
        return Collections.unmodifiableList(attempts);
    }

    /** Which worker made an attempt, as people know it; null when nobody wrote it down. */
    public @Nullable String by(int attempt) {
        return notes(attempt).by();
    }

    /** What an attempt sent, as people may see it; null when nobody wrote it down. */
    public @Nullable String request(int attempt) {
        var noted = notes(attempt).request();
        if (noted != null) {
            return noted;
        }
        var same = fingerprint(attempt);
        return attempts.stream()
                .filter(tried -> tried.fingerprint().equals(same))
                .map(tried -> notes(tried.number()).request())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private String fingerprint(int attempt) {
        return attempts.stream()
                .filter(tried -> tried.number() == attempt)
                .map(Tried::fingerprint)
                .findFirst()
                .orElse("");
    }

    private AttemptNotes notes(int attempt) {
        return notes.getOrDefault(attempt, AttemptNotes.NONE);
    }

    /** Which worker made the last attempt of a step that failed, as people know it; null when nobody wrote it down. */
    public @Nullable String stepBy() {
        return stepNotes.getOrDefault(stepTries, AttemptNotes.NONE).by();
    }

    /** What the last attempt of a step that failed did, as people may see it: it says so when it did another thing than the one before; null when nobody wrote it down. */
    public @Nullable String stepRequest() {
        for (var number = stepTries; number > 0; number--) {
            var noted = stepNotes.getOrDefault(number, AttemptNotes.NONE).request();
            if (noted != null) {
                return noted;
            }
        }
        return null;
    }

    /** How many attempts there are at most from where the budget began, as the last of them noted it; null when none did. */
    public @Nullable Integer most() {
        return most;
    }

    /** The request that the last question here was about, as people may see it; null when it was about none. */
    public @Nullable String wanted() {
        return wanted;
    }

    /** The attempts that may have happened and have no answer. */
    public List<Tried> open() {
        return attempts.stream().filter(Tried::open).toList();
    }

    /** Whether something may have happened here that nobody knows of. */
    public boolean inDoubt() {
        if (known instanceof Known.Result) {
            return false;
        }
        var open = false;
        for (var attempt : attempts) {
            if (attempt.answer() instanceof Answer.Happened) {
                // Whatever became of the others, it no longer matters.
                return false;
            }
            open |= attempt.open();
        }
        return open;
    }

    /** Whether this place has ever been an effect. */
    public boolean isEffect() {
        return !attempts.isEmpty();
    }

    /** Whether nothing was done here: there were questions and words at most. */
    public boolean bare() {
        return known == null && attempts.isEmpty() && stepTries == 0;
    }

    /** Attempts that count against the budget, since a person last said to try again. */
    public int spent() {
        return spent;
    }

    /** Failed attempts of a step, all of them. */
    public int stepTries() {
        return stepTries;
    }

    /** The failure of the last attempt that is known to have failed. */
    public @Nullable Failure lastFailure() {
        return lastFailure;
    }

    /** How often the destination could not tell since the last attempt or decision. */
    public int cannotTell() {
        return cannotTell;
    }

    /** How often the destination wanted to be asked again since the last attempt or decision. */
    public int askedAgain() {
        return askedAgain;
    }

    /** The person's word that the open attempts did not happen, while no attempt followed it; else null. */
    public @Nullable Decision retry() {
        return retry;
    }

    /** A person wants what failed here to be tried now; a sleep is not cut short. */
    void hurry(boolean evenNow) {
        if (stepTries > 0 || !attempts.isEmpty()) {
            wait = null;
        }
        if (evenNow && retry != null) {
            retry = new Decision(retry.verdict(), retry.result(), true, retry.audit());
        }
    }

    /** Whether a person said that this effect is new, and not an old one renamed. */
    public boolean newOnPurpose() {
        return newOnPurpose;
    }

    /** Nothing was sent here under {@code fence} after {@code when}. */
    public void noneSentAfter(long fence, Instant when) {
        attempts.replaceAll(tried -> tried.window().fence() == fence ? tried.notSentAfter(when) : tried);
    }

    /** Until when nothing is done here: a backoff, a sleep, the end of a wait; null when there is no wait. */
    public @Nullable Instant waitsUntil() {
        return wait == null ? null : wait.since().plus(wait.longest()).truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * How long was to be waited here, where that began at a time that is still to come: the store's clock was ahead then. Null when nothing waits, or it
     * began before {@code now}.
     */
    public @Nullable Duration waitsSinceAfter(Instant now) {
        return wait == null || !wait.since().isAfter(now) ? null : wait.longest();
    }

    /** The approval that was asked for last; null when none was. */
    public @Nullable Approval approval() {
        return approval;
    }

    /** The job that was called here; null when none was. */
    public @Nullable Identity child() {
        return child;
    }

    /** The fingerprint of what the last attempt here was asked for, where its code said; else null. */
    public @Nullable String requested() {
        return requested;
    }

    /** When the wait here began, by the store's clock; null when none did. */
    public @Nullable Instant waitsSince() {
        return wait == null ? null : wait.since();
    }

    /** Since when no look here has succeeded; null when the last one did, or there was none. */
    public @Nullable Instant looksFailSince() {
        return looksFailSince;
    }

    void received(Message message) {
        settle(new Known.Result(message.payload(), true));
    }

    /** The question that was asked here last, while nothing else has happened here since; else null. */
    public @Nullable Question standing() {
        return standing;
    }

    void add(JournalLine line) {
        standing = switch (line.entry()) {
            case Entry.Asked asked -> asked.question();
            // Whether it can be looked at says nothing about what was asked.
            case Entry.LooksFail ignored -> standing;
            default -> null;
        };
        switch (line.entry()) {
            case Entry.StepDone e -> ended(new Known.Result(e.result(), true));
            case Entry.Noted e -> settle(new Known.Result(e.value(), true));
            case Entry.StepTried e -> {
                stepNotes.put(e.number(), e.notes());
                noted(e.notes().most());
                stepTries++;
                failed(e.failure());
                if (e.failure().kind().spendsAnAttempt()) {
                    spent++;
                }
            }
            case Entry.GaveUp e -> ended(new Known.Failed(e.failure()));
            case Entry.Waits e -> wait = new Wait(line.at(), e.longest());
            case Entry.TimeUp ignored -> settle(new Known.TimeUp());
            case Entry.ApprovalWanted e ->
                approval = new Approval(e.fingerprint(), line.at().plus(e.expires()), false, 0);
            case Entry.Called e -> child = e.child();
            case Entry.Delivered ignored -> {}
            case Entry.Received ignored -> {}
            case Entry.CancelAsked ignored -> {}
            case Entry.Used ignored -> {}
            case Entry.Said e -> settle(new Known.Result(Json.write(e.turn()), true));
            case Entry.ArtifactKept e -> settle(new Known.Result(Json.write(e.artifact()), true));
            case Entry.Logged ignored -> {}
            case Entry.Threw ignored -> {}
            case Entry.TracedAs ignored -> {}
            case Entry.Heard ignored -> {}
            case Entry.Owes ignored -> {}
            case Entry.OwesNoMore ignored -> {}
            case Entry.RunsAs ignored -> {}
            case Entry.LooksFail e -> looksFailSince = e.why() == null ? null : line.at();
            case Entry.Requested e -> requested = e.fingerprint();
            case Entry.Progressed ignored -> {}
            case Entry.ActEnded e ->
                attempts.replaceAll(tried -> tried.number() == e.number() ? tried.ended(line.at()) : tried);
            case Entry.Intended e -> {
                if (approval != null) {
                    approval = approval.usedBy(e.number());
                }
                attempts.add(new Tried(
                        e.number(),
                        e.fingerprint(),
                        e.terms(),
                        new Tried.Window(line.fence(), line.at(), line.at().plus(e.lasts()), e.outlives()),
                        null));
                notes.put(e.number(), e.notes());
                noted(e.notes().most());
                spent++;
                calm();
            }
            case Entry.Answered e -> answered(e, line.at());
            case Entry.Duplicated ignored -> {}
            case Entry.CouldNotTell ignored -> cannotTell++;
            case Entry.ToldToAskAgain ignored -> askedAgain++;
            case Entry.Asked e -> wanted = e.request();
            case Entry.Decided e -> decided(e.question(), e.decision());
            case Entry.Retried ignored -> {
                if (known instanceof Known.Failed) {
                    known = null;
                }
                attempts.replaceAll(Tried::unwaived);
                looksFailSince = null;
                approval = null;
                spent = 0;
                lastFailure = null;
                calm();
            }
            case Entry.Released ignored -> {}
            case Entry.OwnerGone ignored -> {}
            case Entry.Accounted ignored -> {}
            case Entry.Resubmitted ignored -> {}
            case Entry.Discarded ignored -> {}
        }
    }

    private void answered(Entry.Answered e, Instant at) {
        for (var i = 0; i < attempts.size(); i++) {
            var tried = attempts.get(i);
            if (tried.number() == e.number()) {
                attempts.set(i, e.answer() instanceof Answer.Late ? tried.sentUntil(at) : tried.answered(e.answer()));
            }
        }
        switch (e.answer()) {
            case Answer.Happened happened -> settle(new Known.Result(happened.result(), happened.kept()));
            case Answer.DidNotHappen not -> {
                failed(not.why());
                if (approval != null && e.source() == Answer.Source.WORKER) {
                    approval = approval.notUsedBy(e.number());
                }
                if (!not.why().kind().spendsAnAttempt()) {
                    spent--;
                }
            }
            case Answer.Waived ignored -> {}
            // Whatever a person said, or the destination, was said before it was sent.
            case Answer.Late ignored -> calm();
        }
    }

    private void decided(Question question, Decision decision) {
        var before = known;
        known = switch (decision.verdict()) {
            case DONE -> new Known.Result(decision.result(), true);
            case SKIP -> new Known.Skipped();
            case APPROVE -> {
                if (approval != null) {
                    approval = approval.approved();
                }
                yield known;
            }
            case DENY ->
                new Known.Failed(Failure.of(
                        FailureClass.PERMANENT,
                        "denied",
                        "denied by " + decision.audit().who() + ": "
                                + decision.audit().why()));
            case FAIL ->
                new Known.Failed(Failure.decided(
                        mayHaveHappened(question) ? FailureClass.AMBIGUOUS : FailureClass.PERMANENT,
                        "given up by " + decision.audit().who() + ": "
                                + decision.audit().why()));
            case RETRY -> {
                calm();
                looksFailSince = null;
                spent = 0;
                newOnPurpose |= question.kind() == QuestionKind.CODE_CHANGED;
                lastFailure = null;
                if (inDoubt() && question.kind().closedByAnswer()) {
                    retry = decision;
                }
                yield known;
            }
        };
        if (before != null
                && (question.kind() == QuestionKind.NO_LONGER_CALLED || question.kind() == QuestionKind.ELSEWHERE)) {
            // It was asked what became of an attempt, or of something elsewhere, and not how the place ended: that
            // stays as it is.
            known = before;
        }
        decidedElsewhere = before == null && known != null && question.kind() == QuestionKind.ELSEWHERE;
    }

    /** Whether a person who gives up leaves it open what has happened: then the failure must not say that nothing did. */
    private boolean mayHaveHappened(Question question) {
        return question.kind() == QuestionKind.CODE_CHANGED
                || attempts.stream().anyMatch(tried -> !(tried.answer() instanceof Answer.DidNotHappen));
    }

    private void noted(@Nullable Integer attempts) {
        most = attempts == null ? most : attempts;
    }

    /** Whoever looked while a person answered did not know of the answer, and has gone on with what it found. */
    private void ended(Known how) {
        if (decidedElsewhere) {
            known = null;
            decidedElsewhere = false;
        }
        settle(how);
    }

    private void settle(Known how) {
        if (known == null) {
            known = how;
        }
    }

    private void failed(Failure failure) {
        lastFailure = failure;
    }

    private void calm() {
        cannotTell = 0;
        askedAgain = 0;
        retry = null;
        wait = null;
    }
}
