package dev.pawl.store;

import dev.pawl.failure.FailedAt;
import dev.pawl.job.JobState;
import dev.pawl.journal.Message;
import dev.pawl.json.Json;
import dev.pawl.look.StoredJob;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a called job ended, as its caller is told.
 *
 * @param state DONE, FAILED or CANCELLED
 * @param result when it is done, as JSON
 * @param failure when it failed
 */
public record ChildEnd(
        JobState state, @Nullable String result, @Nullable FailedAt failure) {
    /** The message that tells run {@code resubmission} of a caller, who called at {@code place}, that {@code child} has ended. */
    public static Message message(StoredJob job, String place, int resubmission) {
        var outcome = job.outcome();
        var end = new ChildEnd(job.state(), outcome.result(), outcome.failure());
        return new Message(
                job.id() + "." + job.standing().fence() + "." + resubmission,
                Message.Kind.CHILD_ENDED,
                place,
                Json.write(end));
    }

    /** What such a message says. */
    public static ChildEnd of(Message message) {
        return Objects.requireNonNull(Json.read(message.payload(), ChildEnd.class));
    }
}
