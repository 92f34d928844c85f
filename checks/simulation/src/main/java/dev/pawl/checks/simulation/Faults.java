package dev.pawl.checks.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What goes wrong in one seed, and how often. Derived from the seed, so that different seeds are different kinds of bad night.
 *
 * @param store what goes wrong on the way to the store
 * @param world what goes wrong on the way to destinations
 * @param busy what befalls a process just when it is busy with something
 * @param kernelTells whether a crashed process is known to be dead at once
 */
record Faults(OfStore store, OfWorld world, Busy busy, boolean kernelTells) {
    /**
     * What goes wrong on the way to the store.
     *
     * @param lostBefore share of exchanges that fail and do nothing
     * @param lostAfter share of exchanges that are done and answer with an error
     * @param late share of exchanges that answer with an error and are done later
     * @param frozen share of exchanges before which the process freezes for long
     */
    record OfStore(double lostBefore, double lostAfter, double late, double frozen) {
        static final OfStore NONE = new OfStore(0, 0, 0, 0);
    }

    /**
     * What goes wrong on the way to destinations.
     *
     * @param lostReply share of requests whose reply never comes
     * @param refused share of requests that are refused before they are sent
     * @param frozen share of requests before which the process freezes, after its last check
     */
    record OfWorld(double lostReply, double refused, double frozen) {
        static final OfWorld NONE = new OfWorld(0, 0, 0);
    }

    /**
     * What befalls a process just when it is busy.
     *
     * @param crashInRecovery share of take-overs after which the rescuer dies at once
     * @param shutDownInAct share of requests during which the process is told to stop
     * @param calledOff share of steps during which their job is called off
     */
    record Busy(double crashInRecovery, double shutDownInAct, double calledOff) {
        static final Busy NONE = new Busy(0, 0, 0);
    }

    static final Faults NONE = new Faults(OfStore.NONE, OfWorld.NONE, Busy.NONE, true);

    /** How long things go wrong. */
    static final Duration STORM = Duration.ofMinutes(10);

    static Faults drawn(RandomGenerator random) {
        return new Faults(
                new OfStore(
                        random.nextInt(3) == 0 ? 0.1 : 0.01,
                        random.nextInt(3) == 0 ? 0.1 : 0.01,
                        random.nextInt(3) * 0.02,
                        random.nextInt(3) * 0.002),
                new OfWorld(random.nextInt(3) * 0.15, random.nextInt(3) * 0.15, random.nextInt(2) * 0.05),
                new Busy(random.nextInt(2) * 0.6, random.nextInt(4) == 0 ? 0.1 : 0, random.nextInt(3) * 0.015),
                random.nextBoolean());
    }

    /** The same with one thing less that goes wrong. */
    List<Faults> calmer() {
        var calmer = new ArrayList<Faults>();
        if (!store.equals(OfStore.NONE)) {
            calmer.add(new Faults(OfStore.NONE, world, busy, kernelTells));
            calmer.add(new Faults(
                    new OfStore(0, store.lostAfter(), store.late(), store.frozen()), world, busy, kernelTells));
            calmer.add(new Faults(
                    new OfStore(store.lostBefore(), 0, store.late(), store.frozen()), world, busy, kernelTells));
            calmer.add(new Faults(
                    new OfStore(store.lostBefore(), store.lostAfter(), 0, store.frozen()), world, busy, kernelTells));
            calmer.add(new Faults(
                    new OfStore(store.lostBefore(), store.lostAfter(), store.late(), 0), world, busy, kernelTells));
        }
        if (!world.equals(OfWorld.NONE)) {
            calmer.add(new Faults(store, OfWorld.NONE, busy, kernelTells));
            calmer.add(new Faults(store, new OfWorld(0, world.refused(), world.frozen()), busy, kernelTells));
            calmer.add(new Faults(store, new OfWorld(world.lostReply(), 0, world.frozen()), busy, kernelTells));
            calmer.add(new Faults(store, new OfWorld(world.lostReply(), world.refused(), 0), busy, kernelTells));
        }
        if (!busy.equals(Busy.NONE)) {
            calmer.add(new Faults(store, world, Busy.NONE, kernelTells));
        }
        calmer.removeIf(this::equals);
        return calmer;
    }
}
