package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.desk.Fields;
import dev.pawl.desk.JobLookup;
import dev.pawl.desk.JobText;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import dev.pawl.job.JobState;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobQuery;
import dev.pawl.look.TimeWindow;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl batch status NAME}: how the rows of a batch stand. */
@Command(
        name = "status",
        description = "Say how the rows of a batch stand, and which need somebody. Example: pawl batch status nightly",
        mixinStandardHelpOptions = true)
final class BatchStatusCommand implements Callable<Integer> {
    /** So many rows that need somebody are named where machines read. */
    private static final int MOST_NEEDING = 1_000;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(paramLabel = "NAME", description = "The batch.")
    @SuppressWarnings("NullAway.Init")
    private String name;

    @Override
    public Integer call() throws IOException {
        try (var pawl = store.look()) {
            var states = count(store, pawl, name);
            var screen = Screen.ours();
            var fields = Fields.of("batch", name);
            states.forEach((state, many) -> fields.put(state.word(), many));
            var pruned = pawl.operator().pruned(name);
            if (pruned > 0) {
                fields.put("pruned", pruned);
            }
            var classes = new TreeMap<String, Long>();
            ofBatch(pawl, name).forEach(alike -> {
                if (alike.because() != null) {
                    classes.merge(alike.because().word(), alike.many(), Long::sum);
                }
            });
            var closed = pawl.closedGates().stream()
                    .filter(gate -> gate.name().equals(GateNames.account(name))
                            || gate.name().equals(GateNames.RESTORED))
                    .toList();
            var asked = closed.stream()
                    .map(gate -> gate.text(
                            pawl.operator().waitingAt(gate), pawl.operator().storeOption()))
                    .toList();
            var told = new LinkedHashMap<>(fields);
            classes.forEach((one, many) -> told.put("failed-" + one, many));
            var line = Summary.line(told);
            fields.put("failedByClass", classes);
            var needing =
                    JobQuery.in(JobState.PAUSED, JobState.FAILED).workflow(name).oldestFirst();
            if (json.wanted()) {
                fields.put(
                        "needing",
                        pawl.jobs(needing.most(MOST_NEEDING)).jobs().stream()
                                .map(job -> job.identity().toString())
                                .toList());
                fields.put(
                        "needingMany",
                        states.getOrDefault(JobState.PAUSED, 0L) + states.getOrDefault(JobState.FAILED, 0L));
            }
            fields.put("gates", asked);
            json.say(line, fields);
            if (isEmpty(states) && !json.wanted()) {
                System.out.println(
                        hasBegun()
                                ? "no row of it is left to look at: they were pruned, and are known to be done"
                                : "no run of it has begun");
            }
            if (!json.wanted()) {
                JobLookup.inOrder(
                        pawl,
                        JobLookup.untilNow(needing),
                        Long.MAX_VALUE,
                        job -> System.out.println(screen.fit(JobText.line(job), job.state())));
                asked.forEach(System.out::println);
            }
            return exitCode(states, closed.stream().anyMatch(BatchStatusCommand::isForAPerson));
        }
    }

    /** Whether a person must open it: it does not open by itself. */
    private static boolean isForAPerson(Gate gate) {
        return gate.closing() != null && gate.closing().until() == null;
    }

    /** Whether rows of it were ever accepted, as far as this machine knows: a run that is refused notes nothing. */
    private boolean hasBegun() throws IOException {
        return LastRun.of(store, name).isPresent()
                || OneAtATime.last(store, BatchRunCommand.guardOf(name))
                        .filter(last -> last.note().equals(BatchRunCommand.SEEN_ALL))
                        .isPresent();
    }

    /** How many rows of a batch ended in which way, but for those that were pruned. */
    private static Stream<EndedJobs> ofBatch(Pawl pawl, String batch) {
        return pawl.operator().ended(TimeWindow.EVER).stream()
                .filter(alike -> !alike.pruned() && alike.group().workflow().equals(batch));
    }

    /** How many rows are in which state, but for those that were pruned; every state is named. */
    static Map<JobState, Long> count(StoreOption store, Pawl pawl, String batch) throws IOException {
        var states = new EnumMap<JobState, Long>(JobState.class);
        for (var state : JobState.values()) {
            states.put(state, 0L);
        }
        pawl.operator().unfinished(Instant.EPOCH).stream()
                .filter(alike -> alike.group().workflow().equals(batch))
                .forEach(alike -> states.merge(alike.state(), alike.many().all(), Long::sum));
        ofBatch(pawl, batch).forEach(alike -> states.merge(alike.state(), alike.many(), Long::sum));
        if (isEmpty(states)
                && OneAtATime.last(store, BatchRunCommand.guardOf(batch)).isEmpty()) {
            throw new IllegalArgumentException("there is no batch " + batch + "; \"pawl jobs\" lists what there is");
        }
        return states;
    }

    /** Whether no row is left of it: all were pruned. */
    static boolean isEmpty(Map<JobState, Long> states) {
        return states.values().stream().allMatch(many -> many == 0);
    }

    private static int exitCode(Map<JobState, Long> states, boolean gated) {
        var open = states.getOrDefault(JobState.READY, 0L)
                + states.getOrDefault(JobState.RUNNING, 0L)
                + states.getOrDefault(JobState.WAITING, 0L);
        return ExitCodes.of(
                states.getOrDefault(JobState.FAILED, 0L) > 0,
                gated || states.getOrDefault(JobState.PAUSED, 0L) > 0,
                open > 0);
    }
}
