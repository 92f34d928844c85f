package dev.pawl.checks.simulation;

import dev.pawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A process: its threads, its clocks, and whether it is dead, frozen or well. */
final class SimProcess implements Time {

    private final Scheduler scheduler;
    private final String name;
    private final List<Runnable> held = new ArrayList<>();
    private boolean newer;
    private boolean crashed;
    private long crashedAt = Long.MAX_VALUE;
    private boolean frozen;
    private long frozenAt;
    private long thawedAt;
    private long wallOffset;
    private long slept;
    private long cutOffUntil;
    private final Clock clock;
    private final long bootedAt;

    /** A process on a machine whose clock is right. */
    SimProcess(Scheduler scheduler, String name) {
        this(scheduler, name, Clock.RIGHT);
    }

    SimProcess(Scheduler scheduler, String name, Clock clock) {
        this.scheduler = scheduler;
        this.name = name;
        this.clock = clock;
        this.bootedAt = scheduler.nanos();
    }

    /** Whether it runs newer code than those that were there at first. */
    boolean isNewer() {
        return newer;
    }

    void runsNewerCode() {
        newer = true;
    }

    String name() {
        return name;
    }

    boolean crashed() {
        return crashed;
    }

    boolean frozen() {
        return frozen;
    }

    /** Keeps a turn until the process thaws. */
    void hold(Runnable turn) {
        held.add(turn);
    }

    /** Its threads never resume; no {@code finally} runs. */
    void crash() {
        crashed = true;
        crashedAt = scheduler.nanos();
        held.clear();
    }

    /** Whether it was well, and could reach others, for so long after {@code nanos}, without a break. */
    boolean livedOn(long nanos, Duration howLong) {
        var since = Math.max(Math.max(nanos, thawedAt), cutOffUntil);
        var until = Math.min(crashedAt, frozen ? frozenAt : scheduler.nanos());
        return until - since > howLong.toNanos();
    }

    /** Stops every thread where it is. When the machine sleeps, its monotonic clock stands still meanwhile. */
    void freeze(Duration duration, boolean machineSleeps) {
        if (frozen || crashed) {
            return;
        }
        frozen = true;
        frozenAt = scheduler.nanos();
        scheduler.after(duration, () -> {
            frozen = false;
            thawedAt = scheduler.nanos();
            if (machineSleeps) {
                slept += duration.toNanos();
            }
            held.forEach(Runnable::run);
            held.clear();
        });
    }

    /** Whether its machine has slept and neither of its clocks has seen it: then it takes a lease for its own that ended long ago. */
    boolean sleptUnawares() {
        return slept > 0 && clock == Clock.FROZEN;
    }

    /** It reaches nobody for a while. */
    void cutOff(Duration duration) {
        cutOffUntil = scheduler.nanos() + duration.toNanos();
    }

    boolean isCutOff() {
        return scheduler.nanos() < cutOffUntil;
    }

    /** Something it sent arrives after a while, whatever has become of it. */
    void later(Duration delay, Runnable arrives) {
        scheduler.after(delay, arrives);
    }

    /** Sets its wall clock forward or back. */
    void jump(Duration duration) {
        wallOffset += duration.toNanos();
    }

    @Override
    public Instant now() {
        return scheduler.now().plusNanos(wallOffset).plus(clock.off(Duration.ofNanos(scheduler.nanos() - bootedAt)));
    }

    @Override
    public long nanos() {
        return scheduler.nanos() - slept;
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        var me = Thread.currentThread();
        var alarm = scheduler.after(atMost, () -> LockSupport.unpark(me));
        LockSupport.park(this);
        scheduler.forget(alarm);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Parks for exactly so long. */
    void pause(Duration duration) throws InterruptedException {
        var until = scheduler.nanos() + duration.toNanos();
        while (scheduler.nanos() < until) {
            await(Duration.ofNanos(until - scheduler.nanos()));
        }
    }

    /** Parks for exactly so long, whatever interrupts come. */
    void pauseQuietly(Duration duration) {
        var until = scheduler.nanos() + duration.toNanos();
        var interrupted = false;
        while (scheduler.nanos() < until) {
            try {
                await(Duration.ofNanos(until - scheduler.nanos()));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
