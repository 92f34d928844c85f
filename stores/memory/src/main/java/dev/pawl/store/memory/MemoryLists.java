package dev.pawl.store.memory;

import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.journal.JournalLine;
import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobPage;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.JournalPage;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.look.UnfinishedJobs;
import dev.pawl.store.JobPosition;
import dev.pawl.store.document.JobDocument;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists and counts of what is in memory: everything is looked at each time. */
final class MemoryLists {
    private MemoryLists() {}

    /** All that a query asks for, whatever part it names. */
    static List<JobSummary> all(Collection<JobDocument> all, JobQuery query) {
        return all.stream()
                .map(JobDocument::view)
                .filter(job -> !job.pruned())
                .map(JobSummary::of)
                .filter(query::fits)
                .toList();
    }

    static JobPage jobs(Collection<JobDocument> all, JobQuery query) {
        var part = query.part();
        var before = JobPosition.before(part);
        var order = JobPosition.order(part.newestFirst());
        var found = all(all, query).stream()
                .filter(job -> order.compare(JobPosition.of(job), before) > 0)
                .sorted(Comparator.comparing(JobPosition::of, order))
                .limit(part.most() + 1L)
                .toList();
        if (found.size() <= part.most()) {
            return new JobPage(found, null);
        }
        var page = found.subList(0, part.most());
        return new JobPage(page, JobPosition.of(page.getLast()).cursor());
    }

    static JournalPage journal(List<JournalLine> journal, ListPart part) {
        var after = part.behind().isStart()
                ? (part.newestFirst() ? Long.MAX_VALUE : Long.MIN_VALUE)
                : part.behind().numbers(1)[0];
        var order = Comparator.comparingLong(JournalLine::seq);
        var found = journal.stream()
                .filter(line -> part.newestFirst() ? line.seq() < after : line.seq() > after)
                .sorted(part.newestFirst() ? order.reversed() : order)
                .limit(part.most() + 1L)
                .toList();
        if (found.size() <= part.most()) {
            return new JournalPage(found, null);
        }
        var page = found.subList(0, part.most());
        return new JournalPage(page, Cursor.of(page.getLast().seq()));
    }

    private record Alike(ClaimGroup group, JobState state, long owner) {}

    static List<UnfinishedJobs> unfinished(Collection<JobDocument> all, Instant since, Instant now) {
        return all.stream()
                .map(JobDocument::view)
                .filter(job -> !job.state().finished())
                .map(JobSummary::of)
                .collect(Collectors.groupingBy(job -> new Alike(
                        ClaimGroup.of(job), job.state(), job.standing().owner())))
                .entrySet()
                .stream()
                .map(alike -> unfinished(alike.getKey(), alike.getValue(), since, now))
                .toList();
    }

    private static UnfinishedJobs unfinished(Alike alike, List<JobSummary> jobs, Instant since, Instant now) {
        var due = jobs.stream()
                .map(MemoryLists::due)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        var able = jobs.stream()
                .filter(job -> job.state() == JobState.RUNNING || isDue(job, now))
                .mapToLong(JobSummary::id)
                .min()
                .orElse(0);
        return new UnfinishedJobs(
                alike.group(),
                alike.state(),
                alike.owner(),
                new UnfinishedJobs.HowMany(
                        jobs.size(),
                        jobs.stream()
                                .filter(job -> !job.standing().times().changed().isBefore(since))
                                .count(),
                        jobs.stream().filter(job -> due(job) == null).count()),
                new UnfinishedJobs.First(
                        due, able, jobs.stream().mapToLong(JobSummary::id).min().orElseThrow()));
    }

    private static @Nullable Instant due(JobSummary job) {
        return job.standing().times().due();
    }

    private static boolean isDue(JobSummary job, Instant now) {
        var due = due(job);
        return due != null && !due.isAfter(now);
    }

    private record Ended(
            ClaimGroup group, JobState state, @Nullable FailureClass failure, boolean pruned) {}

    static List<EndedJobs> ended(Collection<JobDocument> all, TimeWindow window) {
        return all.stream()
                .map(JobDocument::view)
                .filter(job -> job.state().finished()
                        && (!job.pruned() || window.equals(TimeWindow.EVER))
                        && window.contains(job.standing().times().changed()))
                .collect(Collectors.groupingBy(MemoryLists::ended, Collectors.counting()))
                .entrySet()
                .stream()
                .map(one -> new EndedJobs(
                        one.getKey().group(),
                        one.getKey().state(),
                        one.getKey().failure(),
                        one.getKey().pruned(),
                        one.getValue()))
                .toList();
    }

    private static Ended ended(StoredJob job) {
        var summary = JobSummary.of(job);
        return new Ended(ClaimGroup.of(summary), job.state(), summary.failedAs(), job.pruned());
    }
}
