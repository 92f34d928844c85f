package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.store.Applied;
import dev.pawl.store.Cancelling;
import dev.pawl.store.StoredJob;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pawl cancel JOB…}. */
@Command(
        name = "cancel",
        description =
                "Call a job off, with those it called; it stops at its next boundary. Example: pawl cancel report/2026-04 --note 'no longer wanted'",
        mixinStandardHelpOptions = true)
final class CancelCommand extends ByHandCommand {

    @Option(
            names = "--kill",
            description =
                    "End its command too, if one runs on this machine: TERM, and KILL after ten seconds. An effect that is ended so may have happened, and asks")
    private boolean kill;

    private String killed = "";

    @Override
    @Nullable
    Applied objection(Pawl pawl, StoredJob job, Audit audit) {
        return Cancelling.objection(job);
    }

    @Override
    void apply(Pawl pawl, StoredJob job, Audit audit) throws IOException {
        pawl.cancel(job, audit);
        killed = kill ? new EndedCommands(pawl, commands(pawl)).of(job) : "";
    }

    @Override
    boolean answers() {
        return false;
    }

    @Override
    String done() {
        return "called off";
    }

    @Override
    String next(StoredJob now, GoingOn goingOn) throws IOException {
        var next = switch (now.state()) {
            case RUNNING, READY, WAITING -> "it ends at its next boundary" + goingOn.whereNobodyDoes(now);
            case PAUSED -> "it ends when its question is answered, which \"pawl show\" shows";
            case DONE, FAILED, CANCELLED -> kill ? "it has ended" : "";
        };
        return killed.isEmpty() ? next : killed + "; " + next;
    }
}
