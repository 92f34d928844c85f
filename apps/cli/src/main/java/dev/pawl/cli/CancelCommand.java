package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.store.StoredJob;
import picocli.CommandLine.Command;

/** {@code pawl cancel JOB…}. */
@Command(
        name = "cancel",
        description =
                "Call a job off, with those it called; it stops at its next boundary. Example: pawl cancel report/2026-04 --note 'no longer wanted'",
        mixinStandardHelpOptions = true)
final class CancelCommand extends ByHandCommand {

    @Override
    void apply(Pawl pawl, StoredJob job, Audit audit) {
        pawl.cancel(job, audit);
    }

    @Override
    String done() {
        return "called off";
    }

    @Override
    String next(StoredJob now) {
        return switch (now.state()) {
            case RUNNING, READY, WAITING -> "it ends at its next boundary";
            case PAUSED -> "it ends when its question is answered, which \"pawl show\" shows";
            case DONE, FAILED, CANCELLED -> "";
        };
    }
}
