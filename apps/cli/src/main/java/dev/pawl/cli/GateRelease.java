package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.batch.Batch;
import dev.pawl.decision.Audit;
import dev.pawl.failure.DecisionConflict;
import dev.pawl.store.StoreFailure;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Opens the gate that a batch's brake has closed, when there is reason to. Thread-safe. */
final class GateRelease {
    private final String batch;
    private final AtomicReference<@Nullable Pawl> pawl = new AtomicReference<>();

    GateRelease(String batch) {
        this.batch = batch;
    }

    /** From now on it can be opened, through {@code open}. */
    void opens(Pawl open) {
        pawl.set(open);
    }

    /** Lets those who wait go on; what cannot be opened now opens by itself. */
    void now(String why) {
        var open = pawl.get();
        if (open == null) {
            return;
        }
        try {
            Batch.gateOfBrake(open, batch).ifPresent(gate -> open.openGate(gate, new Audit("pawl batch run", why)));
        } catch (StoreFailure | DecisionConflict e) {
            // It opens by itself when its time has come.
        }
    }
}
