package dev.pawl.checks.bench.postgres;

import com.sun.management.OperatingSystemMXBean;
import dev.pawl.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The server that everybody is measured on, and what it and this process have spent. Thread-safe. */
final class Cluster implements AutoCloseable {

    /** What differs from the server's defaults, for everybody alike; all it acknowledges is on disk. */
    static final Map<String, String> SETTINGS = Map.of("shared_buffers", "512MB", "max_wal_size", "8GB");

    /** The kernel counts the processor's time in hundredths of a second. */
    private static final double TICK_MICROS = 10_000;

    private final PostgresServer server = PostgresServer.start(SETTINGS);
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final AtomicInteger databases = new AtomicInteger();

    /** A database that nobody has used yet. */
    Database database() throws SQLException {
        var name = "bench" + databases.incrementAndGet();
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("create database " + name);
            // Everybody begins with the log as short as can be.
            statement.execute("checkpoint");
        }
        return new Database(this, name);
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(server.url());
    }

    String url(String database) {
        return server.url(database);
    }

    /** The microseconds of the processor that this process and the server have taken until now, together. */
    double cpuMicros() {
        return process.getProcessCpuTime() / 1e3 + serverTicks() * TICK_MICROS;
    }

    private long serverTicks() {
        try {
            var postmaster = Long.parseLong(
                    Files.readAllLines(server.data().resolve("postmaster.pid")).getFirst());
            // With those that have ended already.
            var ticks = ticks(postmaster, 4);
            for (var child :
                    ProcessHandle.of(postmaster).orElseThrow().children().toList()) {
                ticks += ticks(child.pid(), 2);
            }
            return ticks;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first so many of: in user space, in the kernel, and the same of children that have ended. */
    private static long ticks(long pid, int fields) {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            var values = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            var ticks = 0L;
            for (var i = 0; i < fields; i++) {
                ticks += Long.parseLong(values[11 + i]);
            }
            return ticks;
        } catch (IOException e) {
            // It ended just now; the postmaster counts it from now on.
            return 0;
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
