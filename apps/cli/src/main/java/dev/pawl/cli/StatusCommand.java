package dev.pawl.cli;

import dev.pawl.desk.GoingOn;
import dev.pawl.desk.MorningLook;
import dev.pawl.desk.StatusText;
import dev.pawl.json.Json;
import dev.pawl.text.Visible;
import dev.pawl.time.Time;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pawl status}: what happened, what needs you, in one screen; the exit code is the monitoring check. */
@Command(
        name = "status",
        description =
                "Say what happened and what needs you. Exits with 1 when something failed and nobody has dealt with it, 3 when a person must decide"
                        + " or something happened twice, 75 when something is due and nobody works there. Example: pawl status --since 18:00",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "A time of the day, an instant, or how long ago; ${DEFAULT-VALUE} unless said.")
    private String since = "24h";

    @Option(names = "--json", description = "As one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        var from = SinceWhen.parse(since, Time.system().now());
        try (var pawl = store.look()) {
            var seen = MorningLook.at(pawl, from);
            System.out.print(
                    json
                            ? Visible.of(Json.write(seen.fields(from, pawl))) + "\n"
                            : new StatusText(pawl, new GoingOn(new TypedHere(store, pawl), pawl), Screen.ours()::fit)
                                    .of(seen, from));
            var full = store.isFile() ? Room.trouble(store.there()) : null;
            if (full != null) {
                Warnings.say(full);
            }
            return switch (seen.need()) {
                case FAILED -> ExitCodes.FAILED;
                case ASKS -> ExitCodes.ASKS;
                case LEFT_ALONE -> ExitCodes.UNFINISHED;
                case NOTHING -> full == null ? ExitCodes.WELL : ExitCodes.UNFINISHED;
            };
        }
    }
}
