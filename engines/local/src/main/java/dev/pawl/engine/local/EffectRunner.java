package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Fingerprint;
import dev.pawl.effect.RequestText;
import dev.pawl.effect.Tried;
import dev.pawl.failure.EndedInDoubt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.ResultNotKept;
import dev.pawl.failure.StepFailed;
import dev.pawl.failure.StillGoing;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.journal.AttemptNotes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.TypeToken;
import dev.pawl.json.Values;
import dev.pawl.key.Place;
import dev.pawl.retry.Retry;
import dev.pawl.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs an effect: replay → settle what is in doubt ({@link DoubtRunner}) → intend → act → answer. Goes round until the effect has ended or the job has left.
 *
 * @param <T> the effect's result
 */
final class EffectRunner<T> {

    private static final Duration USUAL_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofSeconds(30);
    private static final Duration UNTIL_LAID_OUT_AGAIN = Duration.ofSeconds(30);

    private final Scope scope;
    private final RunContext context;
    private final RunJournal journal;
    private final Named name;
    private final Contract<T> contract;
    private final TypeToken<T> type;
    private final Retry retry;
    private @Nullable Failure heardFailure;
    private boolean settlesDebt;

    EffectRunner(Scope scope, Named name, Contract<T> contract, TypeToken<T> type) {
        this.scope = scope;
        this.context = scope.context();
        this.journal = scope.context().journal();
        this.name = name;
        this.contract = contract;
        this.type = type;
        this.retry = context.retryFor(name);
    }

    <R> T run(R request, Job.Effect<R, T> act) {
        var today = scope.meet(name);
        var fingerprint = Fingerprint.of(request);
        var seen = new HashSet<Integer>();
        @Nullable Failure justFailed = null;
        while (true) {
            scope.refuseIfSpoiled();
            var history = scope.recall(name, today);
            if (contract.owedEnd() != null) {
                scope.begins(Scope.recorded(history, today), contract.owedEnd(), type);
            }
            if (history == null) {
                scope.comesTo(today);
                guardChangedCode(today, request);
                justFailed = act(today, 1, fingerprint, request, act, null);
                continue;
            }
            var place = history.place();
            var known = history.known();
            if (known != null) {
                tellDrift(history, fingerprint);
                return Replay.of(scope, place, known, type);
            }
            // In a job that was called off, what may go on elsewhere has to be known before it can be ended there.
            settlesDebt = settlesDebt(history, today);
            if (!settlesDebt) {
                scope.comesTo(place);
            }
            scope.waitOut(history);
            var outlived = outlived(history, seen);
            if (outlived != null && act instanceof Job.Outliving<R, T> outliving) {
                seen.add(outlived.number());
                justFailed = pickUp(place, outlived, request, outliving);
            } else if (history.inDoubt()) {
                guardDrift(history, fingerprint, request);
                var until = new DoubtRunner<>(scope, name, contract, type).settle(history, justFailed, heardFailure);
                if (until != null) {
                    justFailed = act(place, history.attempts().size() + 1, fingerprint, request, act, until);
                }
            } else {
                giveUpIfSpent(history, justFailed);
                guardChangedCode(place, request);
                justFailed = act(place, history.attempts().size() + 1, fingerprint, request, act, null);
            }
        }
    }

    // ---- acting

