package dev.pawl.job;

import dev.pawl.key.Names;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a job is to be taken: {@code Handling.usual().queue("mail").priority(5).atMost(1, "customer-7")}. It is stamped on the job when it is
 * submitted, and no part of its identity.
 *
 * @param queue which workers take it; empty for the common one
 * @param priority higher is sooner; 0 unless said
 * @param notBefore when it may start; null for at once
 * @param lane the jobs that it shares a limit with; null when it has none
 * @param principal who it acts for; empty for nobody in particular
 * @param traceparent what it is part of, as tracing writes it ({@code 00-…-…-01}, W3C trace context); null when nobody said
 * @param version of the code that it goes on with, set by its first record: it is taken by workers that fit it; empty for any
 */
public record Handling(
        String queue,
        int priority,
        @Nullable Instant notBefore,
        @Nullable Lane lane,
        String principal,
        @Nullable String traceparent,
        String version) {
    private static final Handling USUAL = new Handling("", 0, null, null, "", null, "");
    private static final Pattern TRACEPARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");
    private static final int MOST_PRIORITY = 1_000;

    public Handling {
        if (traceparent != null && !isTraceparent(traceparent)) {
            throw new IllegalArgumentException(
                    "a traceparent is two, 32, 16 and two hex digits with hyphens between them, as 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        }
        if (!version.isEmpty()) {
            Names.check("version", version);
        }
        if (!queue.isEmpty()) {
            Names.check("queue", queue);
        }
        if (!principal.isEmpty()) {
            checkPrincipal(principal);
        }
        if (Math.abs(priority) > MOST_PRIORITY) {
            throw new IllegalArgumentException(
                    "a priority is between -" + MOST_PRIORITY + " and " + MOST_PRIORITY + ", not " + priority);
        }
    }

    /** When a job that is submitted at {@code now} is due for the first time. */
    public Instant firstDue(Instant now) {
        return notBefore != null && notBefore.isAfter(now) ? notBefore : now;
    }

    /**
     * Jobs that share a limit, whatever their workflow and process.
     *
     * @param key what they have in common: a customer, an account, a repository
     * @param most how many of them run at once
     */
    public record Lane(String key, int most) {
        private static final int MOST_CHARS = 200;

        public Lane {
            if (key.isEmpty() || key.length() > MOST_CHARS) {
                throw new IllegalArgumentException("a limit's key has 1 to " + MOST_CHARS + " characters");
            }
            if (most < 1 || most > 10_000) {
                throw new IllegalArgumentException("a limit is 1 to 10,000 jobs at once, not " + most);
            }
        }
    }

    /** Nothing special: the common queue, at once, for nobody in particular. */
    public static Handling usual() {
        return USUAL;
    }

    /** Checks a principal's name. */
    public static String checkPrincipal(String name) {
        if (name.isBlank() || name.length() > 200 || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a principal is 1 to 200 characters without control characters");
        }
        return name;
    }

    /** The same in another queue. */
    public Handling queue(String name) {
        return new Handling(name, priority, notBefore, lane, principal, traceparent, version);
    }

    /** The same with another priority: higher is sooner. */
    public Handling priority(int sooner) {
        return new Handling(queue, sooner, notBefore, lane, principal, traceparent, version);
    }

    /** The same, not started before {@code when}. */
    public Handling notBefore(Instant when) {
        return new Handling(queue, priority, when, lane, principal, traceparent, version);
    }

    /** The same, with at most so many jobs at once that have this key. */
    public Handling atMost(int most, String key) {
        return new Handling(queue, priority, notBefore, new Lane(key, most), principal, traceparent, version);
    }

    /** The same as it is kept: when a job may start is kept as the time it is due. */
    public Handling kept() {
        return notBefore == null ? this : new Handling(queue, priority, null, lane, principal, traceparent, version);
    }

    /** The same for somebody. */
    public Handling principal(String who) {
        return new Handling(queue, priority, notBefore, lane, who, traceparent, version);
    }

    /** The same as part of what {@code parent} says, as tracing writes it; null for of nothing. */
    public Handling traceparent(@Nullable String parent) {
        return new Handling(queue, priority, notBefore, lane, principal, parent, version);
    }

    /** The same for workers that fit this version of its code; empty for any. */
    public Handling version(String ofCode) {
        return new Handling(queue, priority, notBefore, lane, principal, traceparent, ofCode);
    }

    /** Whether tracing could have written {@code text} as a parent. */
    public static boolean isTraceparent(String text) {
        return TRACEPARENT.matcher(text).matches();
    }
}
