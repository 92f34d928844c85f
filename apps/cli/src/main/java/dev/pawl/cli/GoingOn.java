package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.guard.Guard;
import dev.pawl.store.StoredJob;
import dev.pawl.text.ShellWord;
import java.io.IOException;
import java.util.stream.Collectors;

/** Who goes on with a job, and what to type where nobody does: as far as the store and the folders beside it know. */
final class GoingOn {
    private static final String OF_GUARDS = "guard.";

    private final StoreOption store;
    private final Pawl pawl;

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

    boolean isOfBatch(String workflow) throws IOException {
        return Guard.last(store.beside("guards"), BatchRunCommand.guardOf(workflow))
                .isPresent();
    }

    boolean isOfFlow(StoredJob job) {
        return pawl.journal(job).stream()
                .anyMatch(line -> line.entry().place().name().equals("pawl.flow"));
    }

    /** Who goes on with it, and, where nobody does, the command that does. */
    String with(StoredJob job) throws IOException {
        return "whoever works " + called(job.identity().workflow()) + " goes on with it" + whereNobodyDoes(job);
    }

    /** What to do where nobody works at jobs like this one; empty when somebody does. */
    String whereNobodyDoes(StoredJob job) throws IOException {
        return pawl.isAttended(job) ? "" : "; nobody works there now: " + command(job);
    }

    /** What to type; what only its caller knows is in capitals. */
    String command(StoredJob job) throws IOException {
        var workflow = job.identity().workflow();
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
