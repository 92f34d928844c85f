package dev.pawl.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Types commands in a process of its own, whose environment is another one: the words of each after {@code ++}. Says what each came to, one a line. */
final class TypedThere {
    private TypedThere() {}

    /** What to run to type these commands. */
    static List<String> command(String[]... typed) {
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
