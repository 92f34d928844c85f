package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.key.Identity;
import dev.pawl.store.StoredJob;
import dev.pawl.text.ShellWord;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Who goes on with a job, and what to type where nobody does: as far as the store and the folders beside it know. */
final class GoingOn {
    private static final String OF_GUARDS = "guard.";

    private final StoreOption store;
    private final Pawl pawl;
    private final Set<String> told = new HashSet<>();

    GoingOn(StoreOption store, Pawl pawl) {
        this.store = store;
        this.pawl = pawl;
    }

    /** The workflow of the jobs of a guard. */
    static String ofGuard(String guard) {
        return OF_GUARDS + guard;
    }

    static boolean isOfGuard(String workflow) {
        return workflow.startsWith(OF_GUARDS);
    }

    /** A workflow as people know it. */
    static String called(String workflow) {
        return isOfGuard(workflow) ? "guard " + workflow.substring(OF_GUARDS.length()) : workflow;
    }

    /** A job as people know it: of a guard, its work item. */
    static String called(Identity identity) {
        return isOfGuard(identity.workflow())
                ? called(identity.workflow()) + ", key " + identity.key()
                : identity.toString();
    }

    boolean isOfBatch(String workflow) throws IOException {
        return OneAtATime.last(store, BatchRunCommand.guardOf(workflow)).isPresent();
    }

    boolean isOfFlow(StoredJob job) {
        return pawl.journal(job).stream()
                .anyMatch(line -> line.entry().place().name().equals("pawl.flow"));
    }

    /** Who goes on with it, and, where nobody does, the command that does. */
    String with(StoredJob job) throws IOException {
        return "whoever works " + called(job.identity().workflow()) + " goes on with it" + whereNobodyDoes(job);
    }

    /** What to type where nobody works at jobs like this one; empty when somebody does, or it was said before. */
    String whereNobodyDoes(StoredJob job) throws IOException {
        if (pawl.isAttended(job)) {
            return "";
        }
        var command = command(job);
        return told.add(command) ? "; nobody works there now: " + command : "";
    }

    /** What to type: as it was last typed here, else with capitals for what only its caller knows. */
    String command(StoredJob job) throws IOException {
        var workflow = job.identity().workflow();
        var last = LastRun.of(store, workflow);
        if (last.isPresent()) {
            var run = last.get();
            return (isOfGuard(workflow) ? run.forKey(job.identity().key().parts()) : run.forInput(job))
                    .text(pawl.storeOption());
        }
        if (isOfGuard(workflow)) {
            var keys = job.identity().key().parts().stream()
                    .map(part -> " --key " + ShellWord.of(part))
                    .collect(Collectors.joining());
            return "pawl guard --name " + workflow.substring(OF_GUARDS.length()) + keys + pawl.storeOption()
                    + " -- CMD";
        }
        if (isOfBatch(workflow)) {
            return "pawl batch run ROWS --name " + workflow + " --key FIELDS" + pawl.storeOption() + " -- CMD";
        }
        return isOfFlow(job)
                ? "pawl work FLOW" + pawl.storeOption() + ", with the file of the flow " + workflow
                : "start the program that works " + workflow;
    }
}
