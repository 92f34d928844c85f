package dev.pawl.engine.local;

import dev.pawl.effect.Answer;
import dev.pawl.journal.Entry;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.StoreFailure;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What became of attempts, while the store could not be told. It is told as soon as it can be, for as long as the process lives: a person should
 * not be asked about something that somebody here knows. Thread-safe.
 */
final class Evidence {
    private final ConcurrentLinkedQueue<Change.AnswerAttempt> untold = new ConcurrentLinkedQueue<>();

    /** Keeps an answer that the store did not take. */
    void keep(Change.AnswerAttempt answer) {
        untold.add(answer);
    }

    /** What the answer tells of use. */
    static List<Entry> used(Change.AnswerAttempt answer) {
        return answer.used() == null ? List.of() : List.of(answer.used());
    }

    /** Tells what is untold; what cannot be told now stays. */
    void tell(Committers committer, Uses uses, EventLog log) {
        for (var answer : untold) {
            try {
                var applied = committer.commitUnlessHeld(answer);
                if (applied.isPresent()) {
                    untold.remove(answer);
                    told(answer, applied.get(), uses, log);
                }
            } catch (StoreFailure later) {
                return;
            }
        }
    }

    /** What happened has happened, also when its result is refused; what happened twice a person must hear of, however late it is known. */
    private void told(Change.AnswerAttempt answer, Applied applied, Uses uses, EventLog log) {
        if (applied instanceof Applied.Refused
                && answer.answer() instanceof Answer.Happened happened
                && happened.kept()) {
            untold.add(new Change.AnswerAttempt(
                    answer.job(),
                    answer.id(),
                    answer.attempt(),
                    new Answer.Happened(null, false),
                    answer.source(),
                    answer.used()));
            return;
        }
        uses.sent(used(answer));
        if (applied instanceof Applied.Duplicated duplicated) {
            log.duplicated(
                    duplicated.job(), answer.attempt().place(), answer.attempt().number());
        }
    }
}
