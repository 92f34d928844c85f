package dev.pawl.testkit.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server on a port of its own of the loopback interface, with a data folder of its own. What it acknowledges is on disk: {@code fsync} and
 * {@code synchronous_commit} are on. Its superuser is {@code postgres}, without a password. Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {
    private static final String READY = "ready to accept";
    private static final String RELOADS = "received SIGHUP";
    private static final String TLS_WORD = "for-tests";

    private final Binaries binaries;
    private final Path folder;
    private final Path data;
    private final Port port = Port.take();
    private final Semaphore reloads = new Semaphore(0);
    private @Nullable Process process;
    private @Nullable Thread log;

    private PostgresServer(Binaries binaries, Path folder) {
        this.binaries = binaries;
        this.folder = folder;
        this.data = folder.resolve("data");
    }

    /** A new server, started. */
    public static PostgresServer start() {
        return start(Map.of());
    }

    /** A new server, started, with these lines in its {@code postgresql.conf}. */
    public static PostgresServer start(Map<String, String> settings) {
        try {
            var binaries = Binaries.get();
            var folder = Files.createTempDirectory("pawl-postgres-data");
            Binaries.copy(binaries.template(), folder.resolve("data"));
            var server = new PostgresServer(binaries, folder);
            server.set(Map.of("fsync", "on", "synchronous_commit", "on", "max_connections", "200"));
            server.recoverQuickly();
            server.set(settings);
            server.startAgain();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A new server, started, whose data are on a disk of so many megabytes: in memory, and gone with it. Only for a user who may mount in a namespace of
     * their own.
     */
    public static PostgresServer startOnSmallDisk(int megabytes) {
        try {
            var binaries = Binaries.get();
            var folder = Files.createTempDirectory("pawl-postgres-data");
            Binaries.copy(binaries.template(), folder.resolve("data"));
            var server = new PostgresServer(binaries, folder);
            server.set(
                    Map.of("fsync", "on", "synchronous_commit", "on", "min_wal_size", "32MB", "max_wal_size", "64MB"));
            var disk = Files.createDirectory(folder.resolve("disk"));
            var start = server.command(disk);
            start.addAll(
                    0,
                    List.of(
                            "unshare",
                            "-Urm",
                            "sh",
                            "-c",
                            "mount -t tmpfs -o size=$1m,mode=700 none \"$2\" && cp -a \"$3\"/. \"$2\" && shift 3 && exec \"$@\"",
                            "sh",
                            Integer.toString(megabytes),
                            disk.toString(),
                            server.data.toString()));
            server.start(start);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** After a crash all of its data are synced at once, not a thousand files one by one, which takes seconds where others write too. */
    private void recoverQuickly() {
        if (System.getProperty("os.name").equals("Linux")) {
            set(Map.of("recovery_init_sync_method", "syncfs"));
        }
    }

    /** Adds lines to {@code postgresql.conf}; they count from the next start. */
    public void set(Map<String, String> settings) {
        var lines = new ArrayList<String>();
        settings.forEach((name, value) -> lines.add(name + " = '" + value.replace("'", "''") + "'"));
        append("postgresql.conf", lines);
    }

    /** Adds lines to a file in the data folder. */
    public void append(String file, List<String> lines) {
        try {
            Files.write(data.resolve(file), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks this server something. */
    @FunctionalInterface
    public interface Querying {
        /** The first column of the first row that {@code query} finds. */
        String first(String query);

        /** Asks on {@code connection}. */
        static Querying on(Connection connection) {
            return query -> {
                try (var statement = connection.createStatement();
                        var row = statement.executeQuery(query)) {
                    row.next();
                    return row.getString(1);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            };
        }
    }

    /**
     * A replica of this server, started, which follows it. Whoever asks for it gives a way to run SQL on this one, because that is where the copying begins and ends.
     *
     * @param sql on a connection that stays the same
     */
    public PostgresServer replica(Querying sql) {
        try {
            var copy = Files.createTempDirectory("pawl-postgres-data");
            sql.first("select pg_backup_start('replica', true)");
            Binaries.copy(data, copy.resolve("data"));
            var label = sql.first("select labelfile from pg_backup_stop(false)");
            var replica = new PostgresServer(binaries, copy);
            Files.deleteIfExists(replica.data.resolve("postmaster.pid"));
            // What is copied of the log while it is written and reused is of no use; it comes over the wire.
            Binaries.deleteFilesIn(replica.data.resolve("pg_wal"));
            Files.writeString(replica.data.resolve("backup_label"), label);
            Files.createFile(replica.data.resolve("standby.signal"));
            replica.set(Map.of("primary_conninfo", "host=127.0.0.1 port=" + port() + " user=postgres"));
            replica.startAgain();
            return replica;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a replica a server of its own, and waits until it is. What a replica is asked meanwhile may be called off, for the sake of what it still takes over. */
    public static void promote(Querying replica) {
        insisting(replica, "select pg_promote(false)");
        while (!insisting(replica, "select pg_is_in_recovery() from pg_sleep(0.05)")
                .equals("f")) {
            // The server has waited a moment.
        }
    }

    private static String insisting(Querying replica, String query) {
        while (true) {
            try {
                return replica.first(query);
            } catch (IllegalStateException e) {
                if (!(e.getCause() instanceof SQLException called) || !"40001".equals(called.getSQLState())) {
                    throw e;
                }
            }
        }
    }

    /** From now on it speaks TLS, with a certificate of its own for 127.0.0.1; returns that certificate's file. It has to be started again first. */
    public Path speakTls() {
        try {
            var store = folder.resolve("tls.p12");
            var certificate = data.resolve("server.crt");
            keytool(
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "RSA",
                    "-dname",
                    "CN=127.0.0.1",
                    "-ext",
                    "SAN=IP:127.0.0.1",
                    "-keystore",
                    store.toString());
            keytool(
                    "-exportcert",
                    "-rfc",
                    "-alias",
                    "server",
                    "-file",
                    certificate.toString(),
                    "-keystore",
                    store.toString());
            var keys = KeyStore.getInstance("PKCS12");
            try (var in = Files.newInputStream(store)) {
                keys.load(in, TLS_WORD.toCharArray());
            }
            var key = keys.getKey("server", TLS_WORD.toCharArray());
            var pem = "-----BEGIN PRIVATE KEY-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded())
                    + "\n-----END PRIVATE KEY-----\n";
            var file = Files.createFile(
                    data.resolve("server.key"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, pem);
            set(Map.of("ssl", "on"));
            return certificate;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void keytool(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-storepass",
                TLS_WORD,
                "-storetype",
                "PKCS12"));
        command.addAll(1, List.of(arguments));
        Binaries.awaitSuccess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start(),
                "keytool failed");
    }

    /** From now on {@code user} must give a password. */
    public void requirePassword(String user) {
        try {
            var file = data.resolve("pg_hba.conf");
            var lines = new ArrayList<>(List.of("host all " + user + " 127.0.0.1/32 scram-sha-256"));
            lines.addAll(Files.readAllLines(file));
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reload();
    }

    /** Lets it read its settings again: they count for every connection that is made after this. */
    public synchronized void reload() {
        var running = process;
        if (running == null) {
            return;
        }
        reloads.drainPermits();
        signal("HUP", running);
        // What takes connections says so just before it reads the settings, and takes none meanwhile.
        reloads.acquireUninterruptibly();
    }

    /** Where its data are. */
    public Path data() {
        return data;
    }

    /** The port it listens on. */
    public int port() {
        return port.number();
    }

    /** The address of a database, for its superuser. */
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database + "?user=postgres";
    }

    /** The address of the database that every server has. */
    public String url() {
        return url("postgres");
    }

    /** Starts it again after it was stopped; returns when it takes connections. */
    public synchronized void startAgain() {
        try {
            start(command(data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void start(List<String> command) throws IOException {
        var started = new ProcessBuilder(command).redirectErrorStream(true).start();
        process = started;
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        awaitReady(started);
    }

    private List<String> command(Path where) {
        return new ArrayList<>(Binaries.asNobodySpecial(List.of(
                binaries.program("postgres").toString(),
                "-D",
                where.toString(),
                "-p",
                Integer.toString(port()),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=")));
    }

    private void awaitReady(Process started) {
        var ready = new CountDownLatch(1);
        var ended = new AtomicReference<@Nullable String>();
        log = Thread.ofPlatform().daemon().name("postgres-log").start(() -> {
            var last = new ArrayList<String>();
            try (var lines =
                    new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8))) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    last.add(line);
                    append("log", List.of(line));
                    if (line.contains(READY)) {
                        ready.countDown();
                        last.clear();
                    }
                    if (line.contains(RELOADS)) {
                        reloads.release();
                    }
                }
            } catch (IOException | UncheckedIOException e) {
                // The server was killed, or its folder is gone.
            }
            ended.set(String.join("\n", last));
            ready.countDown();
            reloads.release();
        });
        try {
            ready.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        var why = ended.get();
        if (why != null) {
            throw new IllegalStateException("PostgreSQL did not start: " + why);
        }
    }

    /** Starts it after a crash, and crashes it again while it recovers. */
    public synchronized void startForAMoment() {
        try {
            var started =
                    new ProcessBuilder(command(data)).redirectErrorStream(true).start();
            started.getInputStream().read();
            signal("QUIT", started);
            awaitEnd(started);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops it at once, as a crash would: nothing is flushed, and the next start recovers. */
    public synchronized void crash() {
        var running = process;
        if (running != null) {
            signal("QUIT", running);
            awaitEnd(running);
            awaitLog();
        }
    }

    private void awaitLog() {
        var writing = log;
        try {
            if (writing != null) {
                writing.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void signal(String name, Process running) {
        if (!running.isAlive()) {
            return;
        }
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(running.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitEnd(Process running) {
        try {
            running.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            running.destroyForcibly();
        }
    }

    @Override
    public void close() {
        crash();
        port.close();
        try {
            Binaries.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
