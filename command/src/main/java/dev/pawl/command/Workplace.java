package dev.pawl.command;

import dev.pawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where commands are laid out, and who starts them: made when the first command needs it. Thread-safe. */
final class Workplace implements AutoCloseable {
    private final Time time;
    private final Supplier<List<Path>> roots;
    private final Start now;
    private final MinderJars jars;
    private volatile @Nullable Furnished furnished;
    private boolean closed;

    private record Furnished(Folders folders, Minders minders) {}

    /**
     * A workplace where {@code roots} says when it is needed.
     *
     * @param roots where folders are made, and then where earlier ones may be
     */
    Workplace(Time time, Supplier<List<Path>> roots, Start now, MinderJars jars) {
        this.time = time;
        this.roots = roots;
        this.now = now;
        this.jars = jars;
    }

    private synchronized Furnished furnished() throws IOException {
        var ready = furnished;
        if (ready == null) {
            if (closed) {
                throw new IOException("no more commands are started here");
            }
            var folders = new Folders(roots.get(), now);
            var root = Files.createDirectories(folders.roots().getFirst().toAbsolutePath(), Folder.OURS_ALONE);
            ready = new Furnished(folders, new Minders(time, root.resolve("minder.log"), jars));
            furnished = ready;
        }
        return ready;
    }

    Folders folders() throws IOException {
        return furnished().folders();
    }

    Minders minders() throws IOException {
        return furnished().minders();
    }

    /** Who has started something here; empty when nothing was. */
    Optional<Minders> mindersSoFar() {
        var ready = furnished;
        return ready == null ? Optional.empty() : Optional.of(ready.minders());
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        var ready = furnished;
        if (ready != null) {
            ready.minders().close();
        }
    }
}
