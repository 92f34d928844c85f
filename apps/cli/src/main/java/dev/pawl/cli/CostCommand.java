package dev.pawl.cli;

import dev.pawl.cost.Cost;
import dev.pawl.cost.Spent;
import dev.pawl.desk.JobLookup;
import dev.pawl.json.Json;
import dev.pawl.text.Visible;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pawl cost}: what was spent, by workflow, day, model or job. */
@Command(
        name = "cost",
        description =
                "Say what was spent; what is not known is never counted as nothing. Example: pawl cost --by day --since 2026-04-01",
        mixinStandardHelpOptions = true)
final class CostCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Parameters(arity = "0..*", paramLabel = "JOB", description = "With --by job: which.")
    private List<String> jobs = List.of();

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            description = "workflow, day, model or job; ${DEFAULT-VALUE} unless said.")
    private String by = "workflow";

    @Option(names = "--since", paramLabel = "DAY", description = "From this day on, in UTC.")
    private @Nullable LocalDate since;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    @Override
    public Integer call() {
        try (var pawl = store.look()) {
            var sums = new TreeMap<String, Cost>();
            if (by.equals("job")) {
                if (jobs.isEmpty()) {
                    throw new IllegalArgumentException("say which jobs: pawl cost --by job WORKFLOW/KEY");
                }
                jobs.forEach(name -> sums.put(name, pawl.cost(JobLookup.find(pawl, name))));
            } else {
                var what = what();
                pawl.operator().spent(since == null ? LocalDate.EPOCH : since).stream()
                        // What was taken for lost and was found again.
                        .filter(spent ->
                                !spent.model().isEmpty() || !spent.cost().equals(Cost.NOTHING))
                        .forEach(spent -> sums.merge(what.apply(spent), spent.cost(), Cost::plus));
            }
            sums.forEach((name, cost) -> System.out.println(Visible.of(line(name, cost))));
            return 0;
        }
    }

    private Function<Spent, String> what() {
        return switch (by) {
            case "workflow" -> Spent::workflow;
            case "day" -> spent -> spent.day().toString();
            case "model" -> Spent::model;
            default -> throw new IllegalArgumentException("\"" + by + "\" is none of workflow, day, model and job");
        };
    }

    private String line(String name, Cost cost) {
        if (!json) {
            return String.format(
                    Locale.ROOT,
                    "%-30s %12s  %d tokens in, %d out, %d tool calls",
                    name,
                    cost,
                    cost.tokens().input(),
                    cost.tokens().output(),
                    cost.toolCalls());
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(by, name);
        fields.put("usd", cost.usd());
        fields.put("unknown", cost.unknown().any());
        fields.put("input", cost.tokens().input());
        fields.put("output", cost.tokens().output());
        fields.put("toolCalls", cost.toolCalls());
        return Json.write(fields);
    }
}
