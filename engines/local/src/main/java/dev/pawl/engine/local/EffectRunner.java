package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.EndedInDoubt;
import dev.pawl.effect.Fingerprint;
import dev.pawl.effect.RequestText;
import dev.pawl.effect.ResultNotKept;
import dev.pawl.effect.Settling;
import dev.pawl.effect.StillGoing;
import dev.pawl.effect.Tried;
import dev.pawl.effect.Verification;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.StepFailed;
import dev.pawl.journal.AttemptNotes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import dev.pawl.retry.Failure;
import dev.pawl.retry.FailureClass;
import dev.pawl.retry.PermanentFailure;
import dev.pawl.retry.Retry;
import dev.pawl.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs an effect: replay → settle what is in doubt → intend → act → answer. Goes round until the effect has ended or the job has left.
 *
 * @param <T> the effect's result
 */
final class EffectRunner<T> {

    private static final Duration USUAL_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofSeconds(30);
    private static final int MOST_LOOKS = 1_000;

    private final Scope run;
    private final Named name;
    private final Contract<T> contract;
    private final TypeToken<T> type;
    private final Retry retry;
    private @Nullable Failure heard;

    EffectRunner(Scope run, Named name, Contract<T> contract, TypeToken<T> type) {
        this.run = run;
        this.name = name;
        this.contract = contract;
        this.type = type;
        this.retry = run.retryFor(name);
    }

