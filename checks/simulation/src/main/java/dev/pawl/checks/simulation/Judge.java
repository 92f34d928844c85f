package dev.pawl.checks.simulation;

import dev.pawl.cost.Cost;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.gate.Budget;
import dev.pawl.gate.Rate;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.History;
import dev.pawl.journal.Line;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.store.Happened;
import dev.pawl.store.Store;
import dev.pawl.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Knows what the workflows were told and what reached the world, and finds what broke a promise. */
final class Judge {

    private final World world;
    private final List<String> violations = new ArrayList<>();
    private final Map<String, Integer> executions = new HashMap<>();
    private final Map<String, String> acknowledged = new HashMap<>();
    private final TreeMap<String, String> effectKeys = new TreeMap<>();
    private final TreeSet<String> gaveUp = new TreeSet<>();
    private final Map<String, Long> waits = new HashMap<>();
    private final Map<Identity, Set<Identity>> children = new LinkedHashMap<>();
    private final Deque<Long> passed = new ArrayDeque<>();
    private final IdentityHashMap<Job, Map<String, String>> notes = new IdentityHashMap<>();
    private final LongSupplier clock;
    private Set<String> told = Set.of();
    private final Budget budget;
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** The rate of the one gate that has one. */
    static final Rate RATE = new Rate("provider", 2, Duration.ofMinutes(1));

    Judge(World world, Budget budget, LongSupplier clock) {
        this.world = world;
        this.budget = budget;
        this.clock = clock;
    }

    /** How often the code came here, this time included. */
    int executed(Job job, String place) {
        return executions.merge(job.identity() + " " + place, 1, Integer::sum);
    }

    /** The code comes to a wait, perhaps again. */
    void beginsToWait(Job job, String place) {
        waits.putIfAbsent(job.identity() + " " + place, clock.getAsLong());
    }

    /** A wait has ended because its time was up: not earlier than that. */
    void waited(Job job, String place, Duration atLeast) {
        var passed = Duration.ofNanos(
                clock.getAsLong() - waits.getOrDefault(job.identity() + " " + place, clock.getAsLong()));
        if (passed.plusMillis(2).compareTo(atLeast) < 0) {
            violations.add("early: " + job.identity() + " " + place + " waited " + passed + " instead of " + atLeast);
        }
    }

    /** One job calls another. */
    void calls(Identity child, Identity parent) {
        children.computeIfAbsent(child, unused -> new TreeSet<>(Comparator.comparing(Identity::toString)))
                .add(parent);
    }

    /** Who called a job first. */
    Identity callerOf(Identity child) {
        return children.getOrDefault(child, Set.of()).iterator().next();
    }

    /** The jobs that were called. */
    Set<Identity> children() {
        return children.keySet();
    }

    /** An attempt passes the gate whose rate is limited: never more than the rate in half a stretch of time. */
    void passes() {
        var now = clock.getAsLong();
        passed.addLast(now);
        while (now - passed.getFirst() > RATE.per().toNanos() / 2) {
            passed.removeFirst();
        }
        if (passed.size() > 2 * RATE.most()) {
            violations.add(
                    "rate: " + passed.size() + " attempts in " + RATE.per().dividedBy(2));
        }
    }

    void wrong(Job job, String place, String what) {
        violations.add("wrong: " + job.identity() + " " + place + " " + what);
    }

    /** A step's work runs. It must not, once its result was handed to the workflow. */
    void runs(Job job, String place) {
        if (acknowledged.containsKey(job.identity() + " " + place)) {
            violations.add("lost: " + job.identity() + " " + place + " runs again after its result was acknowledged");
        }
    }

    /** The workflow got a step's result. */
    void acknowledged(Job job, String place, @Nullable String result) {
        same(job, place, String.valueOf(result));
    }

    /** The workflow got values that must never change. */
    void noted(Job job, String place, String values) {
        // What nobody outside has seen may still change: it counts once a later result of the same run was
        // acknowledged.
        notes.computeIfAbsent(job, unused -> new TreeMap<>()).put(place, values);
    }

