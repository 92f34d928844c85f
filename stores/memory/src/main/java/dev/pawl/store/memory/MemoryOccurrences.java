package dev.pawl.store.memory;

import dev.pawl.store.Occurrence;
import dev.pawl.store.Occurrence.Cursor;
import dev.pawl.store.Occurrence.What;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What happened after a cursor. Guarded by the store's lock. */
final class MemoryOccurrences {
    private MemoryOccurrences() {}

    static List<Occurrence> after(MemoryDocuments documents, Cursor cursor, int most) {
        var found = new ArrayList<Occurrence>();
        var at = cursor;
        for (var job : documents.after(cursor.submitted())) {
            if (found.size() == most) {
                return found;
            }
            at = new Cursor(job.id(), at.recorded(), at.ended());
            found.add(new Occurrence(at, job.id(), job.identity(), new What.Submitted()));
        }
        var recorded = documents.all().stream()
                .flatMap(job -> job.journal().stream()
                        .filter(line -> line.seq() > cursor.recorded())
                        .map(line -> new Occurrence(cursor, job.id(), job.identity(), new What.Recorded(line))))
                .sorted(Comparator.comparingLong(
                        one -> ((What.Recorded) one.what()).line().seq()))
                .toList();
        for (var one : recorded) {
            if (found.size() == most) {
                return found;
            }
            at = new Cursor(at.submitted(), ((What.Recorded) one.what()).line().seq(), at.ended());
            found.add(new Occurrence(at, one.job(), one.identity(), one.what()));
        }
        var ended = documents.all().stream()
                .filter(job ->
                        job.ended() > cursor.ended() && job.view().state().finished())
                .sorted(Comparator.comparingLong(job -> job.ended()))
                .toList();
        for (var job : ended) {
            if (found.size() == most) {
                return found;
            }
            at = new Cursor(at.submitted(), at.recorded(), job.ended());
            found.add(new Occurrence(
                    at, job.id(), job.identity(), new What.Ended(job.view().state())));
        }
        return found;
    }
}