    <R> T run(R request, Job.Effect<R, T> act) {
        var today = run.meet(name);
        var fingerprint = Fingerprint.of(request);
        var seen = new HashSet<Integer>();
        @Nullable Failure justFailed = null;
        while (true) {
            run.refuseIfSpoiled();
            var history = run.recall(name, today);
            if (history == null) {
                run.comesTo(today);
                guardChangedCode(today, request);
                justFailed = act(today, 1, fingerprint, request, act, null);
                continue;
            }
            var place = history.place();
            var known = history.known();
            if (known != null) {
                tellDrift(history, fingerprint);
                return Replay.of(run, place, known, type);
            }
            run.comesTo(place);
            run.waitOut(history);
            var outlived = outlived(history, seen);
            if (outlived != null && act instanceof Job.Outliving<R, T> outliving) {
                seen.add(outlived.number());
                justFailed = pickUp(place, outlived, request, outliving);
            } else if (history.inDoubt()) {
                guardDrift(history, fingerprint, request);
                var until = settle(history, justFailed);
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
        new GateRunner(run).pass(name);
        var goodUntil = sooner(requireApproval(place, fingerprint), rememberedUntil);
        // Its time begins to run here and is recorded with the commit, which is later: nobody believes too early that
        // it cannot land.
        var attempt = run.attempt(place, number, lasts());
        var outliving = act instanceof Job.Outliving<R, T> one ? one : null;
        if (outliving != null) {
            prepare(place, request, attempt, outliving);
        }
        run.refuseIfSpoiled();
        var intent = new Entry.Intended(
                place,
                number,
                fingerprint.today(),
                contract.terms(),
                lasts(),
                outliving != null,
                notes(place, fingerprint, request));
        if (!run.intend(intent, goodUntil).done()) {
            return null;
        }
        run.pen().ensureLease();
        if (outliving == null && attempt.left().isZero()) {
            var late = Failure.of(FailureClass.TRANSIENT, "late", "its deadline passed before it was sent");
            run.pen().answer(place, number, new Answer.DidNotHappen(late), Answer.Source.WORKER);
            return late;
        }
        run.log().begins(run.stored(), place, number, attempt.key());
        return told(place, number, outliving != null, run.call(attempt.left(), () -> act.act(request, attempt)));
    }

    /** Lays out what an act needs. Where that cannot be done no attempt is begun, so that nobody can be in doubt about it: it may be over soon, and is no job's fault. */
    private <R> void prepare(Place place, R request, Attempt attempt, Job.Outliving<R, T> act) {
        run.pen().ensureLease();
        var prepared = run.call(attempt.left(), () -> {
            act.prepare(request, attempt);
            return place;
        });
        if (prepared instanceof UserCode.Outcome.Threw<Place> threw) {
            if (run.cutShort()) {
                throw run.handedBack();
            }
            var why = place + " could not be laid out: "
                    + Failure.ofStep(threw.thrown()).message();
            var trouble = new Failure(FailureClass.ACCOUNT, "not-laid-out", why, PAUSE_BETWEEN_LOOKS);
            throw new GateRunner(run).accountTrouble(null, trouble, List.of());
        }
    }

    /** What people are told of an attempt; the same request is kept once. */
    private AttemptNotes notes(Place place, Fingerprint fingerprint, Object request) {
        var history = run.pen().at(place);
        var noted = history != null
                && history.attempts().stream()
                        .anyMatch(tried -> tried.fingerprint().equals(fingerprint.today())
                                && history.request(tried.number()) != null);
        return new AttemptNotes(run.worker(), noted ? null : RequestText.of(request), retry.attempts());
    }

    /** Takes what an act says about its attempt. Returns what failed, or null. */
    private @Nullable Failure told(Place place, int number, boolean outlives, UserCode.Outcome<T> outcome) {
        var used = run.used(place, number);
        return switch (outcome) {
            case UserCode.Outcome.Returned<T> returned -> {
                run.pen().answer(place, number, happened(returned.value()), Answer.Source.WORKER, used);
                run.log().succeeded(run.stored(), place, number, run.took());
                yield null;
            }
            case UserCode.Outcome.Threw<T>(ResultNotKept notKept) -> {
                run.pen()
                        .answer(
                                place,
                                number,
                                Answer.notKept(String.valueOf(notKept.getMessage())),
                                Answer.Source.WORKER,
                                used);
                yield null;
            }
            case UserCode.Outcome.Threw<T> threw -> {
                var failure = Failure.ofEffect(threw.thrown());
                if (failure.kind() != FailureClass.AMBIGUOUS) {
                    run.pen().answer(place, number, new Answer.DidNotHappen(failure), Answer.Source.WORKER, used);
                } else if (used != null) {
                    run.ride(used);
                }
                if (!outlives) {
                    run.pen().actEnded(place);
                } else if (says(EndedInDoubt.class, threw.thrown())) {
                    run.ride(new Entry.ActEnded(place, number));
                }
                if (run.cutShort()) {
                    throw run.handedBack();
                }
                if (outlives && says(StillGoing.class, threw.thrown())) {
                    throw run.later(Change.ReleaseJob.Until.WAIT, place, failure.message(), PAUSE_BETWEEN_LOOKS);
                }
                yield failure;
            }
        };
    }

    /** Whether an act says this, also when it was cut short for taking too long. */
    private static boolean says(Class<? extends Exception> what, Throwable thrown) {
        return what.isInstance(thrown) || what.isInstance(thrown.getCause());
    }

    /** An open attempt of an earlier worker whose act may still go on; null when there is none but those in {@code seen}. */
    private @Nullable Tried outlived(PlaceHistory history, Set<Integer> seen) {
        var ours = run.pen().hold().fence();
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
        run.pen().ensureLease();
        var left = Duration.between(run.pen().storeNow(), open.window().sentUntil());
        var allowance = left.isNegative() ? Duration.ZERO : left;
        // Whoever waits for what goes on makes progress, and is no suspect if it dies while it does.
        run.record(new Entry.Logged(place, open.number(), "picked up after its worker was gone\n"));
        var attempt = run.attempt(place, open.number(), open.window().fence(), allowance);
        var outcome = run.call(allowance.plus(USUAL_TIMEOUT), () -> act.pickUp(request, attempt));
        if (attempt.wasFoundEnded()) {
            run.foundEnded(place, open.number());
        }
        var failed = told(place, open.number(), true, outcome);
        return switch (outcome) {
            case UserCode.Outcome.Returned<T> ignored -> failed;
            case UserCode.Outcome.Threw<T> threw -> {
                if (failed != null && saysNothingNew(threw.thrown())) {
                    heard = failed;
                    yield null;
                }
                yield failed;
            }
        };
    }

    /** Whether nothing is known now of an act that was not known before. */
    private static boolean saysNothingNew(Throwable thrown) {
        return Failure.ofEffect(thrown).kind() == FailureClass.AMBIGUOUS && !says(EndedInDoubt.class, thrown);
    }

    private Duration lasts() {
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
        var wanted = run.approvalFor(name.place(run.name()));
        if (wanted == null) {
            return null;
        }
        if (!wanted.fingerprint().equals(fingerprint)) {
            throw new PermanentFailure("the approval of " + place
                    + " was asked for another request than the effect makes; give both the same value");
        }
        return new ApprovalRunner(run).require(run.pen().at(place), place, wanted);
    }

    /** An act that returned has happened, whatever becomes of its result. */
    private Answer happened(@Nullable T value) {
        try {
            var json = Json.write(value);
            return json.length() <= Kept.MOST_CHARS ? Answer.happened(json) : Answer.notKept(Kept.tooLong(json));
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
                retry.judge(last, Math.max(1, history.spent()), run.around().random());
        switch (judged) {
            case Retry.Judgement.GiveUp gaveUp -> {
                run.record(new Entry.GaveUp(history.place(), gaveUp.failure()));
                run.log()
                        .gaveUp(
                                run.stored(),
                                history.place(),
                                history.attempts().size(),
                                gaveUp.failure());
                throw new StepFailed(history.place(), gaveUp.failure(), null);
            }
            case Retry.Judgement.AskAPerson ask -> {
                if (justFailed != null) {
                    throw new GateRunner(run).accountTrouble(name, last, List.of());
                }
            }
            case Retry.Judgement.TryAgain again -> {
                if (justFailed != null) {
                    throw tryLater(history, last, again.after());
                }
            }
        }
    }

    private Error tryLater(PlaceHistory history, Failure failure, Duration after) {
        run.log().tryAgain(run.stored(), history.place(), history.attempts().size(), failure, after);
        var gate = name.gate();
        if (gate != null && failure.retryAfter() != null) {
            return new GateRunner(run).leftAlone(gate, history.place(), failure, after, List.of());
        }
        return run.later(Change.ReleaseJob.Until.TRY_LATER, history.place(), failure.message(), after);
    }

    // ---- in doubt

    /** Settles what is in doubt. Returns until when to act again; null to look again; or leaves. */
    private @Nullable Instant settle(PlaceHistory history, @Nullable Failure justFailed) {
        var now = run.pen().storeNow();
        var decision = history.retry();
        if (decision != null) {
            believeAPerson(history, decision.evenNow() ? now : Settling.settledFrom(history.open()), now);
            return null;
        }
        return switch (Settling.decide(
                history.attempts(), now, lasts(), contract.verify() != null, history.cannotTell())) {
            case Settling.ActAgain again -> mayActAgain(history, again.until(), justFailed);
            case Settling.Ask ask -> {
                verify(history, ask.negativeCountsFrom());
                yield null;
            }
            case Settling.AskAPerson person ->
                throw run.ask(
                        QuestionKind.IN_DOUBT,
                        history.place(),
                        inDoubt(history, person.why(), justFailed == null ? heard : justFailed));
        };
    }

    private Instant mayActAgain(PlaceHistory history, Instant until, @Nullable Failure justFailed) {
        var failure = justFailed == null ? Failure.of(FailureClass.AMBIGUOUS, "in-doubt", "no answer") : justFailed;
        return switch (retry.judge(
                failure, Math.max(1, history.spent()), run.around().random())) {
            case Retry.Judgement.TryAgain again -> {
                if (justFailed != null) {
                    throw tryLater(history, failure, again.after());
                }
                yield until;
            }
            case Retry.Judgement.GiveUp gaveUp ->
                throw run.ask(
                        QuestionKind.IN_DOUBT,
                        history.place(),
                        inDoubt(history, "no attempts are left, and one of them may have happened", justFailed));
            case Retry.Judgement.AskAPerson ask -> throw new GateRunner(run).accountTrouble(name, failure, List.of());
        };
    }

    private static String inDoubt(PlaceHistory history, String why, @Nullable Failure justFailed) {
        var last = history.open().getLast();
        var by = last.window().outlives() ? history.by(last.number()) : null;
        return "attempt " + last.number() + " may have happened, and can still land until "
                + Settling.settledFrom(history.open()).truncatedTo(ChronoUnit.SECONDS) + "; "
                + (by == null ? "" : "it was begun by " + by + "; ") + why
                + (justFailed == null ? "" : "; it ended with: " + justFailed.message());
    }

    /** A person said that it did not happen: believed once no attempt can land any more. */
    private void believeAPerson(PlaceHistory history, Instant from, Instant now) {
        if (now.isBefore(from)) {
            throw waitUntil(history, from, now, "an earlier attempt may still land");
        }
        var said = Failure.of(FailureClass.TRANSIENT, "decided", "a person said that it did not happen");
        closeOpen(history, said, Answer.Source.PERSON);
    }

    private void verify(PlaceHistory history, Instant negativeCountsFrom) {
        run.pen().ensureLease();
        var asked = run.pen().storeNow();
        var open = history.open().getLast();
        switch (ask(history.place(), open)) {
            case Verification.Happened<T> happened ->
                run.pen().answer(history.place(), open.number(), happened(happened.result()), Answer.Source.VERIFY);
            case Verification.DidNotHappen<T> ignored -> {
                if (asked.isBefore(negativeCountsFrom)) {
                    throw waitUntil(history, negativeCountsFrom, asked, "it is not there yet, and may still land");
                }
                var absent =
                        Failure.of(FailureClass.TRANSIENT, "verified", "the destination says that it did not happen");
                closeOpen(history, absent, Answer.Source.VERIFY);
            }
            case Verification.AskAgain<T> again -> {
                if (history.askedAgain() >= MOST_LOOKS) {
                    throw run.ask(
                            QuestionKind.IN_DOUBT,
                            history.place(),
                            "the destination was asked " + MOST_LOOKS + " times and never told");
                }
                throw lookAgain(
                        history,
                        new Entry.ToldToAskAgain(history.place(), again.after()),
                        "the destination wants to be asked again",
                        again.after());
            }
            case Verification.CannotTell<T> cannot ->
                throw lookAgain(
                        history,
                        new Entry.CouldNotTell(history.place(), cannot.why()),
                        "the destination could not tell: " + cannot.why(),
                        PAUSE_BETWEEN_LOOKS);
        }
    }

    private Verification<T> ask(Place place, Tried open) {
        var verify = Objects.requireNonNull(contract.verify());
        var attempt = run.attempt(place, open.number(), USUAL_TIMEOUT);
        var outcome = run.call(USUAL_TIMEOUT, () -> verify.ask(attempt));
        run.rideUsed(place, Entry.Used.LOOK_UP);
        return switch (outcome) {
            case UserCode.Outcome.Returned<Verification<T>> returned ->
                returned.value() == null ? Verification.cannotTell("the look-up returned null") : returned.value();
            case UserCode.Outcome.Threw<Verification<T>> threw -> {
                if (run.cutShort()) {
                    throw run.handedBack();
                }
                yield Verification.cannotTell(threw.thrown().toString());
            }
        };
    }

    private void closeOpen(PlaceHistory history, Failure why, Answer.Source source) {
        for (var open : history.open()) {
            run.pen().answer(history.place(), open.number(), new Answer.DidNotHappen(why), source);
        }
    }

    private Error waitUntil(PlaceHistory history, Instant until, Instant now, String why) {
        return run.park(new Ending.Later(
                Change.ReleaseJob.Until.WAIT, List.of(), history.place() + ": " + why, Duration.between(now, until)));
    }

    private Error lookAgain(PlaceHistory history, Entry entry, String why, Duration after) {
        return run.later(Change.ReleaseJob.Until.WAIT, history.place(), why, after, entry);
    }

    // ---- guards

    /** An effect without a record acts only when every effect that has one was met, and none of them is in doubt. */
    private void guardChangedCode(Place place, Object request) {
        var history = run.recall(name, place);
        for (var other : run.unmetEffects()) {
            run.settleUncalled(other, "the code went past it to " + place);
            if (history == null
                    || (!history.newOnPurpose() && history.attempts().isEmpty())) {
                throw run.ask(
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
            throw run.ask(
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
            run.log().drifted(run.stored(), history.place());
        }
    }
}