    void gaveUp(Job job, String place) {
        gaveUp.add(job.identity() + " " + place);
        same(job, place, "gave up");
    }

    void sends(Job job, String place, String key) {
        effectKeys.put(job.identity() + " " + place, key);
        if (acknowledged.containsKey(job.identity() + " " + place)) {
            violations.add(
                    "repeated: " + job.identity() + " " + place + " acts again after its result was acknowledged");
        }
    }

    /** The workflow got an effect's result; null when a person said to go on without it. */
    void happened(Job job, String place, @Nullable String result) {
        same(job, place, String.valueOf(result));
        var key = EffectKey.of(job.identity(), Place.parse(place), job.resubmission());
        if (result != null && world.at(key).times.isEmpty()) {
            violations.add("lost: " + job.identity() + " " + place + " was said to have happened and did not");
        }
    }

    private void same(Job job, String place, String what) {
        notes.getOrDefault(job, Map.of()).forEach((note, values) -> unchanged(job, note + "-noted", values));
        unchanged(job, place, what);
    }

    private void unchanged(Job job, String place, String what) {
        var before = acknowledged.put(job.identity() + " " + place, what);
        if (before != null && !before.equals(what)) {
            violations.add("changed: " + job.identity() + " " + place + " was " + before + " and is " + what);
        }
    }

    /** The verdict once everything is quiet. */
    List<String> verdict(Store store, List<Identity> jobs, Operator operator) {
        told = operator.told();
        operator.toldTwice().forEach(one -> violations.add("twice: was told " + one));
        for (var identity : jobs) {
            var job = store.find(identity);
            if (job.isEmpty()) {
                violations.add("lost: job " + identity + " is not there");
            } else {
                judge(store, job.get());
            }
        }
        return violations;
    }

    private void judge(Store store, StoredJob job) {
        if (!job.state().finished()) {
            violations.add(
                    "stuck: job " + job.identity() + " is " + job.state() + " " + job.standing() + " " + job.outcome());
        }
        if (job.state() == JobState.FAILED) {
            violations.add("failed: job " + job.identity() + " " + job.outcome().failure());
        }
        if (job.pruned()) {
            return;
        }
        var lines = store.journal(job.id());
        for (var line : lines) {
            if (!told.contains(job.id() + " " + new Happened.What.Recorded(line))) {
                violations.add("missed: nobody was told of " + line + " of job " + job.identity());
            }
        }
        judgeOwners(job, lines);
        var entries = lines.stream().map(Line::entry).toList();
        judgeEnd(job, lines);
        judgeBudget(store, job, lines);
        judgeApprovals(job, lines);
        effectKeys.forEach((place, key) -> {
            if (place.startsWith(job.identity() + " ")) {
                judgeEffect(place, world.at(key), entries);
            }
        });
    }

    /** One owner: once a later one has written, an earlier one writes no more. */
    private void judgeOwners(StoredJob job, List<Line> lines) {
        var highest = 0L;
        for (var line : lines) {
            if (line.fence() != 0 && line.fence() < highest) {
                violations.add("fence: job " + job.identity() + " was written to under fence " + line.fence()
                        + " after " + highest);
            }
            highest = Math.max(highest, line.fence());
        }
    }

