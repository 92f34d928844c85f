package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.List;

/** How a run of a job ends. */
sealed interface Ending {
    /** The workflow returned. */
    record Done(String result) implements Ending {}

    /** The job failed. */
    record Failed(Change.FailedAt why) implements Ending {}

    /** It is looked at again after a while. */
    record Later(Change.ReleaseJob.Until until, List<Entry> entries, String why, Duration after) implements Ending {}

    /** It asks a person. */
    record Asks(List<Entry> entries, Asking asking) implements Ending {}

    /** It is somebody else's now, or soon will be. */
    record Lost(String why) implements Ending {}

    /** A question that has no number yet. */
    record Asking(QuestionKind kind, Place place, String because) {}

    /** The worker stops. */
    static Ending handBack() {
        return new Later(Change.ReleaseJob.Until.HAND_BACK, List.of(), "its worker stops", Duration.ZERO);
    }
}
