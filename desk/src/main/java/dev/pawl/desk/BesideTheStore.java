package dev.pawl.desk;

import dev.pawl.look.JobView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What lies beside a store on this machine: how its jobs were last worked at here, and what their commands wrote. */
public interface BesideTheStore {

    /** What to type to go on with {@code job}, as it was last typed here; empty when nobody here knows. */
    Optional<String> lastTyped(JobView job);

    /** Whether a batch of this name was run here. */
    boolean isBatch(String name) throws IOException;

    /** Where commands of jobs keep what they write. */
    List<Path> commandFolders();
}
