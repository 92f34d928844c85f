package dev.pawl.engine.local;

import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.journal.PlaceHistory;
import dev.pawl.journal.PlaceHistory.Known;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import dev.pawl.store.Change;
import dev.pawl.time.Durations;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits: replay → is it there? → is its time up? → leave. A wait's end is recorded, so it ends once; its beginning is recorded too, so a
 * resume does not make it longer.
 */
final class WaitRunner {
    private static final Duration LONGEST = Duration.ofDays(3_650);

    private final Scope scope;
    private final RunJournal journal;

    WaitRunner(Scope scope) {
        this.scope = scope;
        this.journal = scope.context().journal();
    }

    void sleep(Named name, Duration howLong) {
        check(howLong);
        var today = scope.meet(name);
        var history = scope.recall(name, today);
        if (Scope.known(history) == null) {
            endOrLeave(history, Scope.recorded(history, today), howLong, "it sleeps");
        }
    }

    <T> Optional<T> awaitSignal(Named name, TypeToken<T> type, Duration longest) {
        check(longest);
        var today = scope.meet(name);
        var history = scope.recall(name, today);
        var at = Scope.recorded(history, today);
        var known = Scope.known(history);
        if (known != null) {
            return Optional.ofNullable(Replay.of(scope, at, known, type));
        }
        scope.beginsNew();
        var signal = journal.takeSignal(name.name());
        if (signal == null) {
            endOrLeave(history, at, longest, "it waits for signal " + name.name());
            return Optional.empty();
        }
        scope.record(new Entry.Received(at, signal));
        var received = new Known.Result(journal.message(signal).payload(), true);
        return Optional.ofNullable(Replay.of(scope, at, received, type));
    }

    /** Ends the wait when its time is up; else leaves until then. */
    private void endOrLeave(@Nullable PlaceHistory history, Place place, Duration longest, String why) {
        scope.comesTo(place);
        var until = history == null ? null : history.waitsUntil();
        if (until == null) {
            throw scope.later(Change.ReleaseJob.Until.WAIT, place, why, longest);
        }
        scope.waitOut(history);
        scope.record(new Entry.TimeUp(place));
    }

    private static void check(Duration longest) {
        if (longest.isNegative() || longest.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a wait is between nothing and ten years, not " + Durations.text(longest));
        }
    }
}
