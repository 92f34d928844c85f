package dev.pawl.cli;

import dev.pawl.PawlOptions;
import dev.pawl.cost.Prices;
import dev.pawl.job.Handling;
import dev.pawl.text.Visible;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How whoever runs jobs does it: at which prices, on whose behalf, and for how long its lease is good. */
final class WorkerOption {

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description = "What models cost: lines of model,input,output in US dollars per million tokens, or litellm's"
                    + " model_prices_and_context_window.json. What has no price has an unknown cost.")
    private @Nullable Path prices;

    @Option(
            names = "--principal",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Take jobs on this one's behalf only; may be given several times. Jobs of nobody in particular"
                            + " are those of \"\". Everybody's unless said.")
    private List<String> principals = List.of();

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private TermOption term;

    /** {@code usual} as it was said here. */
    PawlOptions of(PawlOptions usual) {
        var said = term.of(usual).principals(principals.toArray(String[]::new));
        return prices == null ? said : said.prices(Prices.read(prices));
    }

    /** Refuses what would wait for ever: jobs that whoever submits them may not take. */
    Handling taking(Handling submitted) {
        var who = submitted.principal();
        if (!principals.isEmpty() && !principals.contains(who)) {
            throw new IllegalArgumentException("this would never take its own jobs: they act for "
                    + (who.isEmpty() ? "nobody in particular" : Visible.of(who)) + ", and --principal names only "
                    + principals.stream()
                            .map(one -> one.isEmpty() ? "\"\"" : Visible.of(one))
                            .collect(Collectors.joining(", "))
                    + "; say --as NAME for whom they act, or add --principal "
                    + (who.isEmpty() ? "\"\"" : Visible.of(who)));
        }
        return submitted;
    }
}
