package dev.pawl.store;

import dev.pawl.ledger.RowOutcome;
import dev.pawl.look.StoredJob;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What became of a change. */
public sealed interface Applied {

    /** It was done now. {@code job} is the job as it stands, where that is not plain from the change. */
    record Now(@Nullable StoredJob job) implements Applied {}

    /** This very change was done before, or the submitted job was there already; {@code job} is what is stored. */
    record Already(@Nullable StoredJob job) implements Applied {}

    /** A job was there that nobody had started on, and its input was replaced. */
    record Replaced(StoredJob job) implements Applied {}

    /** It was done now, and tells that an effect happened twice: another attempt had happened too. A person must be told. */
    record Duplicated(StoredJob job) implements Applied {}

    /** So many jobs were pruned. */
    record Pruned(int jobs) implements Applied {}

    /**
     * A dead worker's jobs were given back.
     *
     * @param jobs how they stand now
     * @param more whether it has others yet: the same is to be asked once more
     */
    record TookOver(List<StoredJob> jobs, boolean more) implements Applied {
        public TookOver {
            jobs = List.copyOf(jobs);
        }
    }

    /**
     * A worker has beaten, now or before.
     *
     * @param calledOff those of its jobs that were called off
     */
    record Beaten(Set<Long> calledOff) implements Applied {
        public Beaten {
            calledOff = Set.copyOf(calledOff);
        }
    }

    /**
     * What became of each row of a change, in their order.
     *
     * @param outcomes one for each
     */
    record OfRows(List<RowOutcome> outcomes) implements Applied {
        public OfRows {
            outcomes = List.copyOf(outcomes);
        }
    }

    /** The fence is old, or the worker was declared dead. Nothing was changed. */
    record LeaseLost() implements Applied {}

    /** It does not fit what is stored: another input, an older question. Nothing was changed. */
    record Conflict(String why, @Nullable StoredJob job) implements Applied {}

    /** Not yet: the rate allows the next one after this long. Nothing was changed. */
    record NotYet(Duration after) implements Applied {}

    /** The job was called off: it begins nothing new. Nothing was changed. */
    record CalledOff() implements Applied {}

    /**
     * So many jobs wait no longer than they were to.
     *
     * @param ahead how far the clock was ahead, of the farthest of them
     * @param more whether others still do: there were too many of them, or somebody else held them just then
     */
    record Mended(long jobs, Duration ahead, boolean more) implements Applied {}

    /** It can never be done. Nothing was changed. */
    record Refused(String why) implements Applied {}

    /** Done now. */
    static Applied now() {
        return new Now(null);
    }

    /** Done before. */
    static Applied already() {
        return new Already(null);
    }

    /** The job as it stands, where the store said so; else null. */
    default @Nullable StoredJob stored() {
        return switch (this) {
            case Now now -> now.job();
            case Already already -> already.job();
            case Replaced replaced -> replaced.job();
            case Duplicated duplicated -> duplicated.job();
            case Conflict conflict -> conflict.job();
            case TookOver ignored -> null;
            case Pruned ignored -> null;
            case Beaten ignored -> null;
            case Mended ignored -> null;
            case OfRows ignored -> null;
            case LeaseLost lost -> null;
            case CalledOff off -> null;
            case NotYet later -> null;
            case Refused refused -> null;
        };
    }

    /** Whether it is done, now or before. */
    default boolean done() {
        return this instanceof Now
                || this instanceof Already
                || this instanceof Replaced
                || this instanceof Duplicated
                || this instanceof TookOver
                || this instanceof Pruned
                || this instanceof Beaten
                || this instanceof Mended
                || this instanceof OfRows;
    }
}
