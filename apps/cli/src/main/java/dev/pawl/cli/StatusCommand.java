package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.json.Json;
import dev.pawl.store.StoredJob;
import dev.pawl.text.Visible;
import dev.pawl.time.Durations;
import dev.pawl.time.Time;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pawl status}: what happened, what needs you, in one screen; the exit code is the monitoring check. */
@Command(
        name = "status",
        description =
                "Say what happened and what needs you. Exits with 1 when something failed and nobody has dealt with it, 3 when a person must decide"
                        + " or something happened twice. Example: pawl status --since 18:00",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private static final int MOST_TOLD = 10;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "A time of the day, an instant, or how long ago; ${DEFAULT-VALUE} unless said.")
    private String since = "24h";

    @Option(names = "--json", description = "As one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        var from = from(Time.system().now());
        try (var pawl = store.look()) {
            var seen = look(pawl, from);
            System.out.print(json ? Visible.of(Json.write(seen.fields(from))) + "\n" : screen(pawl, seen, from));
            var full = store.isFile() ? Room.trouble(store.there()) : null;
            if (full != null) {
                Words.warn(full);
            }
            return full != null && seen.exitCode() == 0 ? Interruption.UNFINISHED : seen.exitCode();
        }
    }

    /** The last time that the clock showed it; or the instant; or so long ago. */
    private Instant from(Instant now) {
        var here = ZoneId.systemDefault();
        try {
            var today = now.atZone(here).with(LocalTime.parse(since));
            return (today.toInstant().isAfter(now) ? today.minusDays(1) : today).toInstant();
        } catch (DateTimeParseException noTime) {
            try {
                return OffsetDateTime.parse(since).toInstant();
            } catch (DateTimeParseException noInstant) {
                return now.minus(Durations.parse(since));
            }
        }
    }

    /**
     * What there is to say.
     *
     * @param since how many jobs of each workflow came into a state since then
     * @param open how many of each workflow are not finished
     * @param failed whenever it was, until somebody has dealt with it: then it is in another state
     * @param asking whenever it was
     * @param duplicated of which an effect happened twice, until somebody has dealt with it
     * @param gates that a person must open, as questions
     */
    private record Seen(
            Map<String, Map<JobState, Long>> since,
            Map<JobState, Long> open,
            List<StoredJob> failed,
            List<StoredJob> asking,
            List<StoredJob> duplicated,
            List<String> gates) {
        private int exitCode() {
            if (!failed.isEmpty()) {
                return 1;
            }
            return asking.isEmpty() && duplicated.isEmpty() && gates.isEmpty() ? 0 : 3;
        }

        private Map<String, Object> fields(Instant from) {
            var fields = new LinkedHashMap<String, Object>();
            fields.put("since", from);
            fields.put("workflows", since);
            fields.put("open", open);
            fields.put(
                    "failed",
                    failed.stream().map(job -> job.identity().toString()).toList());
            fields.put(
                    "asking",
                    asking.stream().map(job -> job.identity().toString()).toList());
            fields.put(
                    "duplicated",
                    duplicated.stream().map(job -> job.identity().toString()).toList());
            fields.put("gates", gates);
            return fields;
        }
    }

    private static Seen look(Pawl pawl, Instant from) {
        var since = new TreeMap<String, Map<JobState, Long>>();
        var open = new EnumMap<JobState, Long>(JobState.class);
        var failed = new ArrayList<StoredJob>();
        var asking = new ArrayList<StoredJob>();
        JobsCommand.each(pawl, EnumSet.allOf(JobState.class), null, job -> {
            var recent = !job.standing().times().changed().isBefore(from);
            if (recent) {
                since.computeIfAbsent(job.identity().workflow(), unused -> new EnumMap<>(JobState.class))
                        .merge(job.state(), 1L, Long::sum);
            }
            if (!job.state().finished()) {
                open.merge(job.state(), 1L, Long::sum);
            }
            if (job.state() == JobState.FAILED) {
                failed.add(job);
            }
            if (job.state() == JobState.PAUSED) {
                asking.add(job);
            }
        });
        var gates = pawl.questions().gates().stream()
                .map(gate -> gate.text(pawl.waitingAt(gate), pawl.storeOption()))
                .toList();
        return new Seen(since, open, failed, asking, pawl.duplicated(), gates);
    }

    private static String screen(Pawl pawl, Seen seen, Instant from) {
        var fitting = Screen.ours();
        var screen = new StringBuilder("since " + Words.local(from) + "\n");
        seen.since().forEach((workflow, states) -> {
            screen.append("  ").append(workflow).append(':');
            states.forEach((state, many) -> screen.append(' ')
                    .append(many)
                    .append(' ')
                    .append(state.name().toLowerCase(Locale.ROOT)));
            screen.append('\n');
        });
        if (seen.since().isEmpty()) {
            screen.append("  nothing happened\n");
        }
        list(
                screen,
                fitting,
                "failed",
                seen.failed(),
                "pawl retry JOB --note WHY" + pawl.storeOption() + " tries again, pawl discard JOB --note WHY"
                        + pawl.storeOption() + " gives up for good");
        list(
                screen,
                fitting,
                "asks you",
                seen.asking(),
                "pawl show JOB" + pawl.storeOption() + " says what, and how to answer");
        list(
                screen,
                fitting,
                "happened twice",
                seen.duplicated(),
                "undo one of both by hand, then pawl discard JOB --note WHY" + pawl.storeOption());
        seen.gates().forEach(gate -> screen.append(gate).append('\n'));
        if (!seen.open().isEmpty()) {
            screen.append("not finished:");
            seen.open()
                    .forEach((state, many) ->
                            screen.append(' ').append(many).append(' ').append(Screen.word(state)));
            screen.append("; what nobody works at goes on when its batch or flow is run again\n");
        }
        if (seen.exitCode() == 0) {
            screen.append("nothing needs you\n");
        }
        return screen.toString();
    }

    private static void list(StringBuilder screen, Screen fitting, String what, List<StoredJob> jobs, String next) {
        if (jobs.isEmpty()) {
            return;
        }
        screen.append(what)
                .append(": ")
                .append(jobs.size())
                .append("; ")
                .append(next)
                .append('\n');
        jobs.stream()
                .limit(MOST_TOLD)
                .forEach(job -> screen.append(fitting.fit("  " + job.identity() + JobsCommand.why(job)))
                        .append('\n'));
        if (jobs.size() > MOST_TOLD) {
            screen.append("  and ").append(jobs.size() - MOST_TOLD).append(" more: pawl jobs\n");
        }
    }
}
