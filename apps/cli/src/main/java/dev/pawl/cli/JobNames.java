package dev.pawl.cli;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Jobs as they are typed: several, or {@code -} for one a line on stdin. */
final class JobNames {

    private JobNames() {}

    static List<String> of(List<String> typed) {
        var names = new ArrayList<String>();
        for (var name : typed) {
            if (name.equals("-")) {
                names.addAll(stdin());
            } else {
                names.add(name);
            }
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("there is no job on stdin");
        }
        return names;
    }

    private static List<String> stdin() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
