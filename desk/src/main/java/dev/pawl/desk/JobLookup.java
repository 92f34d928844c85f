package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.list.ListPart;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.store.Applied;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Jobs as people name them. */
public final class JobLookup {
    /** How far a store's clock may be ahead of ours. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(5);

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

    /** Tells all jobs in these states, each once and in no particular order. */
    public static void each(Pawl pawl, Set<JobState> states, @Nullable String workflow, Consumer<JobSummary> told) {
        pawl.operator().eachJob(JobQuery.in(states).workflow(workflow), told);
    }

    /**
     * Tells jobs in the order that {@code query} asks for, page by page, so that very many need no room.
     *
     * @param most so many at the most
     */
    public static void inOrder(Pawl pawl, JobQuery query, long most, Consumer<JobSummary> told) {
        var left = most;
        var page = pawl.jobs(query.most((int) Math.min(left, ListPart.MOST)));
        while (true) {
            page.jobs().forEach(told);
            left -= page.jobs().size();
            if (page.next() == null || left == 0) {
                return;
            }
            page = pawl.jobs(query.most((int) Math.min(left, ListPart.MOST)).after(page.next()));
        }
    }

    /** The same, of jobs that came into their state until now: a list that begins with the oldest would else go on for as long as things happen. */
    public static JobQuery untilNow(JobQuery query) {
        var from = query.changed().from();
        return query.changed(new TimeWindow(from, Time.system().now().plus(CLOCKS_APART)));
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
