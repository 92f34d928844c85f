package dev.pawl.checks.simulation;

import dev.pawl.cost.Cost;
import dev.pawl.decision.Verdict;
import dev.pawl.effect.Answer;
import dev.pawl.gate.Budget;
import dev.pawl.gate.Rate;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.EffectKey;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.look.Occurrence;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
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
    private final JournalJudge journals = new JournalJudge(violations);
    private final Map<String, Integer> executions = new HashMap<>();
    private final Map<String, String> acknowledged = new HashMap<>();
    private final TreeMap<String, String> effectKeys = new TreeMap<>();
    private final TreeSet<String> gaveUp = new TreeSet<>();
    private final Map<String, Long> waits = new HashMap<>();
    private final Map<Identity, Map<Identity, Boolean>> children = new LinkedHashMap<>();
    private final Set<Identity> calledOff = new HashSet<>();
    private final Deque<Long> passed = new ArrayDeque<>();
    private final Map<Long, Long> beats = new HashMap<>();

    /** How long a lease is good here. */
    private static final Duration TERM = Duration.ofSeconds(30);

    private final IdentityHashMap<Job, Map<String, String>> notes = new IdentityHashMap<>();
    private final LongSupplier clock;
    private Set<String> told = Set.of();
    private boolean stoodStill;
    private final Budget budget;
    private final Map<String, List<Shut>> shut = new HashMap<>();

    /** How long a process may not know of a gate that another one closed. */
    private static final Duration LAG = Duration.ofSeconds(45);

    /** A stretch of time in which a gate was closed. */
    private record Shut(Instant from, Instant to) {}

    /** The rate of the one gate that has one. */
    static final Rate RATE = new Rate("provider", 2, Duration.ofMinutes(1));

    private int takeOvers;
    private int timers;

    Judge(World world, Budget budget, LongSupplier clock) {
        this.world = world;
        this.budget = budget;
        this.clock = clock;
    }

    /** What an effect is called in newer code, or what it was called before. */
    static String renamed(String name) {
        return name.startsWith("new-") ? name.substring("new-".length()) : "new-" + name;
    }

    /** Beats are raised and workers declared dead: never while a beat is fresh. */
    void beats(List<Change> changes, List<Applied> applied) {
        for (var i = 0; i < changes.size(); i++) {
            if (changes.get(i) instanceof Change.Enlist enlist && applied.get(i) instanceof Applied.Now) {
                beats.put(enlist.worker(), clock.getAsLong());
            } else if (changes.get(i) instanceof Change.Beat beat && applied.get(i) instanceof Applied.Now) {
                beats.put(beat.worker(), clock.getAsLong());
            } else if (changes.get(i) instanceof Change.Retire retire && applied.get(i) instanceof Applied.Now) {
                // Whoever said good-bye cannot be taken over early, also when a late change brings its name back.
                beats.remove(retire.worker());
            } else if (changes.get(i) instanceof Change.TakeOver over
                    && over.how() == WorkerEnd.BEAT_STOOD_STILL
                    && applied.get(i) instanceof Applied.TookOver) {
                takeOvers++;
                var age = Duration.ofNanos(clock.getAsLong() - beats.getOrDefault(over.worker(), 0L));
                if (age.compareTo(TERM) < 0) {
                    violations.add(
                            "early: worker " + over.worker() + " was taken over " + age + " after its last beat");
                }
            }
        }
    }

    /** How often somebody went by a clock. */
    Simulation.TimesUp told() {
        return new Simulation.TimesUp(takeOvers, timers);
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
        timers++;
        var passed = Duration.ofNanos(
                clock.getAsLong() - waits.getOrDefault(job.identity() + " " + place, clock.getAsLong()));
        if (passed.plusMillis(2).compareTo(atLeast) < 0) {
            violations.add("early: " + job.identity() + " " + place + " waited " + passed + " instead of " + atLeast);
        }
    }

    /** One job calls another. */
    void calls(Identity child, Identity parent, boolean detached) {
        children.computeIfAbsent(child, unused -> new LinkedHashMap<>()).merge(parent, detached, (a, b) -> a && b);
    }

    /** Who called a job first. */
    Identity callerOf(Identity child) {
        return children.getOrDefault(child, Map.of()).keySet().iterator().next();
    }

    /** A call that would close a circle was not let through; only a caller that had ended meanwhile is another reason. */
    void refused(Job job, String place, String code, Identity caller) {
        if (!code.equals("refused") && !(code.equals("child") && calledOff.contains(caller))) {
            wrong(job, place, "was refused with " + code);
        }
    }

    /** A person called a job off, or gave it up. */
    void calledOff(Identity job) {
        calledOff.add(job);
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

    /** An effect acts. It must not, once its result was handed to the workflow, unless whoever acts is excused. */
    void sends(Job job, String place, String key, boolean excused) {
        effectKeys.put(job.identity() + " " + place, key);
        if (!excused && acknowledged.containsKey(job.identity() + " " + place)) {
            violations.add(
                    "repeated: " + job.identity() + " " + place + " acts again after its result was acknowledged");
        }
    }

    /** The workflow got an effect's result; null when a person said to go on without it. */
    void happened(Job job, String place, @Nullable String result) {
        same(job, place, String.valueOf(result));
        var key = EffectKey.of(job.identity(), Place.parse(place), job.resubmission());
        var twin = EffectKey.of(job.identity(), Place.parse(renamed(place)), job.resubmission());
        if (result != null
                && world.at(key).times.isEmpty()
                && world.at(twin).times.isEmpty()) {
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

    /** A gate was closed from one look to the next. */
    void shut(String gate, Instant from, Instant to) {
        shut.computeIfAbsent(gate, unused -> new ArrayList<>()).add(new Shut(from.plus(LAG), to));
    }

    /** While a gate of the whole workflow is closed nothing begins; what ran already finishes. */
    private void judgeGates(StoredJob job, List<JournalLine> lines) {
        for (var line : lines) {
            if (line.entry() instanceof Entry.Used used) {
                var began = line.at().minus(used.wall());
                shut.forEach((gate, stretches) -> stretches.forEach(stretch -> {
                    if (began.isAfter(stretch.from()) && began.isBefore(stretch.to())) {
                        violations.add("gate: job " + job.identity() + " began " + used.place() + " at " + began
                                + ", when " + gate + " was closed");
                    }
                }));
            }
        }
    }

    /** How many questions were asked. */
    int asked() {
        return journals.asked();
    }

    /** The verdict once everything is quiet. A process that stood still may know too little of gates for a moment. */
    List<String> verdict(Store store, List<Identity> jobs, Operator operator, boolean anyStoodStill) {
        stoodStill = anyStoodStill;
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
            if (!told.contains(job.id() + " " + new Occurrence.What.Recorded(line))) {
                violations.add("missed: nobody was told of " + line + " of job " + job.identity());
            }
        }
        journals.judge(job, lines);
        judgeCallingOff(store, job, lines);
        var entries = lines.stream().map(JournalLine::entry).toList();
        judgeBudget(store, job, lines);
        if (!stoodStill) {
            judgeGates(job, lines);
        }
        effectKeys.forEach((place, key) -> {
            if (place.startsWith(job.identity() + " ")) {
                judgeEffect(place, world.at(key), entries);
                judgeElsewhere(job, place, key, entries);
                judgeRenamed(job, place, world.at(key), entries);
            }
        });
    }

    /** A job is called off by a person, or with a caller that did not let it go; and with its only caller it is. */
    private void judgeCallingOff(Store store, StoredJob job, List<JournalLine> lines) {
        var callers = children.getOrDefault(job.identity(), Map.of());
        var asked = cancelAsked(lines);
        var withCaller = callers.entrySet().stream()
                .anyMatch(caller -> !caller.getValue()
                        && (calledOff.contains(caller.getKey()) || calledOff(store, caller.getKey()) != null));
        if (asked != null && !calledOff.contains(job.identity()) && !withCaller) {
            violations.add("called off: job " + job.identity() + ", by nobody");
        }
        if (callers.size() == 1 && asked == null && !callers.containsValue(true)) {
            var caller = store.find(callers.keySet().iterator().next()).orElseThrow();
            var stopped = calledOff(store, caller);
            var outlived = stopped != null && job.standing().times().changed().isAfter(stopped.plus(LAG));
            if (outlived
                    && job.state() != JobState.CANCELLED
                    && lines.stream()
                            .noneMatch(line -> reopens(line) && line.at().isAfter(stopped))
                    && stillWaited(store.journal(caller.id()), job.identity())) {
                violations.add("called off: job " + job.identity() + " went on although its only caller was");
            }
        }
    }

    /** Whether a person wanted a job that had ended to go on, whoever called it. */
    private static boolean reopens(JournalLine line) {
        return line.entry() instanceof Entry.Retried || line.entry() instanceof Entry.Resubmitted;
    }

    /** Whether the caller had not yet heard of the child's end when it was called off. */
    private static boolean stillWaited(List<JournalLine> caller, Identity child) {
        Place waits = null;
        for (var line : caller) {
            var entry = line.entry();
            if (entry instanceof Entry.Called called && called.child().equals(child)) {
                waits = called.place();
            } else if (entry instanceof Entry.CancelAsked) {
                return waits != null;
            } else if (entry.place().equals(waits)
                    && (entry instanceof Entry.StepDone || entry instanceof Entry.GaveUp)) {
                waits = null;
            }
        }
        return false;
    }

    private static @Nullable Instant calledOff(Store store, Identity job) {
        return store.find(job).map(found -> calledOff(store, found)).orElse(null);
    }

    private static @Nullable Instant calledOff(Store store, StoredJob job) {
        return job.pruned() && job.state() == JobState.CANCELLED
                ? job.standing().times().changed()
                : cancelAsked(store.journal(job.id()));
    }

    private static @Nullable Instant cancelAsked(List<JournalLine> lines) {
        return lines.stream()
                .filter(line -> line.entry() instanceof Entry.CancelAsked)
                .map(JournalLine::at)
                .findFirst()
                .orElse(null);
    }

    /** A budget for one job stops it before the attempt that would overdraw it further; people may have raised it. */
    private void judgeBudget(Store store, StoredJob job, List<JournalLine> lines) {
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

    /** An effect that got another name has happened under one of them only, unless a person said that it is another effect. */
    private void judgeRenamed(StoredJob job, String place, World.Landed landed, List<Entry> entries) {
        var name = place.substring(place.indexOf(' ') + 1);
        var saidNew = entries.stream()
                .anyMatch(entry -> entry instanceof Entry.Decided decided
                        && decided.decision().verdict() == Verdict.RETRY
                        && (decided.place().toString().equals(name)
                                || decided.place().toString().equals(renamed(name))));
        if (saidNew) {
            return;
        }
        var other = effectKeys.get(job.identity() + " " + renamed(name));
        if (other != null && name.startsWith("renamed") && !landed.times.isEmpty()) {
            var twin = world.at(other);
            if (!twin.times.isEmpty() && !landed.sentLate() && !twin.sentLate()) {
                violations.add("repeated: " + place + " happened under both its names");
            }
        }
    }

    /** What was begun elsewhere is over there when its job has ended, unless a person took it for over, or said to go on without knowing. */
    private void judgeElsewhere(StoredJob job, String place, String key, List<Entry> entries) {
        var begins = place.substring(place.indexOf(' ') + 1);
        if (!begins.startsWith("session-") || !begins.endsWith("-begins") || job.state() == JobState.FAILED) {
            return;
        }
        var awaited = begins.substring(0, begins.length() - "-begins".length());
        var landed = world.at(key);
        var decided = entries.stream()
                .anyMatch(entry -> entry instanceof Entry.Decided one
                        && switch (one.decision().verdict()) {
                            case DONE -> one.place().toString().equals(awaited);
                            case SKIP, FAIL ->
                                one.place().toString().equals(begins)
                                        || one.place().toString().equals(begins + "/end");
                            case RETRY, APPROVE, DENY -> false;
                        });
        var end = effectKeys.get(place + "/end");
        var ended = world.isOver(key) || (end != null && !world.at(end).times.isEmpty());
        // Code that asks about another name, newer or older, does not come to what began it, and cannot end it; and
        // what refuses
        // every attempt to end it is not ended either. Both say so until somebody gives it up.
        var cannotBeEnded = effectKeys.keySet().stream()
                        .anyMatch(other -> other.startsWith(job.identity() + " ") && other.contains("renamed-"))
                || entries.stream()
                        .anyMatch(entry -> entry instanceof Entry.GaveUp one
                                && one.place().toString().equals(begins + "/end"));
        var givenUp = cannotBeEnded && entries.stream().anyMatch(Entry.Discarded.class::isInstance);
        if (!landed.times.isEmpty() && !landed.sentLate() && !ended && !decided && !givenUp) {
            violations.add("elsewhere: " + place + " goes on, and its job is " + job.state());
        }
    }

    private void judgeEffect(String place, World.Landed landed, List<Entry> entries) {
        var reported = entries.stream()
                .anyMatch(entry ->
                        entry instanceof Entry.Duplicated duplicated && place.endsWith(" " + duplicated.place()));
        if (landed.times.size() > 1 && !landed.sentLate()) {
            violations.add("repeated: " + place + " happened " + landed.times.size() + " times"
                    + (reported ? ", reported" : ", silently") + ", and nobody sent after a deadline");
        }
        if (landed.times.size() > 1
                && !reported
                && landed.sentLate.stream()
                        .allMatch(late -> late.process().livedOn(late.at(), Simulation.QUIET.minusSeconds(30)))) {
            violations.add("repeated: " + place + " happened " + landed.times.size()
                    + " times, silently: whoever sent it late lived on and did not tell");
        }
        for (var reply : landed.replies) {
            var kept = entries.stream()
                    .anyMatch(entry -> entry instanceof Entry.Answered answered
                            && place.endsWith(" " + answered.place())
                            && answered.number() == reply.attempt()
                            && answered.answer() instanceof Answer.Happened);
            if (!kept && reply.process().livedOn(reply.at(), Simulation.QUIET.minusSeconds(30))) {
                violations.add(
                        "evidence: " + place + " attempt " + reply.attempt() + " happened, and nobody wrote it down");
            }
        }
        if (gaveUp.contains(place) && !landed.times.isEmpty() && !landed.sentLate()) {
            violations.add("wrong: " + place + " was given up as not happened, and it happened");
        }
    }
}
