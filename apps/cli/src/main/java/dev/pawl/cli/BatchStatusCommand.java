package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl batch status NAME}: how the rows of a batch stand. */
@Command(
        name = "status",
        description = "Say how the rows of a batch stand, and which need somebody. Example: pawl batch status nightly",
        mixinStandardHelpOptions = true)
final class BatchStatusCommand implements Callable<Integer> {

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
    public Integer call() {
        try (var pawl = store.look()) {
            var states = count(pawl, name);
            var screen = Screen.ours();
            var fields = JsonOption.fields("batch", name);
            states.forEach((state, many) -> fields.put(Screen.word(state), many));
            var line = Summary.line(fields);
            var needing = new ArrayList<String>();
            var lines = new ArrayList<String>();
            JobsCommand.each(pawl, EnumSet.of(JobState.PAUSED, JobState.FAILED), name, job -> {
                needing.add(job.identity().toString());
                lines.add(screen.fit(JobsCommand.line(job), job.state()));
            });
            var gates = pawl.closedGates().stream()
                    .filter(gate ->
                            gate.name().equals("account/" + name) || gate.name().equals(Gate.RESTORED))
                    .map(gate -> gate.text(pawl.waitingAt(gate), pawl.storeOption()))
                    .toList();
            fields.put("needing", needing);
            fields.put("gates", gates);
            json.say(line, fields);
            if (!json.wanted()) {
                lines.forEach(System.out::println);
                gates.forEach(System.out::println);
            }
            return exitCode(states, !gates.isEmpty());
        }
    }

    /** How many rows are in which state; every state is named. */
    static Map<JobState, Long> count(Pawl pawl, String batch) {
        var states = new EnumMap<JobState, Long>(JobState.class);
        for (var state : JobState.values()) {
            states.put(state, 0L);
        }
        JobsCommand.each(pawl, EnumSet.allOf(JobState.class), batch, job -> states.merge(job.state(), 1L, Long::sum));
        if (states.values().stream().allMatch(many -> many == 0)) {
            throw new IllegalArgumentException("there is no batch " + batch + "; \"pawl jobs\" lists what there is");
        }
        return states;
    }

    private static int exitCode(Map<JobState, Long> states, boolean gated) {
        if (states.getOrDefault(JobState.FAILED, 0L) > 0) {
            return 1;
        }
        if (gated || states.getOrDefault(JobState.PAUSED, 0L) > 0) {
            return 3;
        }
        var open = states.getOrDefault(JobState.READY, 0L)
                + states.getOrDefault(JobState.RUNNING, 0L)
                + states.getOrDefault(JobState.WAITING, 0L);
        return open > 0 ? 75 : 0;
    }
}
