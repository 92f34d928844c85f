package dev.pawl.cli.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * A small site in a process of its own. It publishes whatever it is sent, as often as it is sent: it does not deduplicate. Answers are slow,
 * so that a worker can be killed between the post and its answer.
 */
public final class Site {

    private static final Duration SLOWNESS = Duration.ofMillis(250);
    private static final int MOST_BYTES = 10_000;

    private record Post(String key, String title) {}

    private final List<Post> posts = new ArrayList<>();
    private int lookUps;

    private Site() {}

    /** Starts a site, prints the port it listens on and runs until it is killed. */
    public static void main(String[] arguments) throws IOException {
        var site = new Site();
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/posts", exchange -> {
            switch (exchange.getRequestMethod()) {
                case "POST" -> site.publish(exchange);
                case "GET" -> site.lookUp(exchange);
                default -> answer(exchange, 405, "");
            }
        });
        server.createContext("/tally", site::tally);
        server.start();
        System.out.println(server.getAddress().getPort());
        System.out.flush();
    }

    private void publish(HttpExchange exchange) throws IOException {
        var title = new String(exchange.getRequestBody().readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        synchronized (posts) {
            posts.add(new Post(key == null ? "" : key, title));
        }
        slowly();
        answer(exchange, 201, "published");
    }

    private void lookUp(HttpExchange exchange) throws IOException {
        var key = exchange.getRequestURI().getPath().substring("/posts/".length());
        boolean there;
        synchronized (posts) {
            lookUps++;
            there = posts.stream().anyMatch(post -> post.key().equals(key));
        }
        slowly();
        answer(exchange, there ? 200 : 404, there ? "published" : "");
    }

    /** The first line says how often the site was asked; then one line for each post, in the order in which they came. */
    private void tally(HttpExchange exchange) throws IOException {
        var text = new StringBuilder();
        synchronized (posts) {
            text.append(lookUps).append('\n');
            posts.forEach(post -> text.append(post.title()).append('\n'));
        }
        answer(exchange, 200, text.toString());
    }

    private static void slowly() throws IOException {
        try {
            new Signal().await(Time.system(), 0, SLOWNESS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
