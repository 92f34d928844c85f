package dev.pawl.engine.local;

import dev.pawl.decision.QuestionKind;
import dev.pawl.failure.FailedAt;
import dev.pawl.gate.Gate;
import dev.pawl.journal.Entry;
import dev.pawl.key.Place;
import dev.pawl.store.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a run of a job ends. */
sealed interface Ending {
    /** The job is still ours, to be left like this. */
    sealed interface Ours extends Ending {}

    /** What is owed could not be ended, or not yet. */
    sealed interface Unpaid extends Ending {}

    /** The code was stopped on its way; this is also how an item of a fan-out ends. */
    sealed interface Parked extends Ours, Unpaid {}

    /** The workflow returned. */
    record Done(String result) implements Ours {}

    /**
     * The job failed.
     *
     * @param leaves how many things that it began go on elsewhere
     * @param thrown what the workflow has thrown; null when it threw nothing
     */
    record Failed(FailedAt failedAt, int leaves, @Nullable Throwable thrown) implements Ours, Unpaid {
        /** One that leaves nothing, and was not thrown. */
        Failed(FailedAt failedAt) {
            this(failedAt, null);
        }

        /** One that leaves nothing. */
        Failed(FailedAt failedAt, @Nullable Throwable thrown) {
            this(failedAt, 0, thrown);
        }

        /** The same, and so much of what it began goes on. */
        Failed leaving(int going) {
            return new Failed(failedAt, going, thrown);
        }
    }

    /** The job was called off. */
    record CalledOff() implements Parked {}

    /** It is looked at again after a while. */
    record Later(Change.ReleaseJob.Until until, List<Entry> entries, String why, Duration after) implements Parked {
        /** The sooner of both; WAITING if one of them waits, so that a message wakes it. */
        Later with(Later other) {
            var sooner = other.after.compareTo(after) < 0 ? other : this;
            var waits = other.until == Change.ReleaseJob.Until.WAIT ? other.until : until;
            return new Later(waits, entries, sooner.why, sooner.after);
        }
    }

    /** It asks a person; {@code after} is when to look again although nobody answered, null for never. */
    record Asks(
            List<Entry> entries,
            NewQuestion newQuestion,
            @Nullable Duration after) implements Parked {
        /** The same, looked at again after {@code other} too, if that is sooner. */
        Asks lookingAgain(@Nullable Duration other) {
            return other != null && (after == null || other.compareTo(after) < 0)
                    ? new Asks(entries, newQuestion, other)
                    : this;
        }
    }

    /** It waits at a gate; {@code after} is when to look again although the gate is closed, null for never. */
    record AtGate(
            List<Entry> entries, Gate.Wish wish, @Nullable Duration after) implements Parked {}

    /** How often a job looks at a gate at which only some of its items wait. */
    Duration LOOK_AT_GATE = Duration.ofMinutes(5);

    /** It is somebody else's now, or soon will be. */
    record Lost(String why) implements Unpaid {}

    /** A question that has no number yet; {@code request} is what the code asks for now, where it is about that. */
    record NewQuestion(
            QuestionKind kind,
            Place place,
            String because,
            @Nullable String request) {}

    /**
     * The ending that stands for several of one run: a question outweighs a wait, so that a person hears of it; what else is due is looked at
     * in its time. Everything that was to be recorded is.
     */
    static Parked heaviest(List<Parked> endings) {
        var entries = new ArrayList<Entry>();
        Asks asks = null;
        Later later = null;
        AtGate atGate = null;
        for (var ending : endings) {
            switch (ending) {
                case Asks one -> {
                    if (asks == null) {
                        entries.addAll(one.entries());
                        asks = one;
                    } else {
                        // Whoever is not asked about yet has all its time when it is.
                        one.entries().stream()
                                .filter(entry -> !(entry instanceof Entry.ApprovalWanted))
                                .forEach(entries::add);
                        asks = asks.lookingAgain(one.after());
                    }
                }
                case Later one -> {
                    entries.addAll(one.entries());
                    later = later == null ? one : later.with(one);
                }
                case AtGate one -> {
                    entries.addAll(one.entries());
                    if (atGate != null
                            && !atGate.wish().name().equals(one.wish().name())) {
                        later = soonest(later, LOOK_AT_GATE);
                    }
                    atGate = atGate == null ? one : atGate;
                }
                case CalledOff one -> {
                    return one;
                }
            }
        }
        if (asks != null) {
            if (atGate != null) {
                later = soonest(later, LOOK_AT_GATE);
            }
            var soonest = asks.lookingAgain(later == null ? null : later.after());
            return new Asks(entries, asks.newQuestion(), soonest.after());
        }
        if (atGate != null) {
            return new AtGate(entries, atGate.wish(), later == null ? null : later.after());
        }
        return new Later(Objects.requireNonNull(later).until(), entries, later.why(), later.after());
    }

    /** The same of a run that only goes over what is recorded: where it came to what is not, nothing is to be waited for. */
    static Parked heaviestOfReplayed(List<Parked> endings) {
        var waiting = endings.stream()
                .filter(ending -> !(ending instanceof CalledOff))
                .toList();
        return waiting.isEmpty() ? new CalledOff() : heaviest(waiting);
    }

    private static Later soonest(@Nullable Later before, Duration after) {
        var one = new Later(Change.ReleaseJob.Until.WAIT, List.of(), "some wait at a gate", after);
        return before == null ? one : before.with(one);
    }

    /** It asks a person; {@code request} is what the code asks for now, where the question is about that. */
    static Asks asks(QuestionKind kind, Place place, String because, @Nullable String request) {
        return new Asks(List.of(), new NewQuestion(kind, place, because, request), null);
    }

    /** It leaves until the wait at {@code place} is over, and nothing is recorded of that. */
    static Later waits(Place place, String why, Duration after) {
        return new Later(Change.ReleaseJob.Until.WAIT, List.of(), place + ": " + why, after);
    }

    /** The worker stops. */
    static Parked handBack() {
        return new Later(Change.ReleaseJob.Until.HAND_BACK, List.of(), "its worker stops", Duration.ZERO);
    }

    /** The store knows what this run does not, that an attempt may have been sent late, say: whoever claims the job next knows of it. */
    static Later knowsLess(List<Entry> entries, String why) {
        return new Later(Change.ReleaseJob.Until.HAND_BACK, entries, why, Duration.ofSeconds(1));
    }
}
