package dev.pawl.store.jdbc;

import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.StoredJob;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How jobs ended, as numbers: what lists and counts of finished jobs go by. Ten times the number of the state, and for those that failed the number of the
 * class beside it; a hundred more where only the tombstone is left. The numbers are for ever.
 */
public final class EndingCodes {
    private static final int PRUNED = 100;
    private static final int STATE = 10;

    private static final ColumnCodes<FailureClass> CLASSES = ColumnCodes.of(
            FailureClass.class,
            List.of(FailureClass.TRANSIENT, FailureClass.PERMANENT, FailureClass.AMBIGUOUS, FailureClass.ACCOUNT));

    /** All of jobs that are not pruned, as a query for SQL. */
    static final String ALL = in(JobQuery.all()).stream()
            .map(code -> "select " + code + " as code")
            .collect(Collectors.joining(" union all "));

    private EndingCodes() {}

    /** How a job in this state ended; null when it has not. */
    public static @Nullable Integer of(JobState state, StoredJob.Outcome outcome) {
        if (!state.finished()) {
            return null;
        }
        var failure = JobSummary.failedAs(state, outcome);
        return code(state, failure);
    }

    private static int code(JobState state, @Nullable FailureClass failure) {
        return RowMapping.code(state) * STATE + (failure == null ? 0 : CLASSES.code(failure));
    }

    /** The same, of which only the tombstone is left. */
    static int pruned(int code) {
        return code + PRUNED;
    }

    static boolean isPruned(int code) {
        return code >= PRUNED;
    }

    static JobState state(int code) {
        return RowMapping.state(code % PRUNED / STATE);
    }

    static @Nullable FailureClass failure(int code) {
        return state(code) == JobState.FAILED ? CLASSES.constant(code % STATE) : null;
    }

    /** Those of jobs that a query asks for. */
    static List<Integer> in(JobQuery query) {
        var codes = new ArrayList<Integer>();
        for (var state : query.states()) {
            if (state == JobState.FAILED) {
                for (var failure : FailureClass.values()) {
                    if (query.classes().isEmpty() || query.classes().contains(failure)) {
                        codes.add(code(state, failure));
                    }
                }
            } else if (state.finished() && query.classes().isEmpty()) {
                codes.add(code(state, null));
            }
        }
        return codes;
    }
}
