package dev.pawl.cli;

import dev.pawl.command.Secrets;
import java.util.List;
import picocli.CommandLine.Option;

/** Which values of the environment nobody may see. */
final class SecretOption {
    @Option(
            names = "--secret",
            paramLabel = "NAME",
            description =
                    "An environment variable whose value is masked in whatever CMD writes, where it is shown and where it is kept; it must be set.")
    private List<String> names = List.of();

    /**
     * The secrets of our own environment. What is typed is kept, and listed by whoever lists processes: no secret may be in it.
     *
     * @param who needs them, for people
     * @param words what was typed to be run
     */
    Secrets of(String who, EnvironmentOption environment, List<String> words) {
        var all = Secrets.needed(who, names, System.getenv());
        for (var name : names) {
            var secret = Secrets.of(List.of(System.getenv(name)));
            if (environment.more().containsKey(name)) {
                throw new IllegalArgumentException(
                        "--env " + name + " would keep the secret " + name + "; leave it out, CMD has it already");
            }
            if (words.stream().anyMatch(word -> isIn(word, secret))
                    || environment.more().values().stream().anyMatch(value -> isIn(value, secret))) {
                throw new IllegalArgumentException("the value of the secret " + name
                        + " is in what was typed, which is kept and which anybody here can list; let CMD read it from its environment, as sh -c '… \"$"
                        + name + "\"'");
            }
        }
        return all;
    }

    private static boolean isIn(String text, Secrets secret) {
        return !secret.masked(text).equals(text);
    }
}
