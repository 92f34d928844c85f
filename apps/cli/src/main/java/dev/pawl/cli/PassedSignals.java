package dev.pawl.cli;

import dev.pawl.command.Commands;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends the signals that this process gets on to its commands. While none of them runs, a signal is meant for this process: it interrupts whoever
 * waits, and ends what cannot be interrupted. The JDK has no supported way to hear a signal but to end; where its own is missing, commands go on and
 * this process ends.
 */
final class PassedSignals {
    private static final List<String> SIGNALS = List.of("INT", "TERM", "HUP");

    /** How long whoever waits may take to end after a signal. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Commands commands;
    private final Thread waiting;
    private volatile @Nullable String ended;

    private PassedSignals(Commands commands, Thread waiting) {
        this.commands = commands;
        this.waiting = waiting;
    }

    /** From now on to these commands, or to the thread that calls this. */
    static PassedSignals to(Commands commands) {
        var passed = new PassedSignals(commands, Thread.currentThread());
        SIGNALS.forEach(passed::handle);
        return passed;
    }

    /** The signal that came while no command ran; null when none has. */
    @Nullable
    String ended() {
        return ended;
    }

    private void handle(String name) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var passing = Proxy.newProxyInstance(
                    PassedSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            pass(name);
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), passing);
        } catch (ReflectiveOperationException e) {
            System.err.println("pawl: signal " + name + " is not passed on: " + e.getMessage());
        }
    }

    private void pass(String name) throws InterruptedException {
        try {
            if (!commands.signal(name)) {
                end(name);
            }
        } catch (IOException e) {
            System.err.println("pawl: signal " + name + " could not be passed on: " + e.getMessage());
        }
    }

    private void end(String name) throws InterruptedException {
        ended = name;
        System.err.println("pawl: " + name + " came while no command runs, so this ends");
        waiting.interrupt();
        if (!waiting.join(LONGEST)) {
            Runtime.getRuntime().halt(GuardCommand.OURS);
        }
    }
}
