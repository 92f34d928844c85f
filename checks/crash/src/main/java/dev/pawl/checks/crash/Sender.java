package dev.pawl.checks.crash;

import dev.pawl.effect.Attempt;
import dev.pawl.effect.Verification;
import dev.pawl.http.GuardedHttp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** What a worker says to a {@link Tally}: sends effects there, and asks whether one arrived. Thread-safe. */
public final class Sender {
    private final URI tally;
    private final GuardedHttp http = GuardedHttp.usual();
    private final HttpClient reading = HttpClient.newHttpClient();

    /** Sends to the tally at this address. */
    public Sender(URI tally) {
        this.tally = tally;
    }

    /** Sends one attempt to {@code path}. */
    public String post(String path, Attempt attempt) throws InterruptedException {
        var request = HttpRequest.newBuilder(tally.resolve(path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return http.send(attempt, request).body();
    }

    /** Whether what this attempt would send has arrived. */
    public Verification<String> arrived(Attempt attempt) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(tally.resolve("/each/" + attempt.key())).build();
        return switch (reading.send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode()) {
            case 200 -> Verification.happened("ok");
            case 404 -> Verification.didNotHappen();
            default -> Verification.cannotTell("odd answer");
        };
    }
}
