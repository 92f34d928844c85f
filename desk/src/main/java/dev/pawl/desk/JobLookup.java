package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.store.Applied;
import dev.pawl.store.JobQuery;
import dev.pawl.store.StoredJob;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Jobs as people name them. */
public final class JobLookup {
    private static final int PAGE = 500;

    private JobLookup() {}

    /**
     * The job that is meant: by workflow and key, or by its number.
     *
     * @throws IllegalArgumentException saying that there is none
     */
    public static StoredJob find(Pawl pawl, String name) {
        if (name.matches("\\d{1,18}")) {
            return pawl.find(Long.parseLong(name)).orElseThrow(() -> none(name));
        }
        var identity = Identity.parse(name);
        return pawl.find(identity).orElseThrow(() -> none(identity));
    }

    private static IllegalArgumentException none(Object name) {
        return new IllegalArgumentException("there is no job " + name + "; \"pawl jobs\" lists them");
    }

    /** Tells all jobs in these states, oldest first. */
    public static void each(Pawl pawl, Set<JobState> states, @Nullable String workflow, Consumer<StoredJob> told) {
        var after = 0L;
        while (true) {
            var query = new JobQuery(states, workflow, null, null, new JobQuery.Page(after, PAGE));
            var page = pawl.jobs(query);
            page.forEach(told);
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().id();
        }
    }

    /**
     * Makes sure that something can be done to one of several jobs, before it is done to any.
     *
     * @param objection what the job would answer; null when it does not object
     * @param jobs to how many it is to be done
     * @throws IllegalArgumentException saying why it cannot be done
     */
    static void requireNone(@Nullable Applied objection, int jobs) {
        var why = objection instanceof Applied.Conflict conflict
                ? conflict.why()
                : objection instanceof Applied.Refused refused ? refused.why() : null;
        if (why != null) {
            throw new IllegalArgumentException(why + (jobs == 1 ? "" : ". Nothing was done to any of the " + jobs));
        }
    }
}
