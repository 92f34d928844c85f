package dev.pawl.http;

import dev.pawl.effect.Attempt;
import dev.pawl.failure.InDoubt;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.Rejected;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Sends exactly one request per attempt, with the effect's key and fence in its headers, and says what the outcome means:
 *
 * <pre>
 * 2xx                                             it happened: the response is returned
 * refused, DNS, TLS, 425, 429                     {@link NotSent}: nothing happened, try again
 * other 4xx                                       {@link Rejected}: nothing happened, no use in trying again
 * 3xx, 408, 409, 5xx, time-out, reset, interrupt  in doubt
 * </pre>
 *
 * <p>Redirects are not followed. Thread-safe.
 */
public final class GuardedHttp {

    /** The most of a response's body that is read. */
    private static final int MOST_BYTES = 1 << 20;

    private static final int MOST_SHOWN = 200;
    private static final String TRACEPARENT = "traceparent";

    private final HttpClient client;

    private GuardedHttp(HttpClient client) {
        this.client = client;
    }

    /** A client with usual settings. */
    public static GuardedHttp usual() {
        return new GuardedHttp(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Duration.ofSeconds(10))
                .build());
    }

    /**
     * What came back.
     *
     * @param status a number between 200 and 299
     * @param body the first mebibyte of the body, as text
     */
    public record Response(int status, String body) {}

    /**
     * Sends {@code request} for {@code attempt}, with the headers {@code Idempotency-Key} and {@code Pawl-Fence}, and {@code traceparent} where the job has one and the
     * request has none, within the time that the attempt has left.
     *
     * @throws IllegalStateException when the attempt has sent a request already
     */
    public Response send(Attempt attempt, HttpRequest request) throws InterruptedException {
        var left = attempt.left();
        if (!left.isPositive()) {
            throw new NotSent("the attempt's deadline passed before it was sent");
        }
        attempt.sending();
        var guarding = HttpRequest.newBuilder(request, (name, value) -> true)
                .setHeader("Idempotency-Key", attempt.key())
                .setHeader("Pawl-Fence", Long.toString(attempt.fence()))
                .timeout(left);
        var traceparent = attempt.traceparent();
        if (traceparent != null && request.headers().firstValue(TRACEPARENT).isEmpty()) {
            guarding.setHeader(TRACEPARENT, traceparent);
        }
        var guarded = guarding.build();
        try {
            var response = client.send(guarded, HttpResponse.BodyHandlers.ofInputStream());
            return judged(response, read(response.body()));
        } catch (ConnectException | HttpConnectTimeoutException | SSLHandshakeException e) {
            throw new NotSent("no connection to " + where(request) + ": " + e, null, e);
        } catch (IOException e) {
            throw new InDoubt("no answer from " + where(request) + ": " + e, e);
        }
    }

    private static Response judged(HttpResponse<?> response, String body) {
        var status = response.statusCode();
        if (HttpStatus.isSuccess(status)) {
            return new Response(status, body);
        }
        var said = where(response.request()) + " said " + status + (body.isBlank() ? "" : ": " + shown(body));
        throw switch (HttpStatus.failureClass(status)) {
            case TRANSIENT -> new NotSent(said, retryAfter(response), null);
            case PERMANENT -> new Rejected(said);
            case AMBIGUOUS, ACCOUNT -> new InDoubt(said, null);
        };
    }

    /** {@code Retry-After}, in seconds or as a date against the response's own {@code Date}, so that no two clocks are compared. */
    private static @Nullable Duration retryAfter(HttpResponse<?> response) {
        var wish = response.headers().firstValue("Retry-After").orElse(null);
        if (wish == null) {
            return null;
        }
        try {
            return Duration.ofSeconds(Long.parseUnsignedLong(wish.trim()));
        } catch (NumberFormatException notSeconds) {
            var until = date(wish);
            var now =
                    response.headers().firstValue("Date").map(GuardedHttp::date).orElse(null);
            return until == null || now == null || until.isBefore(now) ? null : Duration.between(now, until);
        }
    }

    private static @Nullable Instant date(String text) {
        try {
            return ZonedDateTime.parse(text.trim(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static String read(InputStream body) throws IOException {
        try (body) {
            return new String(body.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        }
    }

    /** Scheme, host and path: a query may hold what nobody should read in a log. */
    private static String where(HttpRequest request) {
        var uri = request.uri();
        var authority = String.valueOf(uri.getAuthority());
        return request.method() + " " + uri.getScheme() + "://" + authority.substring(authority.lastIndexOf('@') + 1)
                + uri.getPath();
    }

    private static String shown(String body) {
        return body.length() > MOST_SHOWN ? body.substring(0, MOST_SHOWN) + "…" : body;
    }
}
