package dev.pawl.store;

import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.key.Place;
import java.util.Map;

/**
 * What an answer comes to, given what is known of all attempts of its effect. Pure.
 *
 * @param status the attempt's new status; as it was when the answer tells nothing new
 * @param duplicated whether another attempt happened too
 * @param settled whether the effect is no longer in doubt
 */
public record Answering(Status status, boolean duplicated, boolean settled) {

    /** What is known of an attempt. */
    public enum Status {
        /** May have happened. */
        OPEN,
        /** Happened. */
        HAPPENED,
        /** Did not happen. */
        DID_NOT_HAPPEN,
        /** Nobody knows, and a person said to go on. */
        WAIVED;

        static Status of(Answer answer) {
            return switch (answer) {
                case Answer.Happened a -> HAPPENED;
                case Answer.DidNotHappen a -> DID_NOT_HAPPEN;
                case Answer.Waived a -> WAIVED;
            };
        }
    }

    /**
     * Judges {@code answer} to attempt {@code number}. "Happened" outweighs everything said before; "did not happen" closes only its own
     * attempt and never takes a "happened" back.
     */
    public static Answering judge(Map<Integer, Status> attempts, int number, Answer answer) {
        var before = attempts.getOrDefault(number, Status.OPEN);
        var after = Status.of(answer);
        var othersOpen = any(attempts, number, Status.OPEN);
        var othersHappened = any(attempts, number, Status.HAPPENED);
        return switch (after) {
            case HAPPENED -> new Answering(after, othersHappened && before != Status.HAPPENED, true);
            case DID_NOT_HAPPEN, WAIVED ->
                before == Status.HAPPENED
                        ? new Answering(Status.HAPPENED, false, true)
                        : new Answering(after, false, !othersOpen);
            case OPEN -> throw new IllegalArgumentException("an answer never opens an attempt");
        };
    }

    /** Whether a job that stands like this goes on once the effect at {@code place} is no longer in doubt. */
    public static boolean wakes(StoredJob job, Place place) {
        var question = job.outcome().question();
        var asksAboutIt = question != null
                && question.place().equals(place)
                && question.kind().closedByAnswer();
        return job.state() == JobState.WAITING || (job.state() == JobState.PAUSED && asksAboutIt);
    }

    private static boolean any(Map<Integer, Status> attempts, int except, Status status) {
        return attempts.entrySet().stream().anyMatch(e -> e.getKey() != except && e.getValue() == status);
    }
}
