package dev.pawl.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Tells somebody else that a run began and how it ended, so that a night that never began is noticed: {@code URL/start}, then {@code URL/CODE} with
 * the last line, as healthchecks has it. That nobody can be told changes nothing about the run.
 */
final class PingOption {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    @Option(
            names = "--ping",
            paramLabel = "URL",
            description = "Tell this address that the run begins, and how it ended.")
    private @Nullable URI address;

    /** Says what is wrong with the address before anything starts. */
    void check() {
        if (address != null && !"http".equals(address.getScheme()) && !"https".equals(address.getScheme())) {
            throw new IllegalArgumentException("--ping " + address + " is no http address");
        }
    }

    void begins() {
        tell("start", "");
    }

    void ended(int code, String line) {
        tell(String.valueOf(code), line);
    }

    private void tell(String what, String body) {
        if (address == null) {
            return;
        }
        var text = address.toString();
        var to = URI.create(text + (text.endsWith("/") ? "" : "/") + what);
        try (var client = HttpClient.newBuilder().connectTimeout(LONGEST).build()) {
            var request = HttpRequest.newBuilder(to)
                    .timeout(LONGEST)
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            var answer = client.send(request, HttpResponse.BodyHandlers.discarding());
            if (answer.statusCode() >= 300) {
                Warnings.say(to + " answers " + answer.statusCode());
            }
        } catch (IOException e) {
            Warnings.say(to + " cannot be told: " + (e.getMessage() == null ? "nobody answers there" : e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
