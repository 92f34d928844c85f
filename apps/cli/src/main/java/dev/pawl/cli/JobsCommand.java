package dev.pawl.cli;

import dev.pawl.job.JobState;
import dev.pawl.store.StoredJob;
import java.util.EnumSet;
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
        description = "List jobs, oldest first. Example: pawl jobs --state paused,failed",
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

    @Override
    public Integer call() {
        var wanted = states == null
                ? EnumSet.allOf(JobState.class)
                : states.stream()
                        .map(JobState::parse)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(JobState.class)));
        try (var pawl = store.open()) {
            var after = 0L;
            while (true) {
                var page = pawl.jobs(wanted, after, PAGE);
                for (var job : page) {
                    System.out.printf("%-9s %s%s%n", job.state(), job.identity(), why(job));
                    after = job.id();
                }
                if (page.size() < PAGE) {
                    return 0;
                }
            }
        }
    }

    /** Why a job is where it is, as far as that needs saying. */
    private static String why(StoredJob job) {
        var outcome = job.outcome();
        var why = new StringBuilder();
        if (job.standing().cancelling() && !job.state().finished()) {
            why.append("  called off");
        }
        if (outcome.question() != null) {
            why.append("  asks about ").append(outcome.question().place());
        } else if (outcome.gate() != null) {
            why.append("  waits at gate ").append(outcome.gate());
        } else if (outcome.failure() != null) {
            why.append("  ").append(Words.of(outcome.failure()));
        }
        return why.toString();
    }
}
