package dev.pawl.checks.crash.matrix;

import static dev.pawl.job.Named.named;

import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.effect.Verification;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.Rejected;
import dev.pawl.http.GuardedHttp;
import dev.pawl.job.Job;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** What the jobs of the matrix reach outside: the tally, and whether somebody has mended what is broken. */
final class Witness {
    static final Duration TIMEOUT = Duration.ofSeconds(2);
    static final Duration LONG_TIMEOUT = Duration.ofSeconds(60);
    static final Duration SETTLE = Duration.ofMillis(300);

    private final URI tally;
    private final Path folder;
    private final Duration timeout;
    private final boolean freezes;
    private final Runnable beforeSending;
    private final GuardedHttp http = GuardedHttp.usual();
    private final HttpClient reading = HttpClient.newHttpClient();

    Witness(URI tally, Path folder, Duration timeout, boolean freezes, Runnable beforeSending) {
        this.timeout = timeout;
        this.freezes = freezes;
        this.tally = tally;
        this.folder = folder;
        this.beforeSending = beforeSending;
    }

    String send(Job job, String name, Contract<String> contract, String path) {
        return job.effect(named(name).timeout(timeout), contract, "", String.class, (request, a) -> post(path, a));
    }

    /** Ends what was begun. */
    void end(String begun, Attempt attempt) throws InterruptedException {
        post("/once", attempt);
    }

    private String post(String path, Attempt attempt) throws InterruptedException {
        var request = HttpRequest.newBuilder(tally.resolve(path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return freezes
                ? checkFreezeSend(request, attempt)
                : http.send(attempt, request).body();
    }

    /** What nothing can prevent: the last check is behind it, and then it stands still. */
    private String checkFreezeSend(HttpRequest request, Attempt attempt) throws InterruptedException {
        if (attempt.left().isZero()) {
            throw new NotSent("too late");
        }
        beforeSending.run();
        Thread.interrupted(); // as if the request were in the kernel already: nothing takes it back
        var guarded = HttpRequest.newBuilder(request, (name, value) -> true)
                .setHeader("Idempotency-Key", attempt.key())
                .setHeader("Pawl-Fence", Long.toString(attempt.fence()))
                .build();
        try {
            var status = reading.send(guarded, HttpResponse.BodyHandlers.discarding())
                    .statusCode();
            if (status == 412) {
                throw new Rejected("a newer owner was there");
            }
            return "ok";
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Verification<String> arrived(Attempt attempt) throws IOException, InterruptedException {
        return hasArrived(attempt.key()) ? Verification.happened("ok") : Verification.didNotHappen();
    }

    boolean hasArrived(String key) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(tally.resolve("/each/" + key)).build();
        var status =
                reading.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status != 200 && status != 404) {
            throw new IOException("the tally said " + status);
        }
        return status == 200;
    }

    void mend() throws IOException {
        Files.writeString(folder.resolve("mended"), "yes");
    }

    boolean isMended() {
        return Files.exists(folder.resolve("mended"));
    }

    static int book(int number, Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("create table if not exists book (number integer)");
        }
        try (var insert = connection.prepareStatement("insert into book values (?)")) {
            insert.setInt(1, number);
            return insert.executeUpdate();
        }
    }
}
