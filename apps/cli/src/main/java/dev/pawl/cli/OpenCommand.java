package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.store.StoredJob;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pawl open GATE…}: lets all who wait at a gate go on. */
@Command(
        name = "open",
        description = "Open a gate; all who wait there go on. Example: pawl open account/essay --note 'topped up'",
        mixinStandardHelpOptions = true)
final class OpenCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private NoteOption note;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Parameters(paramLabel = "GATE", arity = "1..*", description = "As \"pawl gates\" lists it.")
    @SuppressWarnings("NullAway.Init")
    private List<String> names;

    @Override
    public Integer call() throws IOException {
        InsideCommand.refuseToAnswer();
        try (var pawl = store.open()) {
            var goingOn = new GoingOn(store, pawl);
            for (var name : names) {
                var gate = pawl.closedGates().stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "no gate " + name + " is closed; \"pawl gates\" lists those that are"));
                var waiting = waitingAt(pawl, name);
                pawl.open(gate, note.audit());
                var next = new StringJoiner("; ");
                for (var one : waiting.values()) {
                    next.add(goingOn.with(one));
                }
                json.say(
                        name + ": opened by " + note.audit().who() + (waiting.isEmpty() ? "" : "; " + next),
                        JsonOption.fields(
                                "gate",
                                name,
                                "did",
                                "opened",
                                "by",
                                note.audit().who(),
                                "next",
                                next.toString()));
            }
            return 0;
        }
    }

    /** One job of each workflow of which some wait at the gate. */
    private static Map<String, StoredJob> waitingAt(Pawl pawl, String gate) {
        var waiting = new TreeMap<String, StoredJob>();
        JobsCommand.each(pawl, EnumSet.of(JobState.WAITING), null, job -> {
            if (gate.equals(job.outcome().gate())) {
                waiting.putIfAbsent(job.identity().workflow(), job);
            }
        });
        return waiting;
    }
}
