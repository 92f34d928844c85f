package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.JobLookup;
import dev.pawl.desk.JobText;
import dev.pawl.job.JobState;
import dev.pawl.json.Json;
import dev.pawl.store.StoredJob;
import dev.pawl.text.Visible;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pawl jobs}: one line for each job. */
@Command(
        name = "jobs",
        description = "List jobs, oldest first. Example: pawl jobs --state paused,failed --workflow nightly",
        mixinStandardHelpOptions = true)
final class JobsCommand implements Callable<Integer> {

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            split = ",",
            completionCandidates = States.class,
            description = "Only these: ${COMPLETION-CANDIDATES}.")
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

    /** What {@code --state} takes. */
    static final class States implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return JobState.WORDS.all().iterator();
        }
    }

    @Override
    public Integer call() {
        var wanted = states == null
                ? EnumSet.allOf(JobState.class)
                : states.stream()
                        .map(JobState::parse)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(JobState.class)));
        try (var pawl = store.look()) {
            var screen = Screen.ours();
            JobLookup.each(pawl, wanted, workflow, job -> System.out.println(line(pawl, job, screen)));
            return 0;
        }
    }

    private String line(Pawl pawl, StoredJob job, Screen screen) {
        if (json) {
            return Visible.of(Json.write(JobText.envelope(pawl, job)));
        }
        return quiet ? job.identity().toString() : screen.fit(JobText.line(job), job.state());
    }
}
