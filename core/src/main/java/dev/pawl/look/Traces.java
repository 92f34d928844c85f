package dev.pawl.look;

import dev.pawl.failure.Thrown;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Place;
import java.util.List;
import java.util.Optional;

/** Finds what the code of a job has thrown. */
public final class Traces {
    private Traces() {}

    /** What an attempt at {@code place} has thrown last, in this run of {@code job}, as far as {@code newestFirst} has it. */
    public static Optional<Thrown> last(List<JournalLine> newestFirst, StoredJob job, Place place) {
        return newestFirst.stream()
                .filter(line -> line.resubmission() == job.standing().resubmission())
                .map(JournalLine::entry)
                .filter(Entry.Threw.class::isInstance)
                .map(Entry.Threw.class::cast)
                .filter(threw -> threw.place().equals(place) && threw.number() != Entry.Used.LOOK_UP)
                .map(Entry.Threw::thrown)
                .findFirst();
    }
}
