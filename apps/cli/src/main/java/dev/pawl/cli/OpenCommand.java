package dev.pawl.cli;

import java.util.List;
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
    public Integer call() {
        try (var pawl = store.open()) {
            for (var name : names) {
                var gate = pawl.closedGates().stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "no gate " + name + " is closed; \"pawl gates\" lists those that are"));
                pawl.open(gate, note.audit());
                json.say(
                        name + ": opened by " + note.audit().who(),
                        JsonOption.fields(
                                "gate",
                                name,
                                "did",
                                "opened",
                                "by",
                                note.audit().who()));
            }
            return 0;
        }
    }
}
