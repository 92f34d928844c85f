package dev.pawl.engine.local;

import dev.pawl.event.AttemptListener;
import dev.pawl.event.Events;
import dev.pawl.time.Time;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What an engine gets from outside, and a simulation replaces.
 *
 * @param time clocks and waiting
 * @param threads how threads are started
 * @param random jitter and ids
 * @param events where events go
 * @param listeners who hears of attempts and runs
 */
public record EnginePorts(
        Time time, Threads threads, RandomGenerator random, Events events, List<AttemptListener> listeners) {
    public EnginePorts {
        listeners = List.copyOf(listeners);
    }

    /** Nobody hears of attempts. */
    public EnginePorts(Time time, Threads threads, RandomGenerator random, Events events) {
        this(time, threads, random, events, List.of());
    }

    /** The same with threads that are started in another way. */
    EnginePorts threads(Threads others) {
        return new EnginePorts(time, others, random, events, listeners);
    }

    /** The machine's own, with events going to {@code events}. */
    public static EnginePorts system(Events events) {
        return system(events, List.of());
    }

    /** The same, and these hear of attempts. */
    public static EnginePorts system(Events events, List<AttemptListener> listeners) {
        return new EnginePorts(Time.system(), Threads.SYSTEM, new java.security.SecureRandom(), events, listeners);
    }
}
