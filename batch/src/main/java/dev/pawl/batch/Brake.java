package dev.pawl.batch;

import dev.pawl.failure.Halted;
import dev.pawl.gate.Gate;
import dev.pawl.key.Identity;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Stops a run when different rows fail alike, one after the other: then something is wrong that is no row's fault, and to go on would spend
 * every row's attempts. From time to time one row is let through, to see whether it is over; when that comes out well, so are the others. Thread-safe.
 */
public final class Brake {
    private static final String TRIES = "; one row tries when the gate opens";

    private final int most;
    private final Pauses pauses;
    private final Time time;
    private final Set<Identity> failed = new HashSet<>();
    private String like = "";
    private String last = "";
    private boolean tripped;
    private Duration pause;
    private long nextProbe;

    /** The row that was let through and has not come back; empty when none was. */
    private String probe = "";

    /**
     * How long to leave everything alone before a row is let through: twice as long each time it fails.
     *
     * @param first the first time
     * @param longest at the most
     */
    public record Pauses(Duration first, Duration longest) {
        /** Half a minute to a quarter of an hour. */
        public static final Pauses USUAL = new Pauses(Duration.ofSeconds(30), Duration.ofMinutes(15));
    }

    /** Whether a gate was closed by a brake; what an earlier Pawl closed so is known by its words alone. */
    static boolean isOfBrake(Gate gate) {
        var closing = gate.closing();
        return closing != null
                && (gate.cause() == Gate.Cause.BRAKE
                        || (closing.until() != null && closing.why().endsWith(TRIES)));
    }

    /** Stops after {@code most} rows; 0 for never. */
    public Brake(int most, Pauses pauses, Time time) {
        if (most < 0) {
            throw new IllegalArgumentException("--halt-after is a number of rows, or 0 for never, not " + most);
        }
        this.most = most;
        this.pauses = pauses;
        this.time = time;
        this.pause = pauses.first();
    }

    /** An earlier run was stopped, and nobody has said since that it is over: one row is let through at once, and no other. */
    public synchronized void startStopped(String why) {
        if (most > 0) {
            tripped = true;
            last = why.replace(TRIES, "");
            nextProbe = time.nanos();
        }
    }

    /** Whether nobody should begin now, but for one from time to time. */
    public synchronized boolean stopped() {
        return tripped;
    }

    /**
     * A row came out well.
     *
     * @return whether that releases those who wait
     */
    public synchronized boolean succeeded() {
        var released = tripped;
        failed.clear();
        tripped = false;
        probe = "";
        pause = pauses.first();
        return released;
    }

    /**
     * An attempt of a row failed.
     *
     * @param how what makes failures alike
     * @param says what it said
     */
    public synchronized void failed(Identity identity, String how, String says) {
        // Those that were on their way when it tripped say nothing new.
        if (tripped && identity.toString().equals(probe)) {
            probe = "";
            pause = pause.multipliedBy(2).compareTo(pauses.longest()) < 0 ? pause.multipliedBy(2) : pauses.longest();
            nextProbe = time.nanos() + pause.toNanos();
        }
        if (!how.equals(like)) {
            failed.clear();
            like = how;
        }
        failed.add(identity);
        if (!tripped && most > 0 && failed.size() >= most) {
            tripped = true;
            last = (failed.size() == 1 ? "a row failed: " : failed.size() + " rows in a row failed alike: ") + says;
            nextProbe = time.nanos() + pause.toNanos();
        }
    }

    /**
     * Lets a row begin. Of those that wait one is let through, and no other before that has come back, or was away for as long as a pause can be.
     *
     * @param row which it is; asked only while the brake has tripped
     * @throws Halted when so many have failed alike that nobody should: all wait at one gate until the next one is let through, and no attempt is
     *     spent
     */
    public synchronized void pass(Supplier<String> row) {
        if (!tripped) {
            return;
        }
        var which = row.get();
        if (which.equals(probe)) {
            // It runs more than one command.
            return;
        }
        var left = nextProbe - time.nanos();
        if (left > 0) {
            var again = probe.isEmpty() || left < pause.toNanos() ? Duration.ofNanos(left) : pause;
            throw new Halted(last + TRIES, again);
        }
        probe = which;
        nextProbe = time.nanos() + pauses.longest().toNanos();
    }
}
