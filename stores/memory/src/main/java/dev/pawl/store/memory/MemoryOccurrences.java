package dev.pawl.store.memory;

import dev.pawl.list.Cursor;
import dev.pawl.look.Occurrence;
import dev.pawl.look.Occurrence.What;
import dev.pawl.store.OccurrencePosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What happened after a cursor. Guarded by the store's lock. */
final class MemoryOccurrences {
    private MemoryOccurrences() {}

    static List<Occurrence> after(MemoryDocuments documents, Cursor cursor, int most) {
        var found = new ArrayList<Occurrence>();
        var from = OccurrencePosition.of(cursor);
        var at = from;
        for (var job : documents.after(from.submitted())) {
            if (found.size() == most) {
                return found;
            }
            at = new OccurrencePosition(job.id(), at.recorded(), at.ended());
            found.add(new Occurrence(at.cursor(), job.id(), job.identity(), new What.Submitted()));
        }
        var recorded = documents.all().stream()
                .flatMap(job -> job.journal().stream()
                        .filter(line -> line.seq() > from.recorded())
                        .map(line -> new Occurrence(cursor, job.id(), job.identity(), new What.Recorded(line))))
                .sorted(Comparator.comparingLong(
                        one -> ((What.Recorded) one.what()).line().seq()))
                .toList();
        for (var one : recorded) {
            if (found.size() == most) {
                return found;
            }
            at = new OccurrencePosition(
                    at.submitted(), ((What.Recorded) one.what()).line().seq(), at.ended());
            found.add(new Occurrence(at.cursor(), one.job(), one.identity(), one.what()));
        }
        var ended = documents.all().stream()
                .filter(job -> job.ended() > from.ended() && job.view().state().finished())
                .sorted(Comparator.comparingLong(job -> job.ended()))
                .toList();
        for (var job : ended) {
            if (found.size() == most) {
                return found;
            }
            at = new OccurrencePosition(at.submitted(), at.recorded(), job.ended());
            found.add(new Occurrence(
                    at.cursor(),
                    job.id(),
                    job.identity(),
                    new What.Ended(job.view().state())));
        }
        return found;
    }
}
