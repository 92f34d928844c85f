package dev.pawl.cli;

import dev.pawl.command.CommandEnvironment;
import dev.pawl.job.Handling;
import dev.pawl.text.Visible;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On whose behalf jobs are submitted. */
final class AsOption {

    @Option(
            names = "--as",
            paramLabel = "NAME",
            description = "On whose behalf the jobs act: only who may act for NAME takes them.")
    private @Nullable String as;

    /**
     * How jobs are submitted.
     *
     * @param principal whom the flow says that they act for; empty when it names nobody
     */
    Handling over(String principal) {
        if (as != null && !principal.isEmpty() && !as.equals(principal)) {
            throw new IllegalArgumentException(
                    "--as says " + Visible.of(as) + ", and the flow says that its jobs act for " + Visible.of(principal)
                            + "; leave --as away, or \"principal:\" in the flow");
        }
        return Handling.usual().principal(as == null ? principal : as).traceparent(traceparent());
    }

    /** What whoever types this is part of, as tracing tools tell the commands that they trace; what no tool has written is nothing. */
    private static @Nullable String traceparent() {
        var told = System.getenv(CommandEnvironment.TRACEPARENT);
        return told != null && Handling.isTraceparent(told) ? told : null;
    }
}
