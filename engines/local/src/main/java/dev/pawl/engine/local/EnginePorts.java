package dev.pawl.engine.local;

import dev.pawl.event.Events;
import dev.pawl.time.Time;
import java.util.random.RandomGenerator;

/**
 * What an engine gets from outside, and a simulation replaces.
 *
 * @param time clocks and waiting
 * @param threads how threads are started
 * @param random jitter and ids
 * @param events where events go
 */
public record EnginePorts(Time time, Threads threads, RandomGenerator random, Events events) {

    /** The same with threads that are started in another way. */
    EnginePorts threads(Threads others) {
        return new EnginePorts(time, others, random, events);
    }

    /** The machine's own, with events going to {@code events}. */
    public static EnginePorts system(Events events) {
        return new EnginePorts(Time.system(), Threads.SYSTEM, new java.security.SecureRandom(), events);
    }
}
