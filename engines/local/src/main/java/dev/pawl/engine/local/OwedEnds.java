package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Contract;
import dev.pawl.effect.OwedEnd;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.LeaseLost;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.journal.PlaceHistory.Known;
import dev.pawl.json.TypeToken;
import dev.pawl.json.Values;
import dev.pawl.key.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Ends elsewhere what the job began there and awaits no more. How that is done the code says, whenever it comes to the effect that began it. */
final class OwedEnds {
    /** What an end is called, in the scope of what it ends. */
    private static final String END = "end";

    /** Ending something twice does no more than ending it once, whenever. */
    private static final Duration EVER = Duration.ofDays(3_650);

    private final RunJournal journal;
    private final Map<Place, MetEnd<?>> metEnds = new ConcurrentHashMap<>();

    OwedEnds(RunJournal journal) {
        this.journal = journal;
    }

    /** How what an effect begins is ended, and what that is given. */
    private record MetEnd<T>(OwedEnd<T> owedEnd, TypeToken<T> type) {
        @SuppressWarnings("NullAway") // an effect may come to null, and an end comes to nothing
        private void end(Scope scope, @Nullable String begun) {
            T there = begun == null ? null : Values.read(begun, type);
            new EffectRunner<>(scope, Named.named(END), Contract.<String>idempotent(EVER), TypeToken.of(String.class))
                    .run(there, (what, attempt) -> {
                        owedEnd.end().end(what, attempt);
                        return null;
                    });
        }
    }

    /** The code has come to an effect at {@code place} that begins something elsewhere. */
    <T> void met(Place place, OwedEnd<T> owedEnd, TypeToken<T> type) {
        metEnds.put(place, new MetEnd<>(owedEnd, type));
    }

    /**
     * Ends everything that is owed; what certainly never began is owed no end. That one of them waits, or cannot be ended, keeps no other from it.
     *
     * @param thrown what kept the code from going on, and perhaps from coming to what began something; null when nothing did
     * @return how the run leaves instead; null when nothing is owed any more that can be ended, which rides in {@code top}
     */
    Ending.@Nullable Unpaid pay(Scope top, @Nullable Throwable thrown) {
        var waits = new ArrayList<Ending.Parked>();
        Ending.Failed failed = null;
        for (var begun : journal.owed().keySet()) {
            var history = journal.known(begun);
            if (history.inDoubt()) {
                // It is settled first, or asked about.
                continue;
            }
            var ending = hasBegun(history) ? end(begun, top, thrown) : null;
            switch (ending) {
                case null -> top.ride(new Entry.OwesNoMore(begun));
                case Ending.Parked parked -> waits.add(parked);
                case Ending.Failed one -> failed = failed == null ? one : failed;
                case Ending.Lost lost -> {
                    return lost;
                }
            }
        }
        return waits.isEmpty() ? failed : Ending.heaviest(waits);
    }

    /** Whether the code has not come to something that it began and that is owed an end. */
    boolean missesSome() {
        return !metEnds.keySet().containsAll(journal.owed().keySet());
    }

    /** Leaves what goes on elsewhere, of a job that ends: nothing of it is in doubt. What certainly never began is owed no end. Returns how much is left. */
    int leave(Scope top) {
        var left = 0;
        for (var begun : journal.owed().keySet()) {
            if (hasBegun(journal.known(begun))) {
                left++;
            } else {
                top.ride(new Entry.OwesNoMore(begun));
            }
        }
        return left;
    }

    /** Whether something began where nothing is in doubt any more: also where a person went on without what came of it. */
    private static boolean hasBegun(PlaceHistory history) {
        return history.known() instanceof Known.Result
                || history.attempts().stream().anyMatch(tried -> tried.answer() instanceof Answer.Happened);
    }

    private Ending.@Nullable Unpaid end(Place begun, Scope top, @Nullable Throwable thrown) {
        var place = new Place(begun.inside(), END, "");
        var metEnd = metEnds.get(begun);
        if (metEnd == null) {
            var unsettled = uncalled(place);
            return unsettled == null
                    ? failed(
                            place,
                            thrown == null
                                    ? "the code no longer comes to " + begun + ", which began something there"
                                    : "before the code came to " + begun + ", which began something there, it failed: "
                                            + Failure.ofStep(thrown).message())
                    : unsettled;
        }
        if (!(journal.known(begun).known() instanceof Known.Result result) || !result.kept()) {
            return failed(place, "what came of " + begun + " was not kept, and says what it began there");
        }
        var scope = top.beside(begun.inside());
        scope.endWhatIsOwed();
        var outcome = UserCode.call(() -> {
            metEnd.end(scope, result.json());
            return begun;
        });
        top.takeOn(scope);
        if (scope.parked() != null) {
            return scope.parked();
        }
        return switch (outcome) {
            case UserCode.CodeOutcome.Returned<Place> ignored -> null;
            case UserCode.CodeOutcome.Threw<Place> threw -> failed(place, threw.thrown());
        };
    }

    /** An end that may have happened, where nothing says any more how to end it. */
    private Ending.@Nullable Parked uncalled(Place place) {
        var history = journal.at(place);
        return history == null
                ? null
                : new PersonsWord(journal)
                        .settle(history, QuestionKind.NO_LONGER_CALLED, "the code no longer comes to it");
    }

    private static Ending.Unpaid failed(Place place, Throwable thrown) {
        if (thrown instanceof LeaseLost lost) {
            return new Ending.Lost(String.valueOf(lost.getMessage()));
        }
        var failure = thrown instanceof StepFailed stepFailed ? stepFailed.failure() : Failure.ofStep(thrown);
        return failed(place, failure.message());
    }

    private static Ending.Unpaid failed(Place place, String why) {
        return new Ending.Failed(new FailedAt(place, Failure.notEnded(why)));
    }
}
