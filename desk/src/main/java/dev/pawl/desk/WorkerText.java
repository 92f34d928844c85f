package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.look.JobSummary;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who works, since when nothing was heard of it, and what it holds.
 *
 * @param worker what the store knows of it
 * @param holds names of the jobs that it has
 */
public record WorkerText(WorkerRecord worker, List<String> holds) {
    private static final int SHOWN = 5;

    /** All that are enlisted. */
    public static List<WorkerText> all(Pawl pawl) {
        var workers = pawl.operator().workers();
        var running = new ArrayList<JobSummary>();
        JobLookup.each(pawl, EnumSet.of(JobState.RUNNING), null, running::add);
        running.sort(Comparator.comparingLong(JobSummary::id));
        var held = running.stream()
                .collect(Collectors.groupingBy(
                        job -> job.standing().owner(),
                        Collectors.mapping(job -> job.identity().toString(), Collectors.toList())));
        return workers.stream()
                .map(worker -> new WorkerText(worker, held.getOrDefault(worker.id(), List.of())))
                .toList();
    }

    /** In one line. */
    public String line() {
        var ago = Duration.between(worker.beaten(), Time.system().now()).truncatedTo(ChronoUnit.SECONDS);
        var taking = worker.taking();
        return worker.name() + ", last beat "
                + (ago.isNegative() || ago.isZero() ? "just now" : Durations.text(ago) + " ago")
                + (ago.compareTo(worker.term()) > 0 ? " (its term is " + Durations.text(worker.term()) + ")" : "")
                + (worker.enlisted() ? "" : ", was declared dead, and its jobs are being given back")
                + ", takes "
                + taking.workflows().stream()
                        .map(workflow -> workflow + versions(taking.versions().getOrDefault(workflow, List.of())))
                        .collect(Collectors.joining(", "))
                + (taking.queues().isEmpty() ? "" : " from " + quoted(taking.queues()))
                + (taking.principals().isEmpty() ? "" : " for " + quoted(taking.principals()))
                + ", holds " + holds.size() + (holds.isEmpty() ? "" : ": " + shown());
    }

    /** For machines. */
    public Map<String, @Nullable Object> fields() {
        var taking = worker.taking();
        return Fields.of(
                "worker",
                worker.name(),
                "lastBeat",
                worker.beaten().toString(),
                "term",
                worker.term().toString(),
                "declaredDead",
                !worker.enlisted(),
                "workflows",
                taking.workflows(),
                "versions",
                taking.versions(),
                "queues",
                taking.queues(),
                "principals",
                taking.principals(),
                "holds",
                holds);
    }

    private static String versions(List<String> fits) {
        return fits.isEmpty() ? "" : " (version " + String.join(", ", fits) + ")";
    }

    private static String quoted(List<String> names) {
        return names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
    }

    private String shown() {
        var first = String.join(", ", holds.subList(0, Math.min(SHOWN, holds.size())));
        return holds.size() <= SHOWN ? first : first + " and " + (holds.size() - SHOWN) + " more";
    }
}
