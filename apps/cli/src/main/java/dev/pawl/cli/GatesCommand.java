package dev.pawl.cli;

import dev.pawl.desk.ClosedGates;
import dev.pawl.desk.Fields;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pawl gates}: where jobs wait together, and what opens each. */
@Command(
        name = "gates",
        description =
                "List the gates that are closed, each one question for all who wait there. Exits 3 when a person must open one. Example: pawl gates",
        mixinStandardHelpOptions = true)
final class GatesCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private JsonOption json;

    @Override
    public Integer call() {
        try (var pawl = store.look()) {
            var closed = pawl.closedGates();
            if (closed.isEmpty() && !json.wanted()) {
                System.out.println("no gate is closed");
            }
            closed.forEach(gate -> {
                var waiting = pawl.operator().waitingAt(gate);
                var text = gate.text(waiting, pawl.operator().storeOption());
                json.say(text, Fields.of("gate", gate.name(), "waiting", waiting, "question", text));
            });
            return closed.stream().anyMatch(ClosedGates::needsAPerson) ? 3 : 0;
        }
    }
}
