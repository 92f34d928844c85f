package dev.pawl.lease;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a worker takes.
 *
 * @param workflows which it can run
 * @param queues from which queues; none means from all
 * @param principals on whose behalf; none means on everybody's
 * @param versions which versions of its code it fits, of each workflow that says so; jobs that have none fit everybody
 */
public record Taking(
        List<String> workflows, List<String> queues, List<String> principals, Map<String, List<String>> versions) {
    /** Nothing. */
    public static final Taking NOTHING = new Taking(List.of(), List.of(), List.of());

    /** What was written down before there were versions has none. */
    public Taking(
            List<String> workflows,
            List<String> queues,
            List<String> principals,
            @Nullable Map<String, List<String>> versions) {
        this.workflows = List.copyOf(workflows);
        this.queues = List.copyOf(queues);
        this.principals = List.copyOf(principals);
        this.versions = versions == null ? Map.of() : Map.copyOf(versions);
    }

    /** Fits no version. */
    public Taking(List<String> workflows, List<String> queues, List<String> principals) {
        this(workflows, queues, principals, Map.of());
    }

    /** Jobs of these workflows, from all queues, on everybody's behalf. */
    public static Taking of(String... workflows) {
        return new Taking(List.of(workflows), List.of(), List.of());
    }

    /** Whether a job of this workflow, queue, principal and version is among them. */
    public boolean takes(String workflow, String queue, String principal, String version) {
        return workflows.contains(workflow)
                && (queues.isEmpty() || queues.contains(queue))
                && (principals.isEmpty() || principals.contains(principal))
                && fits(workflow, version);
    }

    /** Whether its code of a workflow goes on with jobs of this version. */
    public boolean fits(String workflow, String version) {
        return version.isEmpty() || versions.getOrDefault(workflow, List.of()).contains(version);
    }
}
