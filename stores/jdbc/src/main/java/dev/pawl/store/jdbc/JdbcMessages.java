package dev.pawl.store.jdbc;

import dev.pawl.journal.Entry;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Delivering;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Messages to jobs. Not thread-safe. */
final class JdbcMessages {
    private final JdbcJobs jobs;

    JdbcMessages(JdbcJobs jobs) {
        this.jobs = jobs;
    }

    Applied deliver(Change.Deliver change, Instant now) throws SQLException {
        var job = jobs.jobOrNull(change.job());
        if (job == null) {
            return new Applied.Refused("there is no job " + change.job());
        }
        var message = change.message();
        if (jobs.has(job.id(), message.change())) {
            return Applied.already();
        }
        var objection = Delivering.objection(job, message);
        if (objection != null) {
            return objection;
        }
        jobs.append(job.id(), message.change(), now, List.of(new Entry.Delivered(message)));
        jobs.wake(job, message.kind(), now);
        return Applied.now();
    }
}
