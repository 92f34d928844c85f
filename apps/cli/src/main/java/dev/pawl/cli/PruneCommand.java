package dev.pawl.cli;

import dev.pawl.desk.Fields;
import dev.pawl.desk.Words;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pawl prune --older-than 90d}: forgets what is over, but that it was done. */
@Command(
        name = "prune",
        description =
                "Forget jobs that were done long ago, but not that they were: they are never done again by accident."
                        + " Example: pawl prune --older-than 90d",
        mixinStandardHelpOptions = true)
final class PruneCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Option(names = "--older-than", required = true, paramLabel = "TIME", description = "Which ended so long ago: 90d.")
    @SuppressWarnings("NullAway.Init")
    private String olderThan;

    @Override
    public Integer call() {
        var before = Time.system().now().minus(Durations.parse(olderThan));
        try (var pawl = store.open()) {
            var many = pawl.prune(before);
            json.say(Words.many(many, "job") + " pruned", Fields.of("pruned", many));
            return 0;
        }
    }
}
