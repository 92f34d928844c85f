package dev.pawl.cli;

import dev.pawl.retry.Retry;
import dev.pawl.time.Durations;
import picocli.CommandLine.Option;

/** How often a command that says "nothing happened, try again" is tried, and after how long. */
final class BackoffOption {

    @Option(
            names = "--attempts",
            paramLabel = "N",
            description = "How often a row or work item is tried; ${DEFAULT-VALUE} unless said.")
    private int attempts = Retry.OF_COMMANDS.attempts();

    @Option(
            names = "--backoff",
            paramLabel = "FROM..TO",
            description =
                    "How long to wait before it is tried again: up to FROM at first, twice that each further time, up to TO at last; ${DEFAULT-VALUE} unless said.")
    private String backoff = Durations.word(Retry.OF_COMMANDS.first()) + ".." + Durations.word(Retry.OF_COMMANDS.cap());

    Retry retry() {
        var ends = backoff.split("\\.\\.", -1);
        if (ends.length > 2) {
            throw new IllegalArgumentException("\"" + backoff + "\" is no backoff; write 30s..10m");
        }
        return new Retry(attempts, Durations.parse(ends[0]), Durations.parse(ends[ends.length - 1]));
    }
}
