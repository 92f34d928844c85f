package dev.pawl.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Types commands in a process of its own, whose environment is another one: the words of each after {@code ++}. Says what each came to, one a line. */
final class TypedThere {
    private TypedThere() {}

    /** What to run to type these commands. */
    private static List<String> command(String[]... typed) {
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TypedThere.class.getName()));
        for (var one : typed) {
            words.add("++");
            words.addAll(List.of(one));
        }
        return words;
    }

    /** Types these commands there, with that home and nobody's data folder; one line for each. */
    static List<String> typed(Path home, Map<String, String> environment, String[]... commands)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command(commands)).redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        builder.environment().remove("XDG_DATA_HOME");
        builder.environment().putAll(environment);
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        // What a JVM says of the options that it was given by its environment is not what was typed.
        return said.lines().filter(line -> !line.startsWith("Picked up ")).toList();
    }

    public static void main(String[] arguments) {
        for (var from = 1; from <= arguments.length; ) {
            var end = from;
            while (end < arguments.length && !arguments[end].equals("++")) {
                end++;
            }
            var typed = Typing.of(Arrays.copyOfRange(arguments, from, end));
            System.out.println(typed.code() + " " + arguments[from] + " "
                    + (typed.out() + typed.err()).strip().replace('\n', ' '));
            from = end + 1;
        }
    }
}
