package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Settling;
import dev.pawl.effect.Tried;
import dev.pawl.effect.Verification;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.json.TypeToken;
import dev.pawl.retry.Retry;
import dev.pawl.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settles an effect in doubt: by what a person said, by acting again where the destination takes the same attempt for the same one, by asking the destination,
 * or by asking a person.
 *
 * @param <T> the effect's result
 */
final class DoubtRunner<T> {
    private static final Duration LONGEST_LOOK = Duration.ofMinutes(2);
    private static final Duration PAUSE_BETWEEN_LOOKS = Duration.ofSeconds(30);
    private static final int MOST_LOOKS = 1_000;

    private final Scope scope;
    private final RunContext context;
    private final RunJournal journal;
    private final Named name;
    private final Contract<T> contract;
    private final TypeToken<T> type;
    private final Retry retry;

    DoubtRunner(Scope scope, Named name, Contract<T> contract, TypeToken<T> type) {
        this.scope = scope;
        this.context = scope.context();
        this.journal = context.journal();
        this.name = name;
        this.contract = contract;
        this.type = type;
        this.retry = context.retryFor(name);
    }

    /**
     * Settles what is in doubt. Returns until when to act again; null to look again; or leaves.
     *
     * @param justFailed how the last attempt failed, when that was just now
     * @param heardFailure what was heard of an earlier attempt just now, and told nothing new
     */
    @Nullable
    Instant settle(PlaceHistory history, @Nullable Failure justFailed, @Nullable Failure heardFailure) {
        var now = journal.storeNow();
        var decision = history.retry();
        if (decision != null) {
            var unsettled = new PersonsWord(journal).believe(history, decision);
            if (unsettled != null) {
                throw scope.park(unsettled);
            }
            return null;
        }
        return switch (Settling.decide(
                history.attempts(), now, EffectRunner.lasts(name), contract.verify() != null, history.cannotTell())) {
            case Settling.ActAgain again -> mayActAgain(history, again.until(), justFailed);
            case Settling.Ask ask -> {
                verify(history, ask.negativeCountsFrom());
                yield null;
            }
            case Settling.AskAPerson person ->
                throw scope.ask(
                        QuestionKind.IN_DOUBT,
                        history.place(),
                        inDoubt(history, person.why(), justFailed == null ? heardFailure : justFailed));
        };
    }

    private Instant mayActAgain(PlaceHistory history, Instant until, @Nullable Failure justFailed) {
        var failure = justFailed == null ? Failure.of(FailureClass.AMBIGUOUS, "in-doubt", "no answer") : justFailed;
        return switch (retry.judge(
                failure, Math.max(1, history.spent()), context.ports().random())) {
            case Retry.Judgement.TryAgain again -> {
                if (justFailed != null) {
                    throw new GateRunner(scope)
                            .tryLater(
                                    name,
                                    history.place(),
                                    history.attempts().size(),
                                    failure,
                                    again.after(),
                                    List.of());
                }
                yield until;
            }
            case Retry.Judgement.GiveUp gaveUp ->
                throw scope.ask(
                        QuestionKind.IN_DOUBT,
                        history.place(),
                        inDoubt(history, "no attempts are left, and one of them may have happened", justFailed));
            case Retry.Judgement.WaitWithAll ask ->
                throw new GateRunner(scope).accountTrouble(name, failure, List.of());
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

    private void verify(PlaceHistory history, Instant negativeCountsFrom) {
        journal.ensureLease();
        var asked = journal.storeNow();
        var open = history.open().getLast();
        switch (ask(history, open)) {
            case Verification.Happened<T> happened ->
                journal.answer(
                        history.place(),
                        open.number(),
                        EffectRunner.happened(happened.result(), type),
                        Answer.Source.VERIFY);
            case Verification.DidNotHappen<T> ignored -> {
                if (asked.isBefore(negativeCountsFrom)) {
                    throw scope.park(Ending.waits(
                            history.place(),
                            "it is not there yet, and may still land",
                            Duration.between(asked, negativeCountsFrom)));
                }
                var absent =
                        Failure.of(FailureClass.TRANSIENT, "verified", "the destination says that it did not happen");
                journal.didNotHappen(history, absent, Answer.Source.VERIFY);
            }
            case Verification.AskAgain<T> again -> {
                if (history.askedAgain() >= MOST_LOOKS) {
                    throw scope.ask(
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

    private Verification<T> ask(PlaceHistory history, Tried open) {
        var place = history.place();
        var verify = Objects.requireNonNull(contract.verify());
        var attempt = context.attempt(place, open.number(), LONGEST_LOOK);
        var outcome = scope.calls().call(place, Entry.Used.LOOK_UP, LONGEST_LOOK, () -> verify.ask(attempt));
        scope.rideUsed(place, Entry.Used.LOOK_UP);
        return switch (outcome) {
            case UserCode.CodeOutcome.Returned<Verification<T>> returned ->
                returned.value() == null ? Verification.cannotTell("the look-up returned null") : returned.value();
            case UserCode.CodeOutcome.Threw<Verification<T>> threw -> {
                if (scope.cutShort()) {
                    throw scope.handedBack();
                }
                if (history.cannotTell() == 0) {
                    scope.lookThrew(place, threw.thrown());
                }
                yield Verification.cannotTell(Failure.ofStep(threw.thrown()).message());
            }
        };
    }

    private Error lookAgain(PlaceHistory history, Entry entry, String why, Duration after) {
        return scope.later(Change.ReleaseJob.Until.WAIT, history.place(), why, after, entry);
    }
}
