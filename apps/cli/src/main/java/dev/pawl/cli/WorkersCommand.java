package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.StoredJob;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pawl workers}: who works, since when nothing was heard of each, and what it holds. */
@Command(
        name = "workers",
        description =
                "List the workers: what each takes, when it last beat, and the jobs that it holds. One that has not beaten for its term is taken over by the"
                        + " others. Example: pawl workers",
        mixinStandardHelpOptions = true)
final class WorkersCommand implements Callable<Integer> {
    private static final int SHOWN = 5;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Override
    public Integer call() {
        try (var pawl = store.look()) {
            var workers = pawl.workers();
            if (workers.isEmpty() && !json.wanted()) {
                System.out.println("nobody works with " + pawl.describe());
            }
            var held = held(pawl);
            for (var worker : workers) {
                say(worker, held.getOrDefault(worker.id(), List.of()));
            }
            return 0;
        }
    }

    private static Map<Long, List<StoredJob>> held(Pawl pawl) {
        var running = new ArrayList<StoredJob>();
        JobsCommand.each(pawl, EnumSet.of(JobState.RUNNING), null, running::add);
        return running.stream()
                .collect(Collectors.groupingBy(job -> job.standing().owner()));
    }

    private void say(WorkerRecord worker, List<StoredJob> jobs) {
        var ago = Duration.between(worker.beaten(), Time.system().now()).truncatedTo(ChronoUnit.SECONDS);
        var taking = worker.taking();
        var names = jobs.stream().map(job -> job.identity().toString()).toList();
        json.say(
                worker.name() + ", last beat "
                        + (ago.isNegative() || ago.isZero() ? "just now" : Durations.text(ago) + " ago")
                        + (ago.compareTo(worker.term()) > 0
                                ? " (its term is " + Durations.text(worker.term()) + ")"
                                : "")
                        + ", takes " + String.join(", ", taking.workflows())
                        + (taking.queues().isEmpty() ? "" : " from " + quoted(taking.queues()))
                        + (taking.principals().isEmpty() ? "" : " for " + quoted(taking.principals()))
                        + ", holds " + jobs.size() + (jobs.isEmpty() ? "" : ": " + shown(names)),
                JsonOption.fields(
                        "worker",
                        worker.name(),
                        "lastBeat",
                        worker.beaten().toString(),
                        "term",
                        worker.term().toString(),
                        "workflows",
                        taking.workflows(),
                        "queues",
                        taking.queues(),
                        "principals",
                        taking.principals(),
                        "holds",
                        names));
    }

    private static String quoted(List<String> names) {
        return names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
    }

    private static String shown(List<String> names) {
        var first = String.join(", ", names.subList(0, Math.min(SHOWN, names.size())));
        return names.size() <= SHOWN ? first : first + " and " + (names.size() - SHOWN) + " more";
    }
}
