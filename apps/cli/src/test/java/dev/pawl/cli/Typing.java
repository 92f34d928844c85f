package dev.pawl.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * What a command that was typed came to.
 *
 * @param code its exit code
 * @param out what it wrote to stdout
 * @param err what it wrote to stderr
 */
record Typing(int code, String out, String err) {

    /** Types a command, in this very process. */
    static synchronized Typing of(String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var stdout = System.out;
        var stderr = System.err;
        try (var toOut = new PrintStream(out, true, StandardCharsets.UTF_8);
                var toErr = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            System.setOut(toOut);
            System.setErr(toErr);
            var line = Main.commandLine(words)
                    .setOut(new PrintWriter(toOut, true, StandardCharsets.UTF_8))
                    .setErr(new PrintWriter(toErr, true, StandardCharsets.UTF_8));
            var code = line.execute(words);
            toOut.flush();
            toErr.flush();
            return new Typing(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(stdout);
            System.setErr(stderr);
        }
    }
}
