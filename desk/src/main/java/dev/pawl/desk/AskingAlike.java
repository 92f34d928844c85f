package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.decision.QuestionShape;
import dev.pawl.job.JobState;
import dev.pawl.look.JobSummary;
import dev.pawl.look.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that ask the same question.
 *
 * @param jobs at least one
 */
public record AskingAlike(List<JobSummary> jobs) {
    public AskingAlike {
        jobs = List.copyOf(jobs);
    }

    /** Jobs that ask, those together that ask alike, in the order of the first of each. */
    public static List<AskingAlike> of(List<JobSummary> asking) {
        var groups = new LinkedHashMap<QuestionShape, List<JobSummary>>();
        for (var job : asking) {
            var shape = shape(job);
            if (shape != null) {
                groups.computeIfAbsent(shape, unused -> new ArrayList<>()).add(job);
            }
        }
        return groups.values().stream().map(AskingAlike::new).toList();
    }

    /**
     * All that ask the same as this one, itself among them.
     *
     * @throws IllegalArgumentException when it asks nothing
     */
    public static List<StoredJob> as(Pawl pawl, StoredJob one) {
        var wanted = shape(one.summary());
        if (wanted == null) {
            throw new IllegalArgumentException("job " + one.identity() + " is " + one.state() + " and asks nothing");
        }
        var alike = new ArrayList<StoredJob>();
        JobLookup.each(pawl, EnumSet.of(JobState.PAUSED), one.identity().workflow(), job -> {
            if (wanted.equals(shape(job))) {
                pawl.find(job.id()).ifPresent(alike::add);
            }
        });
        alike.sort(Comparator.comparingLong(StoredJob::id));
        return alike;
    }

    private static @Nullable QuestionShape shape(JobSummary job) {
        var question = job.outcome().question();
        return question == null
                ? null
                : QuestionShape.of(job.identity(), question, job.standing().cancelling());
    }

    /** The first of them. */
    public JobSummary first() {
        return jobs.getFirst();
    }

    /** What they ask. */
    public Question question() {
        return Objects.requireNonNull(first().outcome().question());
    }

    /** When the first of them began to ask; what goes on elsewhere is looked at meanwhile, and comes into its state anew with each look. */
    public Instant since(Pawl pawl) {
        var stands = question().kind() == QuestionKind.ELSEWHERE;
        return jobs.stream()
                .map(job -> stands
                        ? JobText.askedSince(pawl, job)
                        : job.standing().times().changed())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** When the first of them no longer waits for an answer; null when all wait for as long as it takes. */
    public @Nullable Instant until() {
        return jobs.stream()
                .map(job -> job.standing().times().due())
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** What becomes of them when nobody answers until then. */
    public String then() {
        return question().kind() == QuestionKind.APPROVE ? "it counts as a no" : "it is looked at again";
    }
}
