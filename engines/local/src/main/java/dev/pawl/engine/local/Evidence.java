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
    void keep(Change.AnswerAttempt answering) {
        untold.add(answering);
    }

    /** What the answer tells of use. */
    static List<Entry> used(Change.AnswerAttempt answering) {
        return answering.used() == null ? List.of() : List.of(answering.used());
    }

    /** Tells what is untold; what cannot be told now stays. */
    void tell(Committers committers, BudgetBooks books, EventLog log) {
        for (var answering : untold) {
            try {
                var applied = committers.commitUnlessHeld(answering);
                if (applied.isPresent()) {
                    untold.remove(answering);
                    told(answering, applied.get(), books, log);
                }
            } catch (StoreFailure later) {
                return;
            }
        }
    }

    /** What happened has happened, also when its result is refused; what happened twice a person must hear of, however late it is known. */
    private void told(Change.AnswerAttempt answering, Applied applied, BudgetBooks books, EventLog log) {
        if (applied instanceof Applied.Refused
                && answering.answer() instanceof Answer.Happened happened
                && happened.kept()) {
            untold.add(new Change.AnswerAttempt(
                    answering.job(),
                    answering.id(),
                    answering.attempt(),
                    new Answer.Happened(null, false),
                    answering.source(),
                    answering.used()));
            return;
        }
        books.sent(used(answering));
        if (applied instanceof Applied.Duplicated duplicated) {
            log.duplicated(
                    duplicated.job(),
                    answering.attempt().place(),
                    answering.attempt().number(),
                    answering.answer());
        }
    }
}
