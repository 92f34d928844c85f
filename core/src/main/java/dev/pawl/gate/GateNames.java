package dev.pawl.gate;

import dev.pawl.key.Identity;

/** What gates are called. The names are stored and typed by people, so they are for ever. */
public final class GateNames {
    /** The gate that everybody passes: it is closed when a backup was put in the store's place, until a person has looked. */
    public static final String RESTORED = "store/restored";

    private static final String OF_ONE_JOB = "budget/job/";

    private GateNames() {}

    /** Where the jobs of a workflow wait while its account is in trouble. */
    public static String account(String workflow) {
        return "account/" + workflow;
    }

    /** Where the jobs wait that share a workflow's budget. */
    public static String budget(String workflow, Budget.Per per) {
        return switch (per) {
            case WORKFLOW -> "budget/workflow/" + workflow;
            case DAY -> "budget/day/" + workflow;
            case JOB -> throw new IllegalArgumentException("each job has a gate of its own");
        };
    }

    /** Where one job waits that has spent its own budget. */
    public static String budgetOf(Identity job) {
        return OF_ONE_JOB + job;
    }

    /** Whether only one job ever waits there: nobody has to open it once that job has gone. */
    static boolean isOfOneJob(String name) {
        return name.startsWith(OF_ONE_JOB);
    }
}
