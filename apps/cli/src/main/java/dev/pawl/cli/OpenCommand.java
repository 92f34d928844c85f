package dev.pawl.cli;

import dev.pawl.desk.ClosedGates;
import dev.pawl.desk.Fields;
import dev.pawl.desk.GoingOn;
import java.io.IOException;
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
    public Integer call() throws IOException {
        InsideCommand.refuseToAnswer();
        try (var pawl = store.open()) {
            var goingOn = new GoingOn(new TypedHere(store, pawl), pawl);
            for (var name : names) {
                var next = ClosedGates.open(pawl, name, note.audit(), goingOn);
                json.say(
                        name + ": opened by " + note.audit().who() + (next.isEmpty() ? "" : "; " + next),
                        Fields.of(
                                "gate",
                                name,
                                "did",
                                "opened",
                                "by",
                                note.audit().who(),
                                "next",
                                next));
            }
            return 0;
        }
    }
}
