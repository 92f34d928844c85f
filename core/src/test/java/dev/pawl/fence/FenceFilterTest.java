package dev.pawl.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FenceFilterTest {
    private final AtomicInteger through = new AtomicInteger();
    private final HttpClient client = HttpClient.newHttpClient();

    @SuppressWarnings("NullAway.Init") // started before each test
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var context = server.createContext("/", exchange -> {
            through.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        context.getFilters().add(new FenceFilter(2));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private int send(String... headers) throws Exception {
        var request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"))
                .POST(HttpRequest.BodyPublishers.ofString("x"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private int send(String key, long fence) throws Exception {
        return send("Idempotency-Key", key, "Pawl-Fence", Long.toString(fence));
    }

    @Test
    void nothing_goes_through_under_a_smaller_fence_than_was_seen() throws Exception {
        assertThat(send("a", 5)).isEqualTo(204);
        assertThat(send("a", 5)).as("the same owner, once more").isEqualTo(204);
        assertThat(send("a", 7)).isEqualTo(204);
        assertThat(send("a", 5)).as("frozen meanwhile").isEqualTo(412);
        assertThat(send("b", 1)).as("another effect").isEqualTo(204);
        assertThat(through).hasValue(4);
    }

    @Test
    void what_says_nothing_of_a_fence_is_refused() throws Exception {
        assertThat(send()).isEqualTo(400);
        assertThat(send("Idempotency-Key", "a")).isEqualTo(400);
        assertThat(send("Idempotency-Key", "a", "Pawl-Fence", "soon")).isEqualTo(400);
        assertThat(send("x".repeat(300), 1)).isEqualTo(400);
        assertThat(through).hasValue(0);
    }

    @Test
    void so_many_keys_are_remembered_and_the_oldest_are_forgotten() throws Exception {
        send("a", 5);
        send("b", 5);
        send("c", 5);
        assertThat(send("a", 1)).as("forgotten").isEqualTo(204);
        assertThat(send("c", 1)).isEqualTo(412);
        assertThat(new FenceFilter(1).description()).isNotEmpty();
        assertThatThrownBy(() -> FencedTable.named("a; drop table b")).isInstanceOf(IllegalArgumentException.class);
    }
}
