package dev.pawl.checks.crash;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * The judge: a destination that counts. {@code POST /once} deduplicates by key, {@code POST /each} does not, {@code POST /fenced} refuses a
 * smaller fence than it has seen for a key; {@code GET /each/KEY} tells whether something arrived. Answers take a moment, so that a sender can die between the deed and its answer.
 */
public final class Tally implements AutoCloseable {

    private static final Duration SLOWNESS = Duration.ofMillis(5);

    private final HttpServer server;
    private final Map<String, Integer> once = new HashMap<>();
    private final Map<String, Integer> each = new HashMap<>();
    private final Map<String, Long> fences = new HashMap<>();
    private final Signal arrived = new Signal();

    /** Starts it on a port of its own. */
    public Tally() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/once", exchange -> receive(exchange, once, true));
        server.createContext("/each", exchange -> {
            if (exchange.getRequestMethod().equals("GET")) {
                tell(exchange);
            } else {
                receive(exchange, each, false);
            }
        });
        server.createContext("/fenced", exchange -> {
            if (refuses(exchange)) {
                exchange.getRequestBody().readAllBytes();
                answer(exchange, 412, "");
            } else {
                receive(exchange, each, false);
            }
        });
        server.start();
    }

    /** Where it listens. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** How often each key arrived where nothing is deduplicated. */
    public synchronized Map<String, Integer> each() {
        return Map.copyOf(each);
    }

    /** How often each key happened where keys are deduplicated. */
    public synchronized Map<String, Integer> once() {
        return Map.copyOf(once);
    }

    /** Raised when something arrives. */
    public Signal arrived() {
        return arrived;
    }

    private synchronized boolean refuses(HttpExchange exchange) {
        var headers = exchange.getRequestHeaders();
        var fence = Long.parseLong(headers.getFirst("Pawl-Fence"));
        return fences.merge(headers.getFirst("Idempotency-Key"), fence, Math::max) > fence;
    }

    private void receive(HttpExchange exchange, Map<String, Integer> counts, boolean deduplicates) throws IOException {
        exchange.getRequestBody().readAllBytes();
        var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        synchronized (this) {
            counts.merge(key == null ? "" : key, 1, (before, more) -> deduplicates ? before : before + more);
        }
        arrived.raise();
        answer(exchange, 201, "ok");
    }

    private void tell(HttpExchange exchange) throws IOException {
        var key = exchange.getRequestURI().getPath().substring("/each/".length());
        boolean there;
        synchronized (this) {
            there = each.containsKey(key) || once.containsKey(key);
        }
        answer(exchange, there ? 200 : 404, there ? "ok" : "");
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try {
            new Signal().await(Time.system(), 0, SLOWNESS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
