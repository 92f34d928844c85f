package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.list.ListPart;
import dev.pawl.look.JobSummary;
import dev.pawl.look.JobView;
import dev.pawl.text.ShellWord;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Who goes on with a job, and what to type where nobody does: as far as the store and the folders beside it know. */
public final class GoingOn {
    private final BesideTheStore beside;
    private final Pawl pawl;
    private final Set<String> told = new HashSet<>();

    /** Of the jobs of this store. */
    public GoingOn(BesideTheStore beside, Pawl pawl) {
        this.beside = beside;
        this.pawl = pawl;
    }

    /** Whether a job runs commands: a guard's, a batch's or a flow's. No word of theirs waits for a signal. */
    public boolean isOfCommands(JobView job) throws IOException {
        var workflow = job.identity().workflow();
        return WorkflowNames.isOfGuard(workflow) || beside.isBatch(workflow) || isOfFlow(job);
    }

    /**
     * Tries failed jobs of one workflow again.
     *
     * @param many how many there are
     * @param failed those of them that are known
     */
    String again(String workflow, long many, List<JobSummary> failed) throws IOException {
        if (beside.isBatch(workflow)) {
            return "pawl batch retry " + workflow + " --note WHY";
        }
        return many == 1 && failed.size() == 1
                ? "pawl retry " + failed.getFirst().identity() + " --note WHY"
                : "pawl jobs -q --state failed --workflow " + workflow
                        + pawl.operator().storeOption() + " | pawl retry - --note WHY";
    }

    private boolean isOfFlow(JobView job) {
        return pawl.journal(job.id(), ListPart.oldest()).lines().stream()
                .anyMatch(line -> line.entry().place().name().equals("pawl.flow"));
    }

    /** Who goes on with it, and, where nobody does, the command that does. */
    public String with(JobView job) throws IOException {
        return "whoever works " + WorkflowNames.called(job.identity().workflow()) + " goes on with it"
                + whereNobodyDoes(job);
    }

    /** What to type where nobody works at jobs like this one; empty when somebody does, or it was said before. */
    public String whereNobodyDoes(JobView job) throws IOException {
        if (pawl.operator().isAttended(job)) {
            return "";
        }
        var command = command(job);
        return told.add(command) ? "; nobody works there now: " + command : "";
    }

    /** What to type: as it was last typed here, else with capitals for what only its caller knows. */
    public String command(JobView job) throws IOException {
        var workflow = job.identity().workflow();
        var last = beside.lastTyped(job);
        if (last.isPresent()) {
            return last.get();
        }
        if (WorkflowNames.isOfGuard(workflow)) {
            var keys = job.identity().key().parts().stream()
                    .map(part -> " --key " + ShellWord.of(part))
                    .collect(Collectors.joining());
            return "pawl guard --name " + WorkflowNames.guard(workflow) + keys
                    + pawl.operator().storeOption() + " -- CMD";
        }
        if (beside.isBatch(workflow)) {
            return "pawl batch run ROWS --name " + workflow + " --key FIELDS"
                    + pawl.operator().storeOption() + " -- CMD";
        }
        return isOfFlow(job)
                ? "pawl work FLOW" + pawl.operator().storeOption() + ", with the file of the flow " + workflow
                : "start the program that works " + workflow;
    }
}
