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
 * @param now what the store's clock says
 */
public record Exchanged(
        List<Applied> applied,
        List<Claimed> claimed,
        @Nullable Instant next,
        Instant now) {}