    /**
     * Commits the intent, acts, commits the answer. Returns what failed, or null.
     *
     * @param rememberedUntil when the destination may have forgotten the key by the time that this attempt lands; null when it need not remember
     */
    private <R> @Nullable Failure act(
            Place place,
            int number,
            Fingerprint fingerprint,
            R request,
            Job.Effect<R, T> act,
            @Nullable Instant rememberedUntil) {
        if (!paysDebt()) {
            new GateRunner(scope).pass(name);
        }
        var goodUntil = sooner(requireApproval(place, fingerprint), rememberedUntil);
        // Its time begins to run here and is recorded with the commit, which is later: nobody believes too early that
        // it cannot land.
        var attempt = context.attempt(place, number, lasts(name));
        var outliving = act instanceof Job.Outliving<R, T> one ? one : null;
        if (outliving != null) {
            prepare(place, request, attempt, outliving);
        }
        scope.refuseIfSpoiled();
        var intent = new Entry.Intended(
                place,
                number,
                fingerprint.today(),
                contract.terms(),
                lasts(name),
                outliving != null,
                notes(place, fingerprint, request));
        if (!scope.intend(owes(place), intent, goodUntil, paysDebt()).done()) {
            return null;
        }
        context.log().begins(context.job(), place, number, attempt.key());
        try (var listeners = context.heard(scope.calls(), place, number, attempt.key(), contract.terms())) {
            // Nothing stands between these looks and the act: whoever listens has had its time.
            journal.ensureLease();
            if (outliving == null && attempt.left().isZero()) {
                var late = Failure.of(FailureClass.TRANSIENT, "late", "its deadline passed before it was sent");
                journal.answer(place, number, new Answer.DidNotHappen(late), Answer.Source.WORKER);
                listeners.failed(late);
                return late;
            }
            var outcome = scope.calls().call(place, number, attempt.left(), () -> act.act(request, attempt));
            return told(place, number, outliving != null, outcome, listeners);
        }
    }

    /** Whether what is in doubt here may go on elsewhere, in a job that was called off and only ends that. Nobody is asked to approve it once more. */
    private boolean settlesDebt(PlaceHistory history, Place today) {
        return scope.onlyReplays()
                && history.inDoubt()
                && journal.owed().containsKey(history.place())
                && scope.approvalFor(today) == null;
    }

    /** Whether this ends what goes on elsewhere, or finds out what to end: no gate keeps anybody from that. */
    private boolean paysDebt() {
        return settlesDebt || scope.endsWhatIsOwed();
    }

    /** What the job owes from the first attempt on; null when it owes nothing, or does already. */
    private Entry.@Nullable Owes owes(Place place) {
        var owedEnd = contract.owedEnd();
        if (owedEnd == null || journal.owed().containsKey(place)) {
            return null;
        }
        var awaited = new Place(place.scope(), owedEnd.awaitedAs(), place.item());
        if (Scope.known(journal.at(awaited)) != null) {
            throw scope.spoil("\"" + place + "\" is awaited as \"" + awaited
                    + "\", which has ended before it begins; give the wait a name of its own");
        }
        return new Entry.Owes(place, awaited);
    }

    /** Lays out what an act needs. Where that cannot be done no attempt is begun, so that nobody can be in doubt about it: it may be over soon, and is no job's fault. */
    private <R> void prepare(Place place, R request, Attempt attempt, Job.Outliving<R, T> act) {
        journal.ensureLease();
        var prepared = scope.calls().call(place, attempt.number(), attempt.left(), () -> {
            act.prepare(request, attempt);
            return place;
        });
        if (prepared instanceof UserCode.CodeOutcome.Threw<Place> threw) {
            if (scope.cutShort()) {
                throw scope.handedBack();
            }
            var why = place + " could not be laid out: "
                    + Failure.ofStep(threw.thrown()).message();
            var trouble = new Failure(FailureClass.ACCOUNT, "not-laid-out", why, UNTIL_LAID_OUT_AGAIN);
            throw new GateRunner(scope).accountTrouble(null, trouble, List.of());
        }
    }

    /** What people are told of an attempt; the same request is kept once. */
    private AttemptNotes notes(Place place, Fingerprint fingerprint, Object request) {
        var history = journal.at(place);
        var noted = history != null
                && history.attempts().stream()
                        .anyMatch(tried -> tried.fingerprint().equals(fingerprint.today())
                                && history.request(tried.number()) != null);
        return new AttemptNotes(context.worker(), noted ? null : RequestText.of(request), retry.attempts());
    }

