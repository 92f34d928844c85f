package dev.pawl.checks.simulation;

import java.util.ArrayDeque;
import java.util.Deque;

/** What happened, as a hash and as the last few hundred lines. */
final class Trace {

    private static final int MOST_LINES = 400;
    private static final long PRIME = 0x100000001b3L;

    private final Deque<String> lines = new ArrayDeque<>();
    private long hash = 0xcbf29ce484222325L;

    void turn(String process, long nanos) {
        mix(process);
        hash = (hash ^ nanos) * PRIME;
    }

    void say(long nanos, String who, String what) {
        var line = String.format("%12.6f %-8s %s", nanos / 1e9, who, what);
        mix(line);
        lines.addLast(line);
        if (lines.size() > MOST_LINES) {
            lines.removeFirst();
        }
    }

    String hash() {
        return Long.toHexString(hash);
    }

    String tail() {
        return String.join("\n", lines);
    }

    private void mix(String text) {
        for (var i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * PRIME;
        }
    }
}
