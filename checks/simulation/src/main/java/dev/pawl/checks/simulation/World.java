package dev.pawl.checks.simulation;

import dev.pawl.effect.Attempt;
import dev.pawl.effect.Verification;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.Rejected;
import dev.pawl.job.Job;
import dev.pawl.key.Identity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The destinations that effects reach. A request is sent, travels, lands, and its reply travels back; each of them can fail, and landing
 * follows although the sender has died. The judge reads what landed.
 */
final class World {

    /** The longest that a request travels, and that the list of what landed lags behind: together less than a settle time. */
    private static final Duration LONGEST_TRIP = Duration.ofSeconds(20);

    private static final Duration LAG = Duration.ofSeconds(20);

    /** How long a destination that deduplicates remembers a key. */
    static final Duration MEMORY = Duration.ofHours(1);

    private final Scheduler scheduler;
    private final Weather weather;
    private final RandomGenerator random;
    private final Trace trace;
    private final Map<String, Landed> landed = new HashMap<>();

    /** What happened under one key. */
    static final class Landed {
        final List<Long> times = new ArrayList<>();
        final List<Reply> replies = new ArrayList<>();
        final List<Reply> sentLate = new ArrayList<>();

        boolean sentLate() {
            return !sentLate.isEmpty();
        }
    }

    /** A process sent an attempt, or was told that it has happened. */
    record Reply(int attempt, SimProcess process, long at) {}

    World(Scheduler scheduler, Weather weather, RandomGenerator random, Trace trace) {
        this.scheduler = scheduler;
        this.weather = weather;
        this.random = random;
        this.trace = trace;
    }

    /** A job waits for signals of this name, or will. */
    record Expected(Identity job, String name) {}

    private final Set<Expected> expected = new LinkedHashSet<>();

    private final Map<String, Instant> elsewhere = new HashMap<>();
    private final Set<String> over = new HashSet<>();
    private @Nullable Story story;
    private int travelling;
    private final IdentityHashMap<Job, SimProcess> runs = new IdentityHashMap<>();
    private Consumer<Identity> callingOff = job -> {};

    /** What it means to call a job off. */
    void callsOff(Consumer<Identity> how) {
        callingOff = how;
    }

    private Consumer<SimProcess> shuttingDown = process -> {};

    /** What it means to tell a process to stop. */
    void shutsDown(Consumer<SimProcess> how) {
        shuttingDown = how;
    }

    /** Tells somebody who writes it down. */
    void tells(Story listener) {
        story = listener;
    }

    /** Now and then a job is called off just when it is busy. */
    void mayCallOff(Identity job) {
        if (random.nextDouble() < weather.now().busy().calledOff()) {
            scheduler.after(Duration.ofMillis(random.nextInt(60)), () -> callingOff.accept(job));
        }
    }

    /** A workflow's code runs from here on. */
    void starts(Job run, SimProcess process) {
        runs.put(run, process);
    }

    /** It has come to its end, or left. */
    void stops(Job run) {
        runs.remove(run);
    }

    void begins(Identity job, Programs.Op op, SimProcess process) {
        weather.begins(job, op, process);
    }

    void ends(Identity job) {
        weather.ends(job);
    }

    void leaves(Identity job) {
        weather.leaves(job);
    }

    void expects(Identity job, String name) {
        expected.add(new Expected(job, name));
    }

    /** For how long something has gone on elsewhere that began when somebody first asked. */
    Duration goesOn(String what) {
        return Duration.between(elsewhere.computeIfAbsent(what, unused -> scheduler.now()), scheduler.now());
    }

    /** Somebody has seen what goes on elsewhere come to its end there. */
    void over(String what) {
        over.add(what);
    }

    /** Whether something that goes on elsewhere has come to its end by itself, and somebody has seen it. */
    boolean isOver(String what) {
        return over.contains(what);
    }

    Set<Expected> expected() {
        return expected;
    }

    /** Whether a request is on its way, or a workflow's code runs. */
    boolean busy() {
        return travelling > 0 || runs.values().stream().anyMatch(process -> !process.crashed());
    }

    Landed at(String key) {
        return landed.computeIfAbsent(key, unused -> new Landed());
    }

    /** Sends a request for {@code attempt} and waits for its reply. */
    String send(SimProcess process, Attempt attempt, boolean deduplicates, boolean rejects)
            throws InterruptedException {
        if (attempt.left().isZero()) {
            throw new NotSent("too late to send");
        }
        // Between the check and the send a process may freeze for longer than any deadline: nothing can stop it then.
        if (random.nextDouble() < weather.now().world().frozen()) {
            weather.took(Fault.FROZEN_BEFORE_SENDING, process);
            process.freeze(Duration.ofSeconds(60 + random.nextInt(600)), false);
        }
        process.pause(Duration.ofNanos(random.nextInt(100_000)));
        if (random.nextDouble() < weather.now().world().refused()) {
            weather.took(Fault.REFUSED, process);
            throw new NotSent("connection refused");
        }
        if (rejects) {
            throw new Rejected("400");
        }
        var record = at(attempt.key());
        if (attempt.left().isZero()) {
            record.sentLate.add(new Reply(attempt.number(), process, scheduler.nanos()));
        }
        var trip = trip();
        trace.say(scheduler.nanos(), process.name(), "send " + attempt.key().substring(0, 6) + " #" + attempt.number());
        travelling++;
        if (story != null) {
            story.sends(attempt);
        }
        scheduler.after(trip, () -> land(attempt, deduplicates));
        if (random.nextDouble() < weather.now().busy().shutDownInAct()) {
            scheduler.after(trip.dividedBy(2), () -> shuttingDown.accept(process));
        }
        process.pause(trip.plus(trip()));
        if (random.nextDouble() < weather.now().world().lostReply()) {
            weather.took(Fault.REPLY_LOST, process);
            throw new IllegalStateException("connection reset");
        }
        record.replies.add(new Reply(attempt.number(), process, scheduler.nanos()));
        return attempt.key();
    }

    private Duration trip() {
        return random.nextInt(10) == 0
                ? Duration.ofMillis(random.nextInt((int) LONGEST_TRIP.toMillis()))
                : Duration.ofMillis(random.nextInt(300));
    }

    private void land(Attempt attempt, boolean deduplicates) {
        travelling--;
        if (story != null) {
            story.lands(attempt);
        }
        var record = at(attempt.key());
        var now = scheduler.nanos();
        var remembered = deduplicates && !record.times.isEmpty() && now - record.times.getFirst() < MEMORY.toNanos();
        trace.say(
                now,
                "world",
                (remembered ? "again " : "land ") + attempt.key().substring(0, 6) + " #" + attempt.number());
        if (!remembered) {
            record.times.add(now);
        }
    }

    /** Asks whether something landed under {@code key}. The list lags, and look-ups fail. */
    Verification<String> lookUp(SimProcess process, String key) throws InterruptedException {
        process.pause(Duration.ofMillis(random.nextInt(200)));
        if (weather.stormy()) {
            switch (random.nextInt(12)) {
                case 0 -> {
                    return Verification.cannotTell("the list is broken");
                }
                case 1 -> {
                    return Verification.askAgain(Duration.ofSeconds(5));
                }
                case 2 -> throw new IllegalStateException("the look-up failed");
                default -> {}
            }
        }
        var seen = at(key).times.stream().anyMatch(time -> scheduler.nanos() - time > lag());
        return seen ? Verification.happened(key) : Verification.didNotHappen();
    }

    private long lag() {
        return random.nextBoolean() ? 0 : random.nextLong(LAG.toNanos());
    }
}
