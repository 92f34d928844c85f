package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.json.Json;
import dev.pawl.store.JobQuery;
import dev.pawl.store.StoredJob;
import dev.pawl.text.Visible;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** {@code pawl jobs}: one line for each job. */
@Command(
        name = "jobs",
        description = "List jobs, oldest first. Example: pawl jobs --state paused,failed --workflow nightly",
        mixinStandardHelpOptions = true)
final class JobsCommand implements Callable<Integer> {

    private static final int PAGE = 500;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            description = "Only these: ready, running, waiting, paused, done, failed, cancelled.")
    private @Nullable Set<String> states;

    @Option(names = "--workflow", paramLabel = "NAME", description = "Only jobs of this workflow or batch.")
    private @Nullable String workflow;

    @Option(
            names = {"-q", "--quiet"},
            description =
                    "Only their names, to be given to another command: pawl jobs -q --state failed | pawl retry - --note WHY")
    private boolean quiet;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    @Override
    public Integer call() {
        var wanted = states == null
                ? EnumSet.allOf(JobState.class)
                : states.stream()
                        .map(JobState::parse)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(JobState.class)));
        try (var pawl = store.look()) {
            var screen = Screen.ours();
            each(pawl, wanted, workflow, job -> System.out.println(line(pawl, job, screen)));
            return 0;
        }
    }

    /** Tells all jobs in these states, oldest first. */
    static void each(Pawl pawl, Set<JobState> states, @Nullable String workflow, Consumer<StoredJob> told) {
        var after = 0L;
        while (true) {
            var query = new JobQuery(states, workflow, null, null, new JobQuery.Page(after, PAGE));
            var page = pawl.jobs(query);
            page.forEach(told);
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().id();
        }
    }

    private String line(Pawl pawl, StoredJob job, Screen screen) {
        if (json) {
            var fields = (ObjectNode) Json.tree(Json.write(pawl.envelope(job)));
            return Visible.of(fields.put("state", Screen.word(job.state()))
                    .put("why", why(job).strip())
                    .toString());
        }
        return quiet ? job.identity().toString() : screen.fit(line(job), job.state());
    }

    /** A job in one line: its number, its state, its name, and why it is where it is. */
    static String line(StoredJob job) {
        return Visible.of(String.format(Locale.ROOT, "%6d %-9s %s%s", job.id(), job.state(), job.identity(), why(job)));
    }

    /** Why a job is where it is, as far as that needs saying. */
    static String why(StoredJob job) {
        var outcome = job.outcome();
        var why = new StringBuilder();
        if (job.standing().cancelling() && !job.state().finished()) {
            why.append("  called off");
        }
        if (outcome.question() != null) {
            why.append("  asks about ")
                    .append(Visible.of(outcome.question().place().toString()));
        } else if (outcome.gate() != null) {
            why.append("  waits at gate ").append(Visible.of(outcome.gate()));
        } else if (outcome.failure() != null) {
            why.append("  ").append(Words.of(outcome.failure()));
        }
        return why.toString();
    }
}
