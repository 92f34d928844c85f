package dev.pawl.cli;

import dev.pawl.event.Event;
import dev.pawl.event.Events;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much of what happens is told, and where: the loud part on stderr, all of it with {@code -v}, and in a file when one is named. */
final class EventOption {

    @Option(
            names = {"-v", "--verbose"},
            description =
                    "Tell everything that happens to jobs: who takes them under which lease and fence, where they resume, every attempt.")
    private boolean verbose;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description = "Append everything that happens to this file too, one logfmt line each.")
    private @Nullable Path file;

    /**
     * The same, once it is sure that events spoil nothing.
     *
     * @param inputs what the command reads
     * @throws IllegalArgumentException when their file is one of those, or belongs to the store
     */
    EventOption sparing(StoreOption store, List<Path> inputs) throws IOException {
        if (file != null) {
            for (var input : inputs) {
                refuse(file, input, "is what is read");
            }
            for (var own : store.files()) {
                refuse(file, own, "belongs to the store");
            }
        }
        return this;
    }

    private static void refuse(Path log, Path other, String why) throws IOException {
        if (OutputFile.isSame(log, other)) {
            throw new IllegalArgumentException(
                    log + " " + why + ", and events in it would spoil it; name another file with --log");
        }
    }

    /**
     * Where events go.
     *
     * @param least the quietest that is told on stderr unless all is wanted
     * @throws IllegalArgumentException when the file cannot be written
     */
    Events to(Event.Level least) {
        return to(new StderrEvents(verbose ? Event.Level.QUIET : least));
    }

    /** The same for whoever runs jobs of {@code workflow} only: of others stderr is told nothing unless all is wanted. */
    Events to(Event.Level least, String workflow) {
        return verbose ? to(least) : to(new EventsOfOneRun(workflow, new StderrEvents(least)));
    }

    private Events to(Events stderr) {
        if (file == null) {
            return stderr;
        }
        try {
            return new EventFile(file, stderr);
        } catch (IOException e) {
            throw new IllegalArgumentException("events cannot be written to " + file + ": " + EventFile.why(e)
                    + "; name a file in a folder that is there");
        }
    }
}
