package dev.pawl;

import dev.pawl.event.AttemptListener;
import dev.pawl.event.BegunAttempt;
import dev.pawl.event.RunOfJob;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Says in the MDC around a job's code which job it is, and which attempt: whatever the code logs says so too. */
final class JobInLogs implements AttemptListener {
    static final String JOB = "pawl.job";
    static final String WORKFLOW = "pawl.workflow";
    static final String STEP = "pawl.step";
    static final String ATTEMPT = "pawl.attempt";

    /** What stood under a name before. */
    private record Before(String name, @Nullable String value) {
        void restore() {
            if (value == null) {
                MDC.remove(name);
            } else {
                MDC.put(name, value);
            }
        }
    }

    private static void put(List<Before> before, String name, String value) {
        before.add(new Before(name, MDC.get(name)));
        MDC.put(name, value);
    }

    private static List<Before> run(RunOfJob run) {
        var before = new ArrayList<Before>(2);
        put(before, JOB, run.job().toString());
        put(before, WORKFLOW, run.job().workflow());
        return before;
    }

    @Override
    public AttemptEnd begins(BegunAttempt attempt) {
        var before = new ArrayList<Before>(2);
        put(before, STEP, attempt.place().toString());
        put(before, ATTEMPT, String.valueOf(attempt.number()));
        return ended -> before.forEach(Before::restore);
    }

    @Override
    public RunEnd begins(RunOfJob run) {
        var before = run(run);
        return how -> before.forEach(Before::restore);
    }

    @Override
    public Runnable joins(RunOfJob run) {
        var before = run(run);
        return () -> before.forEach(Before::restore);
    }
}
