package dev.pawl.lease;

import java.util.List;

/**
 * What a worker takes.
 *
 * @param workflows which it can run
 * @param queues from which queues; none means from all
 * @param principals on whose behalf; none means on everybody's
 */
public record Taking(List<String> workflows, List<String> queues, List<String> principals) {
    /** Nothing. */
    public static final Taking NOTHING = new Taking(List.of(), List.of(), List.of());

    public Taking {
        workflows = List.copyOf(workflows);
        queues = List.copyOf(queues);
        principals = List.copyOf(principals);
    }

    /** Jobs of these workflows, from all queues, on everybody's behalf. */
    public static Taking of(String... workflows) {
        return new Taking(List.of(workflows), List.of(), List.of());
    }

    /** Whether everything that {@code wanted} names is among them. */
    public boolean covers(Taking wanted) {
        return wanted.workflows().stream()
                .allMatch(workflow -> wanted.queues().stream()
                        .allMatch(queue ->
                                wanted.principals().stream().allMatch(principal -> takes(workflow, queue, principal))));
    }

    /** Whether a job of this workflow, queue and principal is among them. */
    public boolean takes(String workflow, String queue, String principal) {
        return workflows.contains(workflow)
                && (queues.isEmpty() || queues.contains(queue))
                && (principals.isEmpty() || principals.contains(principal));
    }
}
