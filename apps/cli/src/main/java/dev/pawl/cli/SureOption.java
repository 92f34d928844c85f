package dev.pawl.cli;

import dev.pawl.text.Visible;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Asks a person at a terminal whether what was typed is what they want; elsewhere nobody is there to ask. */
final class SureOption {

    @Option(
            names = {"-y", "--yes"},
            description = "At a terminal, do not ask whether that is wanted.")
    private boolean yes;

    /** Whether somebody is there, and wants to be asked. */
    boolean asks() {
        return !yes && Boolean.getBoolean("pawl.asks");
    }

    /** Tells what will happen, and returns whether it may. */
    boolean maySo(List<String> whatWillHappen) throws IOException {
        whatWillHappen.forEach(line -> System.err.println(Visible.lines(line)));
        if (!asks()) {
            return true;
        }
        System.err.print("do that? [y/N] ");
        System.err.flush();
        var typed = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        var sure = typed != null && List.of("y", "yes").contains(typed.strip().toLowerCase(Locale.ROOT));
        if (!sure) {
            System.err.println("nothing was done");
        }
        return sure;
    }
}
