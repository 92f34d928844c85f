package dev.pawl.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pawl.effect.Attempt;
import dev.pawl.failure.InDoubt;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.Rejected;
import dev.pawl.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each answer means for an effect; against a real socket that counts requests. */
class GuardedHttpTest {

    private static final Duration LONG = Duration.ofMinutes(4);

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final GuardedHttp http = GuardedHttp.usual();

    @SuppressWarnings("NullAway.Init")
    private ServerSocket server;

    private volatile String answer = "";

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                serve();
            }
        });
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private void serve() {
        try (var socket = server.accept()) {
            var head = new StringBuilder();
            while (!head.toString().contains("\r\n\r\n")) {
                var next = socket.getInputStream().read();
                if (next < 0) {
                    // The client has gone before it had said anything.
                    return;
                }
                head.append((char) next);
            }
            requests.add(head.toString());
            if (answer.equals("silence")) {
                socket.getInputStream().read();
            }
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
        } catch (IOException closed) {
            // The test is over, or the client has gone.
        }
    }

    private static Attempt attempt(Duration left) {
        return new Attempt("the-key", 42, 1, left, Time.system());
    }

    private GuardedHttp.Response post(Duration left) throws InterruptedException {
        return post("/posts?token=secret", left);
    }

    private GuardedHttp.Response post(String path, Duration left) throws InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + path);
        return http.send(
                attempt(left),
                HttpRequest.newBuilder(uri)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build());
    }

    private Throwable thrown(String said) {
        answer = said;
        return catchThrowable(() -> post(LONG));
    }

    private static String status(int status, String... headers) {
        return "HTTP/1.1 " + status + " X\r\nContent-Length: 2\r\nConnection: close\r\n"
                + String.join("", List.of(headers).stream().map(h -> h + "\r\n").toList()) + "\r\nok";
    }

    @Test
    void a_request_carries_the_key_and_the_fence() throws InterruptedException {
        answer = status(201);
        assertThat(post(LONG)).isEqualTo(new GuardedHttp.Response(201, "ok"));
        assertThat(requests).hasSize(1);
        assertThat(requests.getFirst()).contains("Idempotency-Key: the-key").contains("Pawl-Fence: 42");
    }

    @Test
    void a_request_says_what_the_job_is_part_of_unless_it_says_so_itself() throws InterruptedException {
        var traced = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        var part = new Attempt("the-key", 42, 1, LONG, Time.system(), () -> {}, traced);
        var uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
        answer = status(201);
        http.send(part, HttpRequest.newBuilder(uri).build());
        assertThat(requests.getLast()).contains("traceparent: " + traced);
        var own = traced.replace("-00f0", "-11f0");
        http.send(
                new Attempt("the-key", 42, 1, LONG, Time.system(), () -> {}, traced),
                HttpRequest.newBuilder(uri).header("traceparent", own).build());
        assertThat(requests.getLast()).contains(own).doesNotContain(traced);
        post(LONG);
        assertThat(requests.getLast()).doesNotContain("traceparent");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 402, 403, 404, 410, 413, 422, 451})
    void most_of_4xx_is_rejected(int code) {
        assertThat(thrown(status(code))).isInstanceOf(Rejected.class).hasMessageContaining("said " + code);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 303, 408, 409, 500, 502, 503, 504})
    void what_may_have_happened_is_in_doubt(int code) {
        assertThat(thrown(status(code))).isInstanceOf(InDoubt.class);
        assertThat(requests).as("exactly one request").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {425, 429})
    void too_early_and_too_many_were_not_taken(int code) {
        assertThat(thrown(status(code, "Retry-After: 7")))
                .isInstanceOfSatisfying(
                        NotSent.class, e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
    }

    @Test
    void a_date_to_come_back_at_is_read_against_the_answers_own_clock() {
        var late = status(429, "Date: Sun, 12 Apr 2026 02:00:00 GMT", "Retry-After: Sun, 12 Apr 2026 02:01:30 GMT");
        assertThat(thrown(late))
                .isInstanceOfSatisfying(
                        NotSent.class, e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(90)));
    }

    @Test
    void who_says_nothing_useful_about_when_to_come_back_is_asked_in_our_own_time() {
        var later = "Retry-After: Sun, 12 Apr 2026 02:01:30 GMT";
        for (var said : List.of(
                status(429),
                status(429, "Retry-After: soon", "Date: Sun, 12 Apr 2026 02:00:00 GMT"),
                status(429, later),
                status(429, later, "Date: yesterday"),
                status(429, later, "Date: Sun, 12 Apr 2026 02:02:00 GMT"))) {
            assertThat(thrown(said))
                    .as(said)
                    .isInstanceOfSatisfying(
                            NotSent.class, e -> assertThat(e.retryAfter()).isNull());
        }
    }

    @Test
    void a_message_shows_the_beginning_of_what_was_answered() {
        var endless = "x".repeat(100_000);
        assertThat(thrown("HTTP/1.1 500 X\r\nConnection: close\r\n\r\n" + endless)
                        .getMessage())
                .contains("said 500: xxx")
                .endsWith("…")
                .hasSizeLessThan(3_000);
        assertThat(thrown("HTTP/1.1 500 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                        .getMessage())
                .endsWith("said 500");
    }

    @Test
    void a_connection_that_breaks_after_the_request_is_in_doubt_and_not_sent_again() {
        assertThat(thrown("")).isInstanceOf(InDoubt.class);
        assertThat(thrown("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nhalf")).isInstanceOf(InDoubt.class);
        assertThat(requests).hasSize(2);
    }

    @Test
    void silence_is_in_doubt_when_the_time_is_over() {
        answer = "silence";
        // A machine may be so slow that the time is over before anything has been sent.
        for (var left = Duration.ofMillis(200); ; left = left.multipliedBy(2)) {
            var path = "/posts/" + left.toMillis();
            var time = left;
            var thrown = catchThrowable(() -> post(path, time));
            if (arrived(path) > 0) {
                assertThat(thrown).isInstanceOf(InDoubt.class);
                assertThat(arrived(path)).isEqualTo(1);
                return;
            }
        }
    }

    private long arrived(String path) {
        return requests.stream()
                .filter(request -> request.startsWith("POST " + path + " "))
                .count();
    }

    @Test
    void nobody_listening_means_nothing_was_sent() throws IOException {
        // It has the port, so that nobody else gets it, and does not listen.
        try (var nobody = new Socket()) {
            nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + nobody.getLocalPort() + "/"))
                    .build();
            assertThatExceptionOfType(NotSent.class).isThrownBy(() -> http.send(attempt(LONG), request));
        }
    }

    @Test
    void an_attempt_past_its_deadline_sends_nothing() {
        assertThatExceptionOfType(NotSent.class).isThrownBy(() -> post(Duration.ofSeconds(-1)));
        assertThat(requests).isEmpty();
    }

    @Test
    void an_attempt_sends_one_request() throws InterruptedException {
        answer = status(200);
        var once = attempt(LONG);
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"))
                .build();
        http.send(once, request);
        assertThatIllegalStateException().isThrownBy(() -> http.send(once, request));
        assertThat(requests).hasSize(1);
    }

    @Test
    void a_message_names_the_place_and_holds_no_query_and_no_password() {
        assertThat(thrown(status(500)))
                .hasMessageContaining("POST http://127.0.0.1:" + server.getLocalPort() + "/posts said 500")
                .hasMessageNotContaining("secret");
        var request = HttpRequest.newBuilder(
                        URI.create("http://anna:password@127.0.0.1:" + server.getLocalPort() + "/posts"))
                .build();
        answer = status(500);
        assertThat(catchThrowable(() -> http.send(attempt(LONG), request)))
                .hasMessageContaining("GET http://127.0.0.1:" + server.getLocalPort() + "/posts")
                .hasMessageNotContaining("password");
    }
}
