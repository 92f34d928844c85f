package dev.pawl.checks.crash.storm;

import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The wire between workers and their server: it can be slow, be cut, or carry nothing while both ends believe that it does. Thread-safe. */
final class Wire implements AutoCloseable {
    private static final int CHUNK = 16_384;

    private final ServerSocket listening;
    private volatile int server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Signal changed = new Signal();
    private volatile Duration delay = Duration.ZERO;
    private volatile boolean dead;
    private volatile boolean closed;

    /** A wire to {@code server}, a port of this machine. */
    Wire(int server) throws IOException {
        this.server = server;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** New connections go to this port of the machine. */
    void leadsTo(int other) {
        server = other;
    }

    /** Every piece takes so much longer from now on. */
    void slow(Duration more) {
        delay = more;
    }

    /** Cuts every connection, with a reset. */
    void cut() {
        open.forEach(Wire::reset);
        open.clear();
    }

    /** From now on it carries nothing, and nobody is told; or it carries again. */
    void carriesNothing(boolean nothing) {
        dead = nothing;
        changed.raise();
    }

    private void accept() {
        while (!closed) {
            try {
                var near = listening.accept();
                var far = new Socket();
                open.add(near);
                open.add(far);
                try {
                    far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server));
                } catch (IOException refused) {
                    reset(near);
                    continue;
                }
                Thread.ofVirtual().start(() -> carry(near, far));
                Thread.ofVirtual().start(() -> carry(far, near));
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private void carry(Socket from, Socket to) {
        var piece = new byte[CHUNK];
        try {
            var in = from.getInputStream();
            var out = to.getOutputStream();
            for (var many = in.read(piece); many >= 0; many = in.read(piece)) {
                while (dead && !closed) {
                    changed.await(Time.system(), changed.count(), Duration.ofMillis(50));
                }
                if (!delay.isZero()) {
                    new Signal().await(Time.system(), 0, delay);
                }
                out.write(piece, 0, many);
                out.flush();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            reset(from);
            reset(to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(from);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is gone already.
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        changed.raise();
        listening.close();
        cut();
    }
}
