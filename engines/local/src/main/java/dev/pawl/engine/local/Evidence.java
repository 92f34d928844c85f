package dev.pawl.engine.local;

import dev.pawl.journal.Entry;
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
    void tell(Committers committer, Uses uses) {
        for (var answer : untold) {
            try {
                if (committer.commitUnlessHeld(answer).isPresent()) {
                    untold.remove(answer);
                    uses.sent(used(answer));
                }
            } catch (StoreFailure later) {
                return;
            }
        }
    }
}
