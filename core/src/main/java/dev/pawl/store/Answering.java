package dev.pawl.store;

import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.History;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What an answer comes to, given what is known of all attempts of its effect. Pure.
 *
 * @param status the attempt's new status; as it was when the answer tells nothing new
 * @param duplicated whether a person must be told: the effect has happened twice now, or may have, or may have happened although the job ended without it
 * @param settled whether the effect is no longer in doubt
 * @param news whether the answer is recorded
 */
public record Answering(Status status, boolean duplicated, boolean settled, boolean news) {

    /** What is known of an attempt. */
    public enum Status {
        /** May have happened. */
        OPEN,
        /** Happened. */
        HAPPENED,
        /** Did not happen. */
        DID_NOT_HAPPEN,
        /** Nobody knows, and a person said to go on. */
        WAIVED,
        /** Nobody knows, and it no longer matters: another attempt happened. */
        SETTLED
    }

    /**
     * An attempt as a store keeps it.
     *
     * @param status what is known of it
     * @param intended when it was intended
     * @param rememberedUntil how long the destination takes an attempt under the same key for the same one
     */
    public record KnownAttempt(Status status, Instant intended, Instant rememberedUntil) {

        /** An attempt that was just intended. */
        public static KnownAttempt of(Entry.Intended intent, Instant now) {
            var memory = intent.terms().memory();
            return new KnownAttempt(Status.OPEN, now, memory == null ? now : now.plus(memory));
        }

        /** The same attempt with another status. */
        public KnownAttempt with(Status other) {
            return new KnownAttempt(other, intended, rememberedUntil);
        }
    }

    /**
     * Judges {@code answer} to attempt {@code number}. "Happened" outweighs everything said before; "did not happen" closes only its own
     * attempt and never takes a "happened" back. Only a worker knows of its own attempt: who looked at the destination, or a person, has seen
     * the effect, which may be another attempt's.
     */
    public static Answering judge(
            Map<Integer, KnownAttempt> attempts, int number, Answer answer, Answer.Source source) {
        var known = attempts.get(number);
        if (known == null) {
            throw new IllegalArgumentException("there is no attempt " + number);
        }
        return switch (answer) {
            case Answer.Happened ignored ->
                source != Answer.Source.WORKER && othersHappened(attempts, number)
                        ? becomes(known, known.status() == Status.OPEN ? Status.SETTLED : known.status(), false, true)
                        : becomes(
                                known,
                                Status.HAPPENED,
                                known.status() != Status.HAPPENED && twice(attempts, number, known),
                                true);
            case Answer.DidNotHappen ignored -> closed(attempts, number, Status.DID_NOT_HAPPEN);
            case Answer.Waived ignored -> closed(attempts, number, Status.WAIVED);
            case Answer.Late ignored ->
                throw new IllegalArgumentException("what is late is judged by when it was told");
        };
    }

    /**
     * Whether nobody will look at an attempt who knows that it was late: the effect has ended, or the job has, or somebody else runs it now, with what was
     * known when it was claimed.
     *
     * @param journal of the job's current run
     */
    public static boolean isOutOfSight(StoredJob job, Change.AttemptRef attempt, List<JournalLine> journal) {
        var run = job.standing().resubmission();
        if (attempt.resubmission() != run || job.state().finished()) {
            return true;
        }
        var history = History.of(journal, run).at(attempt.place());
        return history == null
                || history.known() != null
                || (job.state() == JobState.RUNNING && !isOwners(job, attempt, journal));
    }

    private static boolean isOwners(StoredJob job, Change.AttemptRef attempt, List<JournalLine> journal) {
        return journal.stream()
                .anyMatch(line -> line.fence() == job.standing().fence()
                        && line.entry() instanceof Entry.Intended intended
                        && intended.place().equals(attempt.place())
                        && intended.number() == attempt.number());
    }

    private static Answering becomes(KnownAttempt known, Status status, boolean duplicated, boolean settled) {
        return new Answering(status, duplicated, settled, status != known.status());
    }

