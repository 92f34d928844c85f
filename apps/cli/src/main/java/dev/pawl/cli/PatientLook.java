package dev.pawl.cli;

import dev.pawl.Pawl;
import dev.pawl.key.Identity;
import dev.pawl.look.StoredJob;
import dev.pawl.store.StoreFailure;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.function.Supplier;

/** Looks at a job, and waits for a store that does not answer meanwhile: that is said, and that it answers again. */
final class PatientLook {
    private static final Duration BETWEEN = Duration.ofMillis(200);

    private final Pawl pawl;
    private final Identity identity;
    private final Supplier<String> untold;

    /**
     * Looks at {@code job}.
     *
     * @param untold what the store does not know yet, and what becomes of it: said while it does not answer
     */
    PatientLook(Pawl pawl, Identity identity, Supplier<String> untold) {
        this.pawl = pawl;
        this.identity = identity;
        this.untold = untold;
    }

    /** The job as it stands, however long that takes. */
    StoredJob now() throws InterruptedException {
        var said = "";
        while (true) {
            try {
                var found = pawl.find(identity).orElseThrow();
                if (!said.isEmpty()) {
                    System.err.println("pawl: the store answers again");
                }
                return found;
            } catch (StoreFailure failure) {
                if (failure.move() == StoreFailure.Move.OPERATOR) {
                    throw failure;
                }
                var says = untold.get();
                if (!says.equals(said)) {
                    System.err.println("pawl: " + (said.isEmpty() ? failure.getMessage() + ". " : "") + says);
                }
                said = says;
                Time.system().await(BETWEEN);
            }
        }
    }
}
