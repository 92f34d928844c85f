package dev.pawl.testkit.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A port of the loopback interface that answers nobody, as one whose packets a firewall drops: its queue is full of connections that nobody takes, so
 * the kernel drops whoever comes. Thread-safe.
 */
public final class BlackHole implements AutoCloseable {
    private static final int MORE_THAN_ARE_QUEUED = 8;

    private final ServerSocket socket;
    private final List<SocketChannel> queued = new ArrayList<>();

    private BlackHole(ServerSocket socket) {
        this.socket = socket;
    }

    /** One at a free port. */
    public static BlackHole open() {
        return at(0);
    }

    /** One at {@code port}, where nobody else listens. */
    public static BlackHole at(int port) {
        try {
            var hole = new BlackHole(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
            hole.fill();
            return hole;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fill() throws IOException {
        for (var i = 0; i < MORE_THAN_ARE_QUEUED; i++) {
            var channel = SocketChannel.open();
            queued.add(channel);
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort()));
        }
    }

    /** The port that answers nobody. */
    public int port() {
        return socket.getLocalPort();
    }

    /** From now on the port refuses connections, until somebody else listens there. */
    @Override
    public void close() {
        try {
            socket.close();
            for (var channel : queued) {
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
