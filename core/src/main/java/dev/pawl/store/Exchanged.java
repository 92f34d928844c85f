package dev.pawl.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an exchange.
 *
 * @param applied one for each change, in their order
 * @param claimed the jobs that are now the claimer's
 * @param next when the next job that was wanted but not yet due comes due; null when there is none, or more were due
 * @param limited whether limits of queues or lanes may have held some back that are due: then the end of any job may make room
 * @param now what the store's clock says
 */
public record Exchanged(
        List<Applied> applied,
        List<Claimed> claimed,
        @Nullable Instant next,
        boolean limited,
        Instant now) {
    /** An answer that no limits had a say in. */
    public Exchanged(List<Applied> applied, List<Claimed> claimed, @Nullable Instant next, Instant now) {
        this(applied, claimed, next, false, now);
    }
}
