package dev.pawl.cli;

import dev.pawl.command.Commands;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Sends the signals that this process gets on to its commands. The JDK has no supported way to hear a signal but to end;
 * where its own is missing, commands go on and this process ends.
 */
final class PassedSignals {
    private static final List<String> SIGNALS = List.of("INT", "TERM", "HUP");

    private PassedSignals() {}

    static void to(Commands commands) {
        for (var name : SIGNALS) {
            handle(name, commands);
        }
    }

    private static void handle(String name, Commands commands) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var passing = Proxy.newProxyInstance(
                    PassedSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            pass(name, commands);
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), passing);
        } catch (ReflectiveOperationException e) {
            System.err.println("pawl: signal " + name + " is not passed on: " + e.getMessage());
        }
    }

    private static void pass(String name, Commands commands) {
        try {
            commands.signal(name);
        } catch (IOException e) {
            System.err.println("pawl: signal " + name + " could not be passed on: " + e.getMessage());
        }
    }
}
