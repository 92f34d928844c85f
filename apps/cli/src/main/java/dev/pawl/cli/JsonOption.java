package dev.pawl.cli;

import dev.pawl.json.Json;
import dev.pawl.text.Visible;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a command has to say: a line for people, or one JSON object a line for machines. */
final class JsonOption {

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    /** Whether machines read it. */
    boolean wanted() {
        return json;
    }

    /** Says it to whoever reads. */
    void say(String people, Map<String, ? extends @Nullable Object> machines) {
        System.out.println(json ? Visible.of(Json.write(machines)) : Visible.lines(people));
    }
}
