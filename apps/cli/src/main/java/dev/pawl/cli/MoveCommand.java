package dev.pawl.cli;

import dev.pawl.desk.Fields;
import dev.pawl.text.ShellWord;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pawl move --from STORE --to STORE}: moves a store with everything that is in flight. */
@Command(
        name = "move",
        description =
                "Move a store from any place to any other, a file or a PostgreSQL database, with everything that is in flight. It is sealed first: whoever opens it"
                        + " from then on is told where the store is. Interrupted, say it again. Example: pawl move --from pawl.db --to jdbc:postgresql://db.internal/app",
        mixinStandardHelpOptions = true)
final class MoveCommand implements Callable<Integer> {
    @Option(
            names = "--from",
            paramLabel = "STORE",
            required = true,
            description = "The store: a file, or the address of a database.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String from;

    @Option(
            names = "--to",
            paramLabel = "ADDRESS",
            required = true,
            description =
                    "Where to: a file, or jdbc:postgresql://HOST/DATABASE with its schema pawl, or pawlSchema=NAME. There must be no jobs yet.")
    @SuppressWarnings("NullAway.Init")
    private String to;

    @Option(
            names = "--with-tables",
            paramLabel = "A,B",
            split = ",",
            description =
                    "Tables in the file that are not Pawl's and move too: columns, keys, indexes and rows; in a database into its usual schema.")
    private Set<String> withTables = Set.of();

    @Option(
            names = "--leave-tables",
            paramLabel = "A,B",
            split = ",",
            description = "Tables beside the store's that are not Pawl's and stay there.")
    private Set<String> leaveTables = Set.of();

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Override
    public Integer call() {
        var source = MoreJars.address(from);
        var target = MoreJars.address(to);
        if (!source.isThere()) {
            throw new IllegalArgumentException("there is no store " + source.shown());
        }
        source.moveTo(target, withTables, leaveTables)
                .forEach((word, sum) -> System.err.println("pawl: moved " + word + ": " + sum.lines()));
        json.say(
                source.shown() + " is now at " + target.place() + "; go on with --store "
                        + ShellWord.of(target.place()),
                Fields.of("from", source.shown(), "to", target.place()));
        return 0;
    }
}
