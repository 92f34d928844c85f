package dev.pawl.testkit.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;

/**
 * A port of 127.0.0.1 for a server that is started later, and perhaps again: nobody else takes it meanwhile. The kernel gives it to no connection, because it is
 * below those that connections get; other tests keep away from it, because it is held at another address of the loopback interface for as long as this process
 * lives, or until it is closed. Thread-safe.
 */
public final class Port implements AutoCloseable {
    private static final int FIRST = 12_000;
    private static final int MANY = 18_000;
    private static final int TRIES = 1_000;

    private final int number;
    private final ServerSocket held;

    private Port(int number, ServerSocket held) {
        this.number = number;
        this.held = held;
    }

    /** One that is free. */
    public static Port take() {
        var random = new Random();
        for (var i = 0; i < TRIES; i++) {
            var number = FIRST + random.nextInt(MANY);
            try {
                var held = new ServerSocket(number, 1, address(2));
                try {
                    new ServerSocket(number, 1, address(1)).close();
                    return new Port(number, held);
                } catch (BindException taken) {
                    held.close();
                }
            } catch (BindException taken) {
                // The next one.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("no port is free");
    }

    private static InetAddress address(int last) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    /** Its number. */
    public int number() {
        return number;
    }

    @Override
    public void close() {
        try {
            held.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
