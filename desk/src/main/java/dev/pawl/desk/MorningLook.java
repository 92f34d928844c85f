package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.store.StoredJob;
import dev.pawl.text.WithoutPasswords;
import dev.pawl.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
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

    /**
     * Jobs that somebody has to look after, whenever that began.
     *
     * @param failed until somebody has dealt with it: then it is in another state
     * @param asking a person
     * @param duplicated of which an effect happened twice, until somebody has dealt with it
     */
    public record Needing(List<StoredJob> failed, List<StoredJob> asking, List<StoredJob> duplicated) {}

    /** What is not finished of one workflow, and asks nobody. */
    public static final class Unfinished {
        final Map<JobState, Long> states = new EnumMap<>(JobState.class);
        /** One of them; of those that could go on now and have nobody, if there are any. */
        StoredJob one;

        long waitingForNews;

        /** Whether something could be done now, and nobody is there to do it. */
        boolean leftAlone;

        /** What could be done now, one of each kind that others work at. */
        private final Map<List<Object>, StoredJob> dueNow = new HashMap<>();

        @Nullable
        Instant next;

        Unfinished(StoredJob one) {
            this.one = one;
        }

        private void add(StoredJob job, Instant now) {
            states.merge(job.state(), 1L, Long::sum);
            var due = job.standing().times().due();
            if (due != null && (next == null || due.isBefore(next))) {
                next = due;
            }
            waitingForNews += due == null && job.state() == JobState.WAITING ? 1 : 0;
            if (job.state() == JobState.RUNNING || (due != null && !due.isAfter(now))) {
                var handling = job.given().handling();
                dueNow.putIfAbsent(
                        List.of(
                                handling.queue(),
                                handling.principal(),
                                job.standing().owner()),
                        job);
            }
        }

        private void look(Pawl pawl) {
            dueNow.values().stream()
                    .filter(job -> !pawl.isAttended(job))
                    .findFirst()
                    .ifPresent(alone -> {
                        one = alone;
                        leftAlone = true;
                    });
        }
    }

    /** Looks at a store. */
    public static MorningLook at(Pawl pawl, Instant from) {
        var since = new TreeMap<String, Map<JobState, Long>>();
        var open = new TreeMap<String, Unfinished>();
        var failed = new ArrayList<StoredJob>();
        var asking = new ArrayList<StoredJob>();
        var now = Time.system().now();
        JobLookup.each(pawl, EnumSet.allOf(JobState.class), null, job -> {
            var workflow = job.identity().workflow();
            if (!job.standing().times().changed().isBefore(from)) {
                since.computeIfAbsent(workflow, unused -> new EnumMap<>(JobState.class))
                        .merge(job.state(), 1L, Long::sum);
            }
            switch (job.state()) {
                case READY, RUNNING, WAITING ->
                    open.computeIfAbsent(workflow, unused -> new Unfinished(job))
                            .add(job, now);
                case PAUSED -> asking.add(job);
                case FAILED -> failed.add(job);
                case DONE, CANCELLED -> {}
            }
        });
        open.values().forEach(one -> one.look(pawl));
        return new MorningLook(
                since,
                open,
                new Needing(failed, asking, pawl.duplicated()),
                pawl.questions().gates());
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
        if (!needing.failed().isEmpty()) {
            return Need.FAILED;
        }
        if (!needing.asking().isEmpty() || !needing.duplicated().isEmpty() || !gates.isEmpty()) {
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
        fields.put("failed", names(needing.failed()));
        fields.put("asking", names(needing.asking()));
        fields.put(
                "questions",
                AskingAlike.of(needing.asking()).stream()
                        .map(alike -> Fields.of(
                                "workflow", alike.first().identity().workflow(),
                                "place", alike.question().place().toString(),
                                "kind", alike.question().kind(),
                                "why", WithoutPasswords.of(alike.question().because()),
                                "since", alike.since(),
                                "until", alike.until(),
                                "jobs", names(alike.jobs())))
                        .toList());
        fields.put("duplicated", names(needing.duplicated()));
        fields.put(
                "gates",
                gates.stream()
                        .map(gate -> gate.text(pawl.waitingAt(gate), pawl.storeOption()))
                        .toList());
        return fields;
    }

    private static List<String> names(List<StoredJob> jobs) {
        return jobs.stream().map(job -> job.identity().toString()).toList();
    }
}
