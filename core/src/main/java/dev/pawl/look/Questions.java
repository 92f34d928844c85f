package dev.pawl.look;

import dev.pawl.gate.Gate;
import java.util.List;

/**
 * What waits for a person.
 *
 * @param jobs jobs that ask
 * @param gates gates that a person must open, each for all who wait there
 */
public record Questions(List<JobSummary> jobs, List<Gate> gates) {
    public Questions {
        jobs = List.copyOf(jobs);
        gates = List.copyOf(gates);
    }

    /** Whether nobody has to decide anything. */
    public boolean none() {
        return jobs.isEmpty() && gates.isEmpty();
    }
}
