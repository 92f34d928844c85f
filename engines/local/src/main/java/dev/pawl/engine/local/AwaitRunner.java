package dev.pawl.engine.local;

import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Finding;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.Rhythm;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import dev.pawl.store.Change;
import dev.pawl.store.ClockAhead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waits for something that goes on elsewhere: replay → look → record what it found in the end, or leave until the next look. Between its first look and its end
 * nothing is recorded but what changes for people.
 *
 * @param <T> what it ends with
 */
final class AwaitRunner<T> {
    private static final Duration LONGEST_LOOK = Duration.ofMinutes(2);

    /** When nobody could look for so long, a person is asked. */
    private static final Duration WITHOUT_A_LOOK = Duration.ofDays(1);

    private static final String LOOKS_FAIL =
            "for a day nobody could look how it goes on; the journal has why since when (looks fail)";

    /** So many signals make one look; the others make the next. */
    private static final int MOST_HINTS = 100;

    private final Scope scope;
    private final RunJournal journal;
    private final Named name;
    private final TypeToken<T> type;
    private final Rhythm rhythm;

    AwaitRunner(Scope scope, Named name, TypeToken<T> type, Rhythm rhythm) {
        this.scope = scope;
        this.journal = scope.context().journal();
        this.name = name;
        this.type = type;
        this.rhythm = rhythm;
    }

    T run(Job.Look<T> looking) {
        var today = scope.meet(name);
        var history = scope.recall(name, today);
        var place = Scope.recorded(history, today);
        var known = Scope.known(history);
        if (known != null) {
            if (known instanceof PlaceHistory.Known.Result) {
                ended(place).forEach(scope::ride);
            }
            return Replay.of(scope, place, known, type);
        }
        scope.comesToLook(place);
        scope.settleIfItWasAnEffect(history);
        var hints = hints(place);
        journal.ensureLease();
        var outcome = scope.calls()
                .call(place, Entry.Used.LOOK_UP, name.timeout() == null ? LONGEST_LOOK : name.timeout(), looking::look);
        scope.rideUsed(place, Entry.Used.LOOK_UP);
        scope.refuseIfSpoiled();
        return switch (outcome) {
            case UserCode.CodeOutcome.Returned<Finding<T>> returned -> {
                if (returned.value() == null) {
                    throw cannotLook(place, history, hints, "the look returned null");
                }
                yield found(place, history, hints, returned.value());
            }
            case UserCode.CodeOutcome.Threw<Finding<T>> threw -> {
                if (scope.cutShort()) {
                    throw scope.handedBack();
                }
                if (history == null || history.looksFailSince() == null) {
                    scope.lookThrew(place, threw.thrown());
                }
                throw cannotLook(
                        place, history, hints, Failure.ofStep(threw.thrown()).message());
            }
        };
    }

    private T found(Place place, @Nullable PlaceHistory history, List<Entry> hints, Finding<T> found) {
        return switch (found) {
            case Finding.Done<T>(var result) -> {
                var kept = kept(place, hints, result);
                hints.add(new Entry.StepDone(place, kept.json()));
                hints.addAll(ended(place));
                scope.record(hints.toArray(Entry[]::new));
                yield kept.value();
            }
            case Finding.Failed<T>(var why) ->
                throw giveUp(place, hints, Failure.of(FailureClass.PERMANENT, "elsewhere", why), null);
            case Finding.Going<T> ignored -> {
                canLook(place, history, hints);
                throw leave(place, history, hints, "it goes on elsewhere");
            }
            case Finding.Needs<T>(var question) -> {
                canLook(place, history, hints);
                throw ask(place, history, hints, question);
            }
        };
    }

    /** What is awaited here has ended there, and is owed no end any more. */
    private List<Entry> ended(Place place) {
        var names = new HashSet<>(name.oldPlaces(scope.name()));
        names.add(name.place(scope.name()));
        names.add(place);
        return journal.owed().entrySet().stream()
                .filter(owed -> names.contains(owed.getValue()))
                .<Entry>map(owed -> new Entry.OwesNoMore(owed.getKey()))
                .toList();
    }

    /** What it ended with, as a resume will see it; what cannot be kept is a failure, as a step's is. */
    private RecordedResult<T> kept(Place place, List<Entry> hints, @Nullable T result) {
        try {
            return RecordedResult.of(result, type);
        } catch (PermanentFailure cannotBeKept) {
            throw giveUp(place, hints, Failure.ofStep(cannotBeKept), cannotBeKept);
        }
    }

    /** It has ended there, and nothing comes of it here. */
    private StepFailed giveUp(Place place, List<Entry> hints, Failure failure, @Nullable Throwable cause) {
        hints.add(new Entry.GaveUp(place, failure));
        hints.addAll(ended(place));
        scope.record(hints.toArray(Entry[]::new));
        return new StepFailed(place, failure, cause);
    }

    /** A look that tells nothing is told once, and a person is asked when there was no other for long. */
    private Error cannotLook(Place place, @Nullable PlaceHistory history, List<Entry> hints, String why) {
        var now = journal.storeNow();
        var since = history == null ? null : history.looksFailSince();
        if (since == null || since.isAfter(now.plus(ClockAhead.TOLERATED))) {
            hints.add(new Entry.LooksFail(place, why));
        } else if (Duration.between(since, now).compareTo(WITHOUT_A_LOOK) >= 0) {
            return ask(place, history, hints, LOOKS_FAIL);
        }
        var standing = standing(place);
        return standing == null
                ? leave(place, history, hints, "nobody could look how it goes on")
                : ask(place, history, hints, standing.because());
    }

    /** What is asked about this already: a look that tells nothing does not answer it. */
    private @Nullable Question standing(Place place) {
        var question = scope.context().job().outcome().question();
        return question != null
                        && question.kind() == QuestionKind.ELSEWHERE
                        && question.place().equals(place)
                ? question
                : null;
    }

    private static void canLook(Place place, @Nullable PlaceHistory history, List<Entry> entries) {
        if (history != null && history.looksFailSince() != null) {
            entries.add(new Entry.LooksFail(place, null));
        }
    }

    /** Signals that made it look are received once it waits again, or need not any more. */
    private List<Entry> hints(Place place) {
        var hints = new ArrayList<Entry>();
        if (rhythm.wokenBy() != null) {
            for (var hint = journal.takeSignal(rhythm.wokenBy());
                    hint != null && hints.size() < MOST_HINTS;
                    hint = journal.takeSignal(rhythm.wokenBy())) {
                hints.add(new Entry.Heard(place, hint));
            }
        }
        return hints;
    }

    private Error leave(Place place, @Nullable PlaceHistory history, List<Entry> entries, String why) {
        var after = untilNextLook(place, history, entries);
        return scope.park(new Ending.Later(Change.ReleaseJob.Until.WAIT, entries, place + ": " + why, after));
    }

    private Error ask(Place place, @Nullable PlaceHistory history, List<Entry> entries, String because) {
        var after = untilNextLook(place, history, entries);
        return scope.park(
                new Ending.Asks(entries, new Ending.NewQuestion(QuestionKind.ELSEWHERE, place, because, null), after));
    }

    /** The first look is when the wait began, and is recorded. */
    private Duration untilNextLook(Place place, @Nullable PlaceHistory history, List<Entry> entries) {
        var now = journal.storeNow();
        var since = history == null ? null : history.waitsSince();
        if (since == null || since.isAfter(now.plus(ClockAhead.TOLERATED))) {
            entries.add(new Entry.Waits(place, rhythm.to()));
            return rhythm.from();
        }
        return rhythm.after(Duration.between(since, now));
    }
}
