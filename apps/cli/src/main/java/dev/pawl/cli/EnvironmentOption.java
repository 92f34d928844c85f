package dev.pawl.cli;

import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** What a command that was typed has in its environment besides. */
final class EnvironmentOption {
    private static final String STORE = "PAWL_STORE";

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description =
                    "What CMD has in its environment besides; part of what is asked, and kept. A job's CMD knows PAWL_STORE by this alone.")
    private Map<String, String> more = new HashMap<>();

    Map<String, String> more() {
        for (var name : more.keySet()) {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("--env is NAME=VALUE, and the name is not there");
            }
            if (name.startsWith("PAWL_") && !name.equals(STORE)) {
                throw new IllegalArgumentException(
                        name + " is what Pawl tells CMD; of such names --env says only " + STORE);
            }
        }
        return Map.copyOf(more);
    }
}