    /** Takes what an act says about its attempt. Returns what failed, or null. */
    private @Nullable Failure told(
            Place place, int number, boolean outlives, UserCode.CodeOutcome<T> outcome, HeardAttempt listeners) {
        var used = scope.used(place, number);
        return switch (outcome) {
            case UserCode.CodeOutcome.Returned<T> returned -> {
                journal.answer(place, number, happened(returned.value(), type), Answer.Source.WORKER, used);
                listeners.done();
                context.log()
                        .succeeded(context.job(), place, number, scope.calls().took());
                yield null;
            }
            case UserCode.CodeOutcome.Threw<T>(ResultNotKept notKept) -> {
                journal.answer(
                        place,
                        number,
                        Answer.notKept(String.valueOf(notKept.getMessage())),
                        Answer.Source.WORKER,
                        used);
                listeners.done();
                yield null;
            }
            case UserCode.CodeOutcome.Threw<T> threw -> {
                var failure = Failure.ofEffect(threw.thrown());
                if (!failure.kind().mayHaveHappened()) {
                    journal.answer(place, number, new Answer.DidNotHappen(failure), Answer.Source.WORKER, used);
                } else if (!outlives && isLate(place, number)) {
                    journal.answer(place, number, new Answer.Late(), Answer.Source.WORKER, used);
                } else if (used != null) {
                    scope.ride(used);
                }
                if (!outlives) {
                    journal.actEnded(place);
                } else if (says(EndedInDoubt.class, threw.thrown())) {
                    scope.ride(new Entry.ActEnded(place, number));
                }
                if (scope.cutShort()) {
                    throw scope.handedBack();
                }
                if (outlives && says(StillGoing.class, threw.thrown())) {
                    throw scope.later(Change.ReleaseJob.Until.WAIT, place, failure.message(), PAUSE_BETWEEN_LOOKS);
                }
                scope.threw(place, number, threw.thrown());
                listeners.failed(failure);
                if (failure.kind().mayHaveHappened()) {
                    context.log()
                            .inDoubt(context.job(), place, number, scope.calls().took(), failure, threw.thrown());
                }
                yield failure;
            }
        };
    }

    /** Whether an act that has just ended may have been sent after its time, so that it may land when others no longer wait for it. */
    private boolean isLate(Place place, int number) {
        var now = journal.storeNowAtTheLatest();
        return Objects.requireNonNull(journal.at(place)).attempts().stream()
                .anyMatch(tried -> tried.number() == number && tried.isLate(now));
    }

    /** Whether an act says this, also when it was cut short for taking too long. */
    private static boolean says(Class<? extends Exception> what, Throwable thrown) {
        return what.isInstance(thrown) || what.isInstance(thrown.getCause());
    }

    /** An open attempt of an earlier worker whose act may still go on; null when there is none but those in {@code seen}. */
    private @Nullable Tried outlived(PlaceHistory history, Set<Integer> seen) {
        var ours = journal.hold().fence();
        return history.open().stream()
                .filter(open -> open.window().outlives() && open.window().fence() != ours)
                .filter(open -> !seen.contains(open.number()))
                .findFirst()
                .orElse(null);
    }

    /**
     * Finds out what became of an attempt of an earlier worker. Returns what failed now; null when it happened, or when nothing is known of
     * it that was not known before.
     */
    private <R> @Nullable Failure pickUp(Place place, Tried open, R request, Job.Outliving<R, T> act) {
        journal.ensureLease();
        var left = Duration.between(journal.storeNow(), open.window().sentUntil());
        var allowance = left.isNegative() ? Duration.ZERO : left;
        // Whoever waits for what goes on makes progress, and is no suspect if it dies while it does.
        scope.record(new Entry.Logged(place, open.number(), "picked up after its worker was gone\n"));
        var attempt = context.attempt(place, open.number(), open.window().fence(), allowance);
        try (var listeners = context.heard(scope.calls(), place, open.number(), attempt.key(), open.terms())) {
            var outcome = scope.calls()
                    .call(place, open.number(), allowance.plus(USUAL_TIMEOUT), () -> act.pickUp(request, attempt));
            if (attempt.wasFoundEnded()) {
                scope.foundEnded(place, open.number());
            }
            var failed = told(place, open.number(), true, outcome, listeners);
            return switch (outcome) {
                case UserCode.CodeOutcome.Returned<T> ignored -> failed;
                case UserCode.CodeOutcome.Threw<T> threw -> {
                    if (failed != null && saysNothingNew(threw.thrown())) {
                        heardFailure = failed;
                        yield null;
                    }
                    yield failed;
                }
            };
        }
    }

    /** Whether nothing is known now of an act that was not known before. */
    private static boolean saysNothingNew(Throwable thrown) {
        return Failure.ofEffect(thrown).kind().mayHaveHappened() && !says(EndedInDoubt.class, thrown);
    }

