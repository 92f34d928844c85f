package dev.pawl.examples;

import static dev.pawl.effect.Contract.idempotent;

import com.sun.net.httpserver.HttpServer;
import dev.pawl.Pawl;
import dev.pawl.http.GuardedHttp;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.retry.Retry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The guarded HTTP client: one request per attempt, the effect's key in its headers, and it knows what each answer means. */
public final class CallAService {

    private static final Workflow<String, String> CHARGE = Workflow.named("charge", String.class, String.class);

    private CallAService() {}

    /** A service that says 503 once: nobody knows whether it charged, so the same key is sent again. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var calls = new AtomicInteger();
        var service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/charges", exchange -> {
            System.out.println("charge under key of "
                    + exchange.getRequestHeaders().getFirst("Idempotency-Key").length() + " digits");
            var body = "charged".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(calls.incrementAndGet() == 1 ? 503 : 200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        service.start();
        var address = URI.create("http://127.0.0.1:" + service.getAddress().getPort() + "/charges");
        var http = GuardedHttp.usual();
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(CHARGE.implementedBy((job, card) ->
                            job.effect("charge", idempotent(), card, String.class, (request, a) -> {
                                var post = HttpRequest.newBuilder(address)
                                        .POST(HttpRequest.BodyPublishers.ofString(request))
                                        .build();
                                return http.send(a, post).body();
                            }))
                    .retry(Retry.USUAL.backoff(Duration.ofMillis(10), Duration.ofMillis(50))));
            System.out.println(pawl.submit(CHARGE, Key.of("order-7"), "card-1").join());
        } finally {
            service.stop(0);
        }
    }
}