    private void judgeEnd(StoredJob job, List<Line> lines) {
        var doubts = History.of(lines, job.standing().resubmission()).inDoubt();
        if (!doubts.isEmpty()) {
            violations.add("doubt: job " + job.identity() + " is " + job.state() + " and in doubt at "
                    + doubts.getFirst().place());
        }
        var calledOff = false;
        var attemptsThatUsed = new TreeSet<String>();
        var approvals = new HashMap<Place, Integer>();
        for (var line : lines) {
            switch (line.entry()) {
                case Entry.CancelAsked ignored -> calledOff = true;
                case Entry.Intended intended -> {
                    if (calledOff) {
                        violations.add(
                                "called off: job " + job.identity() + " began " + intended.place() + " afterwards");
                    }
                    if (isApproved(intended.place())) {
                        if (approvals.merge(intended.place(), -1, Integer::sum) < 0) {
                            violations.add(
                                    "approval: " + job.identity() + " " + intended.place() + " acts without one");
                        }
                    }
                }
                case Entry.Answered answered -> {
                    if (answered.answer() instanceof Answer.DidNotHappen
                            && answered.source() == Answer.Source.WORKER
                            && isApproved(answered.place())) {
                        approvals.merge(answered.place(), 1, Integer::sum);
                    }
                }
                case Entry.Decided decided -> {
                    if (decided.decision().verdict() == Verdict.APPROVE) {
                        approvals.put(decided.place(), 1);
                    }
                }
                case Entry.Used used -> {
                    if (!attemptsThatUsed.add(used.place() + " " + used.number())) {
                        violations.add("cost: " + job.identity() + " " + used.place() + " attempt " + used.number()
                                + " counts twice");
                    }
                }
                default -> {}
            }
        }
    }

    /** A budget for one job stops it before the attempt that would overdraw it further; people may have raised it. */
    private void judgeBudget(Store store, StoredJob job, List<Line> lines) {
        if (budget.per() != Budget.Per.JOB) {
            return;
        }
        var raised = store.gates().stream()
                .filter(gate -> gate.name().equals("budget/job/" + job.identity()))
                .mapToInt(gate -> gate.raised().times())
                .findFirst()
                .orElse(0);
        var spent = Cost.NOTHING;
        for (var line : lines) {
            if (line.entry() instanceof Entry.Used used) {
                var limit = budget.limit();
                if ((limit.money() ? spent.nanoUsd() : spent.tokens().all()) >= limit.amount() * (raised + 1)) {
                    violations.add(
                            "budget: job " + job.identity() + " used more at " + used.place() + " after " + spent);
                }
                spent = spent.plus(Cost.of(used.uses(), used.wall()));
            }
        }
    }

    /** No attempt begins on a yes that has expired; a commit that was under way for a lease's length may come later. */
    private void judgeApprovals(StoredJob job, List<Line> lines) {
        var until = new HashMap<Place, Instant>();
        for (var line : lines) {
            if (line.entry() instanceof Entry.ApprovalWanted wanted) {
                until.put(wanted.place(), line.at().plus(wanted.expires()));
            } else if (line.entry() instanceof Entry.Intended intended) {
                var expired = until.get(intended.place());
                if (expired != null && line.at().isAfter(expired.plus(LEASE))) {
                    violations.add("approval: " + job.identity() + " " + intended.place() + " acts at " + line.at()
                            + ", and its yes expired at " + expired);
                }
            }
        }
    }

    private static boolean isApproved(Place place) {
        return place.name().startsWith("approve") || place.name().startsWith("expiring");
    }

    private void judgeEffect(String place, World.Landed landed, List<Entry> entries) {
        var reported = entries.stream()
                .anyMatch(entry ->
                        entry instanceof Entry.Duplicated duplicated && place.endsWith(" " + duplicated.place()));
        if (landed.times.size() > 1 && !landed.sentLate) {
            violations.add("repeated: " + place + " happened " + landed.times.size() + " times"
                    + (reported ? ", reported" : ", silently") + ", and nobody sent after a deadline");
        }
        for (var reply : landed.replies) {
            var kept = entries.stream()
                    .anyMatch(entry -> entry instanceof Entry.Answered answered
                            && place.endsWith(" " + answered.place())
                            && answered.number() == reply.attempt()
                            && answered.answer() instanceof Answer.Happened);
            if (!kept && reply.process().livedOn(reply.at(), Duration.ofMinutes(14))) {
                violations.add(
                        "evidence: " + place + " attempt " + reply.attempt() + " happened, and nobody wrote it down");
            }
        }
        if (gaveUp.contains(place) && !landed.times.isEmpty() && !landed.sentLate) {
            violations.add("wrong: " + place + " was given up as not happened, and it happened");
        }
    }
}
