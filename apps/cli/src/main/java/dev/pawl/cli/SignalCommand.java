package dev.pawl.cli;

import dev.pawl.desk.Fields;
import dev.pawl.desk.GoingOn;
import dev.pawl.desk.JobLookup;
import dev.pawl.json.Json;
import dev.pawl.json.TypeToken;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl signal JOB NAME}: tells a job something that it waits for, now or later. */
@Command(
        name = "signal",
        description =
                "Tell a job something that it waits for. Example: pawl signal order/7 paid --payload '{\"cents\":4900}' --id evt_123",
        mixinStandardHelpOptions = true)
final class SignalCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(index = "0", paramLabel = "JOB", description = "WORKFLOW/KEY")
    @SuppressWarnings("NullAway.Init")
    private String job;

    @Parameters(index = "1", paramLabel = "NAME", description = "What the code waits for.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Option(
            names = "--payload",
            paramLabel = "JSON",
            required = true,
            description = "What to tell it, as the type that the code waits for.")
    @SuppressWarnings("NullAway.Init")
    private String payload;

    @Option(
            names = "--id",
            required = true,
            paramLabel = "ID",
            description = "What tells this signal from every other: sent twice it arrives once.")
    @SuppressWarnings("NullAway.Init")
    private String id;

    @Override
    public Integer call() throws IOException {
        try (var pawl = store.open()) {
            var told = Json.read(Json.canonical(Json.exact(payload)), TypeToken.of(Object.class));
            if (told == null) {
                throw new IllegalArgumentException(
                        "a signal tells something; say --payload true if there is nothing else");
            }
            var found = JobLookup.find(pawl, job);
            if (new GoingOn(new TypedHere(store, pawl), pawl).isOfCommands(found)) {
                throw new IllegalArgumentException(
                        "job " + found.identity() + " is of commands, which wait for no signal; nothing was sent");
            }
            var news = pawl.signal(found, name, told, id);
            json.say(
                    job + (news ? ": told " : ": was told already, ") + name + ", id " + id,
                    Fields.of("job", job, "signal", name, "id", id, "news", news));
            return 0;
        }
    }
}
