package dev.pawl.checks.simulation;

import dev.pawl.effect.Attempt;
import dev.pawl.effect.Verification;
import dev.pawl.key.Identity;
import dev.pawl.retry.NotSent;
import dev.pawl.retry.Rejected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

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
        boolean sentLate;
    }

    /** A process was told that its attempt has happened. */
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

    private Consumer<Identity> callingOff = job -> {};

    /** What it means to call a job off. */
    void callsOff(Consumer<Identity> how) {
        callingOff = how;
    }

    /** Now and then a job is called off just when it is busy. */
    void mayCallOff(Identity job) {
        if (weather.stormy() && random.nextInt(60) == 0) {
            scheduler.after(Duration.ofMillis(random.nextInt(60)), () -> callingOff.accept(job));
        }
    }

    void expects(Identity job, String name) {
        expected.add(new Expected(job, name));
    }

    Set<Expected> expected() {
        return expected;
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
        if (weather.stormy() && random.nextInt(40) == 0) {
            weather.took("process: frozen between check and send");
            process.freeze(Duration.ofSeconds(60 + random.nextInt(600)), false);
        }
        process.pause(Duration.ofNanos(random.nextInt(100_000)));
        if (random.nextDouble() < weather.now().refused()) {
            weather.took("world: refused");
            throw new NotSent("connection refused");
        }
        if (rejects) {
            throw new Rejected("400");
        }
        var record = at(attempt.key());
        if (attempt.left().isZero()) {
            record.sentLate = true;
            weather.took("world: sent after its deadline");
        }
        var trip = trip();
        trace.say(scheduler.nanos(), process.name(), "send " + attempt.key().substring(0, 6) + " #" + attempt.number());
        scheduler.after(trip, () -> land(attempt, deduplicates));
        process.pause(trip.plus(trip()));
        if (random.nextDouble() < weather.now().lostReply()) {
            weather.took("world: reply lost");
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
