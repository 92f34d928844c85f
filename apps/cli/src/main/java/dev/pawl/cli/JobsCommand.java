package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.JobLookup;
import dev.pawl.desk.JobText;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.json.Json;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.TimeWindow;
import dev.pawl.text.Visible;
import dev.pawl.time.Time;
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
        description =
                "List jobs, those first that came into their state last. Example: pawl jobs --state paused,failed --workflow nightly --since 18:00",
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

    @Option(names = "--queue", paramLabel = "NAME", description = "Only jobs of this queue; \"\" is the common one.")
    private @Nullable String queue;

    @Option(
            names = "--principal",
            paramLabel = "WHO",
            description = "Only jobs that act for this principal; \"\" is nobody in particular.")
    private @Nullable String principal;

    @Option(
            names = "--key",
            paramLabel = "BEGINNING",
            description = "Only jobs whose keys begin so, as they are listed.")
    private @Nullable String key;

    @Option(
            names = "--class",
            paramLabel = "CLASS",
            split = ",",
            completionCandidates = BatchRetryCommand.FailureClasses.class,
            description = "Only jobs that failed, in one of these ways: ${COMPLETION-CANDIDATES}.")
    private Set<String> classes = Set.of();

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description =
                    "Only jobs that came into their state since then: a time of the day, an instant, or how long ago.")
    private @Nullable String since;

    @Option(names = "--oldest-first", description = "Those first that have been in their state for longest.")
    private boolean oldestFirst;

    @Option(names = "-n", paramLabel = "MANY", description = "At most so many; all unless said.")
    private long most = Long.MAX_VALUE;

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
        if (most < 1) {
            throw new IllegalArgumentException("-n takes 1 or more, not " + most);
        }
        var query = JobQuery.in(wanted)
                .failedAs(classes.stream().map(FailureClass::parse).collect(Collectors.toSet()))
                .workflow(workflow)
                .queue(queue)
                .principal(principal)
                .keyPrefix(key == null ? "" : key)
                .changed(
                        since == null
                                ? TimeWindow.EVER
                                : TimeWindow.since(
                                        SinceWhen.parse(since, Time.system().now())));
        try (var pawl = store.look()) {
            var screen = Screen.ours();
            JobLookup.inOrder(
                    pawl,
                    oldestFirst ? JobLookup.untilNow(query.oldestFirst()) : query,
                    most,
                    job -> System.out.println(line(pawl, job, screen)));
            return 0;
        }
    }

    private String line(Pawl pawl, JobSummary job, Screen screen) {
        if (json) {
            return Visible.of(
                    Json.write(JobText.envelope(pawl, pawl.find(job.id()).orElseThrow())));
        }
        return quiet ? job.identity().toString() : screen.fit(JobText.line(job), job.state());
    }
}