    /** How long an attempt may take. */
    static Duration lasts(Named name) {
        return name.timeout() == null ? USUAL_TIMEOUT : name.timeout();
    }

    private static @Nullable Instant sooner(@Nullable Instant a, @Nullable Instant b) {
        if (a == null) {
            return b;
        }
        return b != null && b.isBefore(a) ? b : a;
    }

    /** Until when the approval is good that this effect needs; null when it needs none. */
    private @Nullable Instant requireApproval(Place place, Fingerprint fingerprint) {
        var asked = scope.approvalFor(name.place(scope.name()));
        if (asked == null) {
            return null;
        }
        if (!asked.fingerprint().equals(fingerprint)) {
            throw new PermanentFailure("the approval of " + place
                    + " was asked for another request than the effect makes; give both the same value");
        }
        return new ApprovalRunner(scope).require(journal.at(place), place, asked);
    }

    /** An act that returned has happened, whatever becomes of its result. */
    static <T> Answer happened(@Nullable T value, TypeToken<T> type) {
        try {
            var json = Values.write(value, type);
            return json.length() <= RecordedResult.MOST_CHARS
                    ? Answer.happened(json)
                    : Answer.notKept(RecordedResult.tooLong(json));
        } catch (JsonMismatch e) {
            return Answer.notKept(String.valueOf(e.getMessage()));
        }
    }

    // ---- after an attempt that certainly did not happen

    /** Every attempt is known not to have happened: give up or wait when the last one failed just now or the budget is spent. */
    private void giveUpIfSpent(PlaceHistory history, @Nullable Failure justFailed) {
        var last = justFailed == null ? history.lastFailure() : justFailed;
        if (last == null || (justFailed == null && history.spent() == 0)) {
            return;
        }
        var judged =
                retry.judge(last, Math.max(1, history.spent()), context.ports().random());
        switch (judged) {
            case Retry.Judgement.GiveUp gaveUp -> {
                var thrown = scope.thrownAt(history.place());
                scope.isLastAt(history.place());
                scope.record(new Entry.GaveUp(history.place(), gaveUp.failure()));
                context.log()
                        .gaveUp(
                                context.job(),
                                history.place(),
                                history.attempts().size(),
                                scope.calls().took(),
                                gaveUp.failure(),
                                thrown);
                throw new StepFailed(history.place(), gaveUp.failure(), thrown);
            }
            case Retry.Judgement.WaitWithAll ask -> {
                if (justFailed != null) {
                    throw new GateRunner(scope).accountTrouble(name, last, List.of());
                }
            }
            case Retry.Judgement.TryAgain again -> {
                if (justFailed != null) {
                    throw new GateRunner(scope)
                            .tryLater(name, history.place(), history.attempts().size(), last, again.after(), List.of());
                }
            }
        }
    }

    // ---- guards

    /** An effect without a record acts only when every effect that has one was met, and none of them is in doubt. */
    private void guardChangedCode(Place place, Object request) {
        var history = scope.recall(name, place);
        for (var other : scope.unmetEffects()) {
            scope.settleUncalled(other, "the code went past it to " + place);
            if (history == null
                    || (!history.newOnPurpose() && history.attempts().isEmpty())) {
                throw scope.ask(
                        QuestionKind.CODE_CHANGED,
                        place,
                        "the code changed: there is no record of " + place + ", and no longer comes to " + other.place()
                                + ", which is recorded; is this new, or the same under another name?",
                        request);
            }
        }
    }

    /** The same effect key with another request, while an attempt is open. */
    private void guardDrift(PlaceHistory history, Fingerprint fingerprint, Object request) {
        var drifted = history.open().stream().anyMatch(open -> !fingerprint.is(open.fingerprint()));
        if (drifted && history.retry() == null) {
            throw scope.ask(
                    QuestionKind.DRIFT,
                    history.place(),
                    "attempt " + history.open().getLast().number()
                            + " may have happened with another request than the one the code makes now",
                    request);
        }
    }

    private void tellDrift(PlaceHistory history, Fingerprint fingerprint) {
        var attempts = history.attempts();
        if (!attempts.isEmpty() && !fingerprint.is(attempts.getLast().fingerprint())) {
            context.log().drifted(context.job(), history.place());
        }
    }
}
