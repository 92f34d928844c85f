package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.BesideTheStore;
import dev.pawl.desk.WorkflowNames;
import dev.pawl.look.JobView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the command line leaves beside a store, and finds there again. */
record TypedHere(StoreOption store, Pawl pawl) implements BesideTheStore {

    @Override
    public Optional<String> lastTyped(JobView job) {
        var workflow = job.identity().workflow();
        return LastRun.of(store, workflow)
                .map(run -> WorkflowNames.isOfGuard(workflow)
                        ? run.forKey(job.identity().key().parts())
                        : run.forInput(pawl.find(job.id()).orElseThrow()))
                .map(run -> run.text(pawl.operator().storeOption()));
    }

    @Override
    public boolean isBatch(String name) throws IOException {
        return OneAtATime.last(store, BatchRunCommand.guardOf(name)).isPresent();
    }

    @Override
    public List<Path> commandFolders() {
        return store.commands(() -> pawl);
    }
}
