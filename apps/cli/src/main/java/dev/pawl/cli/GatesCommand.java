package dev.pawl.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pawl gates}: where jobs wait together, and what opens each. */
@Command(
        name = "gates",
        description =
                "List the gates that are closed, each one question for all who wait there. Exits 3 when a person must open one.",
        mixinStandardHelpOptions = true)
final class GatesCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private StoreOption store;

    @Override
    public Integer call() {
        try (var pawl = store.open()) {
            var closed = pawl.closedGates();
            if (closed.isEmpty()) {
                System.out.println("no gate is closed");
            }
            closed.forEach(gate -> System.out.println(gate.text(pawl.waitingAt(gate), pawl.storeOption())));
            return closed.stream()
                            .anyMatch(gate ->
                                    gate.closing() != null && gate.closing().until() == null)
                    ? 3
                    : 0;
        }
    }
}
