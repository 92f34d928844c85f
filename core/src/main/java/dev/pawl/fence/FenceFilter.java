package dev.pawl.fence;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A guard for an HTTP service of one's own, on the JDK's server: a request whose {@code Pawl-Fence} is smaller than one that was seen for its
 * {@code Idempotency-Key} is answered with 412 and goes no further; one without either header, or with a fence that is no number, with 400. It remembers in memory, so many keys, and
 * a service of several processes needs a table instead. Thread-safe.
 */
public final class FenceFilter extends Filter {
    private static final int MOST_CHARACTERS = 200;

    private final Map<String, Long> highest;

    /** Remembers the last {@code keys} keys. */
    public FenceFilter(int keys) {
        this.highest = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                return size() > keys;
            }
        };
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        var fence = exchange.getRequestHeaders().getFirst("Pawl-Fence");
        if (key == null || key.length() > MOST_CHARACTERS || fence == null || !fence.matches("\\d{1,18}")) {
            answer(exchange, 400, "an Idempotency-Key and a Pawl-Fence are needed");
        } else if (admits(key, Long.parseLong(fence))) {
            chain.doFilter(exchange);
        } else {
            answer(exchange, 412, "somebody else has owned the job since");
        }
    }

    private synchronized boolean admits(String key, long fence) {
        return highest.merge(key, fence, Math::max) <= fence;
    }

    private static void answer(HttpExchange exchange, int status, String why) throws IOException {
        exchange.getRequestBody().readAllBytes();
        var bytes = why.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    @Override
    public String description() {
        return "lets nothing through under a fence that is smaller than one that was seen";
    }
}
