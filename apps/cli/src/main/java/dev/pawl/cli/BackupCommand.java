package dev.pawl.cli;

import dev.pawl.StoreAddress;
import dev.pawl.desk.Fields;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl backup FILE}: a copy of the store that knows that it is one. */
@Command(
        name = "backup",
        description =
                "Copy the store to FILE while others work with it. The copy opens only with --restored, and then asks before anything goes on:"
                        + " what was done since is not in it. Example: pawl backup /backups/pawl-2026-04-12.db",
        mixinStandardHelpOptions = true)
final class BackupCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(paramLabel = "FILE", description = "Where to; it is there as a whole or not at all.")
    @SuppressWarnings("NullAway.Init")
    private Path file;

    @Override
    public Integer call() {
        var from = store.there();
        StoreAddress.of(from).backUpTo(file);
        json.say(
                from + " is in " + file + " as it was just now",
                Fields.of("store", from.toString(), "backup", file.toString()));
        return 0;
    }
}
