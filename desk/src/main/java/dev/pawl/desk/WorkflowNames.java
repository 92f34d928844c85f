package dev.pawl.desk;

import dev.pawl.key.Identity;

/** Workflows as people know them. */
public final class WorkflowNames {
    private static final String OF_GUARDS = "guard.";

    private WorkflowNames() {}

    /** The workflow of the jobs of a guard. */
    public static String ofGuard(String guard) {
        return OF_GUARDS + guard;
    }

    /** Whether its jobs are a guard's work items. */
    public static boolean isOfGuard(String workflow) {
        return workflow.startsWith(OF_GUARDS);
    }

    /** The guard of such a workflow. */
    static String guard(String workflow) {
        return workflow.substring(OF_GUARDS.length());
    }

    /** A workflow as people know it. */
    public static String called(String workflow) {
        return isOfGuard(workflow) ? "guard " + guard(workflow) : workflow;
    }

    /** A job as people know it: of a guard, its work item. */
    public static String called(Identity identity) {
        return isOfGuard(identity.workflow())
                ? called(identity.workflow()) + ", key " + identity.key()
                : identity.toString();
    }
}