    /**
     * Judges that attempt {@code number} may have been sent late, see {@link Answer.Late}. Where nothing was done since, it is in doubt again, and can land for
     * as long as one that was sent just now. Where something was, or nobody who knows of it will look, only a person can.
     *
     * @param outOfSight see {@link #isOutOfSight}
     * @param now when it was told: it was sent no later
     */
    public static Answering judgeLate(
            Map<Integer, KnownAttempt> attempts, int number, boolean outOfSight, Instant now) {
        var known = attempts.get(number);
        if (known == null) {
            throw new IllegalArgumentException("there is no attempt " + number);
        }
        return switch (known.status()) {
            case HAPPENED, WAIVED -> new Answering(known.status(), false, false, false);
            case OPEN -> new Answering(Status.OPEN, outOfSight, false, true);
            case DID_NOT_HAPPEN, SETTLED -> {
                var others = attempts.entrySet().stream()
                        .filter(other -> other.getKey() != number)
                        .map(Map.Entry::getValue)
                        .filter(other -> other.status() == Status.HAPPENED || other.status() == Status.OPEN)
                        .toList();
                if (others.isEmpty() && !outOfSight) {
                    yield new Answering(Status.OPEN, false, false, true);
                }
                // A destination that remembers the other one still takes this one for the same.
                var again =
                        others.isEmpty() || others.stream().anyMatch(other -> !now.isBefore(other.rememberedUntil()));
                yield new Answering(known.status(), again, false, false);
            }
        };
    }

    private static Answering closed(Map<Integer, KnownAttempt> attempts, int number, Status after) {
        var before = Objects.requireNonNull(attempts.get(number)).status();
        return before == Status.HAPPENED || before == Status.SETTLED
                ? new Answering(before, false, true, false)
                : new Answering(after, false, !othersOpen(attempts, number), after != before);
    }

    /** Whether a job that stands like this goes on once the effect at {@code place} is no longer in doubt. */
    public static boolean wakes(StoredJob job, Place place) {
        return job.state() == JobState.WAITING || (job.state() == JobState.PAUSED && closesQuestion(job, place));
    }

    /**
     * Whether a job that stands like this asks anew after {@code answer} to an attempt at {@code place}: what it asks was said before anybody knew that the attempt
     * was sent late, and so was what a person makes of it.
     */
    public boolean asksAnew(StoredJob job, Place place, Answer answer) {
        return answer instanceof Answer.Late
                && status == Status.OPEN
                && job.state() == JobState.PAUSED
                && closesQuestion(job, place);
    }

    /** Whether what {@code job} asks is moot once the effect at {@code place} is no longer in doubt. */
    public static boolean closesQuestion(StoredJob job, Place place) {
        var question = job.outcome().question();
        return question != null
                && question.place().equals(place)
                && question.kind().closedByAnswer();
    }

    /**
     * Whether another attempt happened, or may have, that the destination did not take for the same one. An attempt that was taken for not
     * happened made room for others: those of which nobody knows count too, because a person must hear of what may have happened twice.
     */
    private static boolean twice(Map<Integer, KnownAttempt> attempts, int number, KnownAttempt known) {
        var madeRoom = known.status() == Status.DID_NOT_HAPPEN;
        return attempts.entrySet().stream()
                .filter(other -> other.getKey() != number)
                .filter(other -> other.getValue().status() == Status.HAPPENED
                        || (madeRoom && other.getValue().status() == Status.OPEN))
                .anyMatch(other -> !sameToTheDestination(known, other.getValue()));
    }

    private static boolean sameToTheDestination(KnownAttempt one, KnownAttempt otherAttempt) {
        var earlier = one.intended().isBefore(otherAttempt.intended()) ? one : otherAttempt;
        var later = earlier.equals(one) ? otherAttempt : one;
        return later.intended().isBefore(earlier.rememberedUntil());
    }

    private static boolean othersHappened(Map<Integer, KnownAttempt> attempts, int number) {
        return attempts.entrySet().stream()
                .anyMatch(other -> other.getKey() != number && other.getValue().status() == Status.HAPPENED);
    }

    private static boolean othersOpen(Map<Integer, KnownAttempt> attempts, int number) {
        return attempts.entrySet().stream()
                .anyMatch(other -> other.getKey() != number && other.getValue().status() == Status.OPEN);
    }
}
