package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.Fields;
import dev.pawl.text.ShellWord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pawl move --from FILE --to jdbc:postgresql://…}: moves a store with everything that is in flight. */
@Command(
        name = "move",
        description =
                "Move a store from a file to a PostgreSQL database, with everything that is in flight. The file is sealed first: whoever opens it from then on is"
                        + " told where the store is. Interrupted, say it again. Example: pawl move --from pawl.db --to jdbc:postgresql://db.internal/app",
        mixinStandardHelpOptions = true)
final class MoveCommand implements Callable<Integer> {
    @Option(names = "--from", paramLabel = "FILE", required = true, description = "The store's file.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path from;

    @Option(
            names = "--to",
            paramLabel = "ADDRESS",
            required = true,
            description =
                    "The database, jdbc:postgresql://HOST/DATABASE; its schema pawl, or pawlSchema=NAME, must have no jobs yet.")
    @SuppressWarnings("NullAway.Init")
    private String to;

    @Option(
            names = "--with-tables",
            paramLabel = "A,B",
            split = ",",
            description =
                    "Tables in the file that are not Pawl's and move too, into the database's usual schema: columns, keys, indexes and rows.")
    private Set<String> withTables = Set.of();

    @Option(
            names = "--leave-tables",
            paramLabel = "A,B",
            split = ",",
            description = "Tables in the file that are not Pawl's and stay there.")
    private Set<String> leaveTables = Set.of();

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Override
    public Integer call() {
        if (!Files.exists(from)) {
            throw new IllegalArgumentException("there is no store " + from);
        }
        Pawl.move(from, to, withTables, leaveTables, table -> System.err.println("pawl: moved " + table));
        json.say(
                from + " is now at " + Pawl.shown(to) + "; go on with --store " + ShellWord.of(Pawl.shown(to)),
                Fields.of("from", from.toString(), "to", Pawl.shown(to)));
        return 0;
    }
}
