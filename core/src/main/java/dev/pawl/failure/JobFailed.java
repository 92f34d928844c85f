package dev.pawl.failure;

import dev.pawl.key.Identity;
import dev.pawl.text.Visible;
import org.jspecify.annotations.Nullable;

/** The job failed, or was called off. It is kept with its whole history until someone deals with it. */
public final class JobFailed extends RuntimeException {

    private final @Nullable FailedAt why;

    /**
     * The job has ended without a result.
     *
     * @param why what failed; null when the job was called off
     * @param store how commands name the store, with a space before it; may be empty
     * @param thrown what its code has thrown there; null when it threw nothing, or nobody kept it
     */
    public JobFailed(Identity identity, @Nullable FailedAt why, String store, @Nullable Thrown thrown) {
        super(
                why == null
                        ? "job " + identity + " was called off"
                        : "job " + identity + " failed at "
                                + (why.place().name().isEmpty()
                                        ? "the workflow itself"
                                        : Visible.of(why.place().toString()))
                                + ": "
                                + Visible.lines(why.failure().message()) + "; mend it and run \"pawl retry " + identity
                                + " --note WHY"
                                + store + "\"",
                thrown == null ? null : new ThrownInJob(thrown));
        this.why = why;
    }

    /** What failed, and why; null when the job was called off. */
    public @Nullable FailedAt why() {
        return why;
    }
}
