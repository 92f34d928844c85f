package dev.pawl.engine.local;

import dev.pawl.effect.Answer;
import dev.pawl.effect.KnownEnd;
import dev.pawl.effect.Tried;
import dev.pawl.journal.Entry;
import dev.pawl.journal.History;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether what somebody knows of an attempt is news to a job. Pure. */
final class News {
    private News() {}

    /** The effect whose attempt {@code end} tells something new of; null when the journal knows it, or knows no such attempt. */
    static @Nullable Place of(List<JournalLine> journal, StoredJob job, KnownEnd end) {
        var resubmission = job.standing().resubmission();
        var jobHistory = History.of(journal, resubmission);
        for (var line : journal) {
            if (line.entry() instanceof Entry.Intended intended
                    && line.resubmission() == resubmission
                    && line.fence() == end.fence()
                    && intended.number() == end.number()
                    && EffectKey.of(job.identity(), intended.place(), resubmission)
                            .equals(end.key())) {
                var known = Objects.requireNonNull(jobHistory.at(intended.place())).attempts().stream()
                        .filter(tried -> tried.number() == end.number())
                        .findFirst()
                        .orElseThrow();
                return isNew(known, end.answer()) ? intended.place() : null;
            }
        }
        return null;
    }

    /** "Happened" outweighs everything that was said but itself; what did not happen is news only while nobody knows. */
    private static boolean isNew(Tried tried, Answer toldAnswer) {
        return tried.open() || (toldAnswer instanceof Answer.Happened && !(tried.answer() instanceof Answer.Happened));
    }
}
