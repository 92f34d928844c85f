package dev.pawl.checks.crash.night;

import dev.pawl.testkit.postgres.PostgresServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What stands behind the address of a database on a page: a real server, with tables of its own for every session. It is started when the first one is typed. */
final class Databases implements AutoCloseable {
    private static final Pattern ADDRESS =
            Pattern.compile("jdbc:postgresql://db\\.internal/app\\?user=agents(&sslmode=verify-full)?");

    private @Nullable PostgresServer server;
    private int session;
    private String shown = "";

    void nextSession() {
        session++;
    }

    private String address() {
        if (server == null) {
            server = PostgresServer.start();
        }
        return server.url() + "&pawlSchema=anna" + session;
    }

    /** The line as it can be typed here. */
    String reachable(String line) {
        var address = ADDRESS.matcher(line);
        if (!address.find()) {
            return line;
        }
        shown = address.group();
        return address.replaceAll(Matcher.quoteReplacement(address()));
    }

    /** What lists the jobs that somebody has yet to do. */
    String leftToDo() {
        return "pawl jobs --state ready,running,waiting --store '" + address() + "'";
    }

    /** What was printed, as it would be printed there. */
    String asOnThePage(String seen) {
        return server == null ? seen : seen.replace(address(), shown);
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
