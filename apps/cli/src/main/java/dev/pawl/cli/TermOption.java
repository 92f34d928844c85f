package dev.pawl.cli;

import dev.pawl.PawlOptions;
import dev.pawl.time.Durations;
import picocli.CommandLine.Option;

/** For how long the lease of whoever runs jobs is good. */
final class TermOption {

    @Option(
            names = "--term",
            paramLabel = "TIME",
            description = "After how long of silence others take this one's jobs over; ${DEFAULT-VALUE} unless said.")
    private String term = "30s";

    /** {@code usual} with the term that was said here. */
    PawlOptions of(PawlOptions usual) {
        return usual.term(Durations.parse(term));
    }
}
