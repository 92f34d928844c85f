package dev.pawl.engine.local;

import dev.pawl.decision.Decision;
import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Settling;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.journal.PlaceHistory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settles effects in doubt by what a person says of them. */
final class PersonsWord {
    private final RunJournal journal;

    PersonsWord(RunJournal journal) {
        this.journal = journal;
    }

    /** Settles an effect that nothing else will settle. Returns what it still waits for; null when it is settled. */
    Ending.@Nullable Parked settle(PlaceHistory effect, QuestionKind kind, String why) {
        if (!effect.inDoubt()) {
            return null;
        }
        var decision = effect.retry();
        return decision == null
                ? Ending.asks(kind, effect.place(), "an attempt may have happened, and " + why, null)
                : believe(effect, decision);
    }

    /** Believes a person who said that it did not happen, once no attempt can land any more. Returns what that still waits for; null when it is settled. */
    Ending.@Nullable Parked believe(PlaceHistory effect, Decision decision) {
        var now = journal.storeNow();
        var from = decision.evenNow() ? now : Settling.settledFrom(effect.open());
        if (now.isBefore(from)) {
            return Ending.waits(effect.place(), "an earlier attempt may still land", Duration.between(now, from));
        }
        var said = Failure.decided(FailureClass.TRANSIENT, "a person said that it did not happen");
        journal.didNotHappen(effect, said, Answer.Source.PERSON);
        return null;
    }
}
