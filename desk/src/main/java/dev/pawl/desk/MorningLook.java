package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.TimeWindow;
import dev.pawl.look.UnfinishedJobs;
import dev.pawl.text.WithoutPasswords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What there is to say about a store.
 *
 * @param since how many jobs of each workflow came into a state since then
 * @param open what is not finished and asks nobody, by workflow
 * @param needing whom somebody has to look after
 * @param gates that a person must open
 */
public record MorningLook(
        Map<String, Map<JobState, Long>> since, Map<String, Unfinished> open, Needing needing, List<Gate> gates) {

    private static final Comparator<JobSummary> BY_NUMBER = Comparator.comparingLong(JobSummary::id);

    /** So many failed jobs are looked at one by one. */
    private static final int MOST_FAILED = 1_000;

    /**
     * Jobs that somebody has to look after, whenever that began.
     *
     * @param failedJobs until somebody has dealt with it: then it is in another state
     * @param asking a person
     * @param duplicated of which an effect happened twice, until somebody has dealt with it
     */
    public record Needing(FailedJobs failedJobs, List<JobSummary> asking, List<JobSummary> duplicated) {}

    /**
     * Jobs that have failed.
     *
     * @param first those that failed first, a thousand at the most
     * @param byWorkflow how many there are of each workflow
     */
    public record FailedJobs(List<JobSummary> first, Map<String, Long> byWorkflow) {
        /** How many there are. */
        public long many() {
            return byWorkflow.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** What is not finished of one workflow, and asks nobody. */
    public static final class Unfinished {
        final Map<JobState, Long> states = new EnumMap<>(JobState.class);

        /** One of them; of those that could go on now and have nobody, if there are any. */
        long one;

        long waitingForNews;

        /** Whether something could be done now, and nobody is there to do it. */
        boolean leftAlone;

        /** How many were begun with a version of their code that no worker fits, by version. */
        final Map<String, Long> unfit = new TreeMap<>();

        @Nullable
        Instant next;

        private void add(UnfinishedJobs alike, Pawl pawl) {
            states.merge(alike.state(), alike.many().all(), Long::sum);
            var due = alike.first().due();
            if (due != null && (next == null || due.isBefore(next))) {
                next = due;
            }
            waitingForNews += alike.state() == JobState.WAITING ? alike.many().withoutTime() : 0;
            if (one == 0) {
                one = alike.first().any();
            }
            if (fitsNobody(alike, pawl)) {
                unfit.merge(alike.group().version(), alike.many().all(), Long::sum);
            } else if (!leftAlone
                    && alike.first().now() != 0
                    && isLeftAlone(alike.first().now(), pawl)) {
                one = alike.first().now();
                leftAlone = true;
            }
        }

        private static boolean fitsNobody(UnfinishedJobs alike, Pawl pawl) {
            return !alike.group().version().isEmpty()
                    && pawl.find(alike.first().any())
                            .filter(pawl.operator()::fitsNobody)
                            .isPresent();
        }

        private static boolean isLeftAlone(long job, Pawl pawl) {
            return pawl.find(job)
                    .filter(found ->
                            !found.state().finished() && !pawl.operator().isAttended(found))
                    .isPresent();
        }
    }

    /** Looks at a store. What that costs does not grow with what is finished. */
    public static MorningLook at(Pawl pawl, Instant from) {
        var since = new TreeMap<String, Map<JobState, Long>>();
        var open = new TreeMap<String, Unfinished>();
        for (var alike : pawl.operator().unfinished(from)) {
            var workflow = alike.group().workflow();
            count(since, workflow, alike.state(), alike.many().lately());
            if (alike.state() != JobState.PAUSED) {
                open.computeIfAbsent(workflow, unused -> new Unfinished()).add(alike, pawl);
            }
        }
        for (var alike : pawl.operator().ended(TimeWindow.since(from))) {
            count(since, alike.group().workflow(), alike.state(), alike.many());
        }
        var asking = new ArrayList<JobSummary>();
        JobLookup.each(pawl, EnumSet.of(JobState.PAUSED), null, asking::add);
        asking.sort(BY_NUMBER);
        return new MorningLook(
                since,
                open,
                new Needing(failed(pawl), asking, pawl.operator().duplicated()),
                pawl.closedGates().stream().filter(ClosedGates::needsAPerson).toList());
    }

    private static void count(Map<String, Map<JobState, Long>> counts, String workflow, JobState state, long many) {
        if (many > 0) {
            counts.computeIfAbsent(workflow, unused -> new EnumMap<>(JobState.class))
                    .merge(state, many, Long::sum);
        }
    }

    private static FailedJobs failed(Pawl pawl) {
        var first = pawl.jobs(JobQuery.in(JobState.FAILED).oldestFirst().most(MOST_FAILED));
        var many = new TreeMap<String, Long>();
        if (first.next() == null) {
            first.jobs().forEach(job -> many.merge(job.identity().workflow(), 1L, Long::sum));
        } else {
            pawl.operator().ended(TimeWindow.EVER).stream()
                    .filter(alike -> alike.state() == JobState.FAILED)
                    .forEach(alike -> many.merge(alike.group().workflow(), alike.many(), Long::sum));
        }
        return new FailedJobs(first.jobs().stream().sorted(BY_NUMBER).toList(), many);
    }

    /** Workflows of which something could be done now, and nobody is there to do it. */
    public List<String> leftAlone() {
        return open.entrySet().stream()
                .filter(one -> one.getValue().leftAlone)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** What is most wanted of somebody. */
    public enum Need {
        /** Something has failed, and nobody has dealt with it. */
        FAILED,
        /** A person must decide. */
        ASKS,
        /** Something is due, and nobody works there. */
        LEFT_ALONE,
        /** Nothing needs anybody. */
        NOTHING
    }

    /** What is most wanted of somebody. */
    public Need need() {
        if (!needing.failedJobs().first().isEmpty()) {
            return Need.FAILED;
        }
        if (!needing.asking().isEmpty()
                || !needing.duplicated().isEmpty()
                || !gates.isEmpty()
                || open.values().stream().anyMatch(one -> !one.unfit.isEmpty())) {
            return Need.ASKS;
        }
        return leftAlone().isEmpty() ? Need.NOTHING : Need.LEFT_ALONE;
    }

    /** How many of all workflows are in each state that is no end. */
    public Map<JobState, Long> unfinished() {
        var all = new EnumMap<JobState, Long>(JobState.class);
        open.values().forEach(one -> one.states.forEach((state, many) -> all.merge(state, many, Long::sum)));
        if (!needing.asking().isEmpty()) {
            all.put(JobState.PAUSED, (long) needing.asking().size());
        }
        return all;
    }

    /** For machines. */
    public Map<String, @Nullable Object> fields(Instant from, Pawl pawl) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("since", from);
        fields.put("workflows", since);
        fields.put("open", unfinished());
        var goesOn = new TreeMap<String, Instant>();
        open.forEach((workflow, one) -> {
            if (one.next != null) {
                goesOn.put(workflow, one.next);
            }
        });
        fields.put("goesOn", goesOn);
        fields.put("leftAlone", leftAlone());
        var unfit = new TreeMap<String, Map<String, Long>>();
        open.forEach((workflow, one) -> {
            if (!one.unfit.isEmpty()) {
                unfit.put(workflow, one.unfit);
            }
        });
        fields.put("fitsNobody", unfit);
        fields.put("failed", names(needing.failedJobs().first()));
        fields.put("failedMany", needing.failedJobs().many());
        fields.put("asking", names(needing.asking()));
        fields.put(
                "questions",
                AskingAlike.of(needing.asking()).stream()
                        .map(alike -> Fields.of(
                                "workflow", alike.first().identity().workflow(),
                                "place", alike.question().place().toString(),
                                "kind", alike.question().kind(),
                                "why", WithoutPasswords.of(alike.question().because()),
                                "since", alike.since(pawl),
                                "until", alike.until(),
                                "jobs", names(alike.jobs())))
                        .toList());
        fields.put("duplicated", names(needing.duplicated()));
        fields.put(
                "gates",
                gates.stream()
                        .map(gate -> gate.text(
                                pawl.operator().waitingAt(gate), pawl.operator().storeOption()))
                        .toList());
        return fields;
    }

    private static List<String> names(List<JobSummary> jobs) {
        return jobs.stream().map(job -> job.identity().toString()).toList();
    }
}
