package dev.pawl.cli;

import dev.pawl.command.CommandEnvironment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** What a command that was typed has in its environment besides. */
final class EnvironmentOption {

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description =
                    "What CMD has in its environment besides; part of what is asked, and kept. A job's CMD knows PAWL_STORE by this alone.")
    private List<String> said = List.of();

    /** By name; of one that is said twice the last holds. */
    Map<String, String> more() {
        var more = new HashMap<String, String>();
        for (var one : said) {
            // picocli would take quotes in a value for its own.
            var parts = one.split("=", 2);
            if (parts.length < 2 || parts[0].isEmpty()) {
                throw new IllegalArgumentException("--env is written NAME=VALUE");
            }
            if (parts[0].startsWith(CommandEnvironment.OURS) && !parts[0].equals(CommandEnvironment.STORE)) {
                throw new IllegalArgumentException(parts[0] + " is what Pawl tells CMD; of such names --env says only "
                        + CommandEnvironment.STORE);
            }
            more.put(parts[0], parts[1]);
        }
        return Map.copyOf(more);
    }
}
