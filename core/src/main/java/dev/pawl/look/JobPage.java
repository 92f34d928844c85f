package dev.pawl.look;

import dev.pawl.list.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a list of jobs. It may have fewer than were asked for, or none, and still not be the last: where very many have to be looked through, it says how
 * far that came.
 *
 * @param jobs in the order of the list
 * @param next where to go on; null when there is nothing more
 */
public record JobPage(List<JobSummary> jobs, @Nullable Cursor next) {
    public JobPage {
        jobs = List.copyOf(jobs);
    }
}
