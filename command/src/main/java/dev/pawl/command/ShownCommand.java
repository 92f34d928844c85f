package dev.pawl.command;

import dev.pawl.json.Json;
import dev.pawl.json.JsonMismatch;
import dev.pawl.text.ShellWord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a command was asked to do, as people may see it: without secrets, and with where it ran.
 *
 * @param command the program and its arguments
 * @param directory where it ran
 * @param environment what it was given besides
 * @param input all that it read, also what is no part of what was asked; cut where it is very long
 */
public record ShownCommand(List<String> command, String directory, Map<String, String> environment, String input) {
    private static final int MOST_INPUT = 8 * 1024;
    private static final Set<String> FIELDS = Set.of("command", "directory", "environment", "input");

    public ShownCommand {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    static ShownCommand of(CommandCall call) {
        var secrets = call.reading().secrets();
        var order = call.order();
        var environment = new LinkedHashMap<String, String>();
        order.more().forEach((name, value) -> environment.put(name, secrets.masked(value)));
        return new ShownCommand(
                order.command().stream().map(secrets::masked).toList(),
                order.directory().toString(),
                environment,
                cut(secrets.masked(call.input())));
    }

    private static String cut(String text) {
        if (text.length() <= MOST_INPUT) {
            return text;
        }
        var end = Character.isHighSurrogate(text.charAt(MOST_INPUT - 1)) ? MOST_INPUT - 1 : MOST_INPUT;
        return text.substring(0, end) + "…";
    }

    /** The command that a request asks for, as it was kept; empty when it asks for none. */
    public static Optional<ShownCommand> in(String request) {
        try {
            var tree = Json.tree(request);
            return tree.isObject() && Set.copyOf(tree.propertyNames()).equals(FIELDS)
                    ? Optional.of(Objects.requireNonNull(Json.read(request, ShownCommand.class)))
                    : Optional.empty();
        } catch (JsonMismatch e) {
            return Optional.empty();
        }
    }

    /** The command as a shell would read it. */
    public String line() {
        return command.stream().map(ShellWord::of).collect(Collectors.joining(" "));
    }

    /** What it was given besides, one {@code NAME=value} each. */
    public List<String> given() {
        return new TreeSet<>(environment.keySet())
                .stream().map(name -> name + "=" + environment.get(name)).toList();
    }
}
