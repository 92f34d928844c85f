package dev.pawl.cli;

import dev.pawl.store.StoreFailure;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Ends the process when it can work no more, so that its guard is let go of: whoever is still there, and does nothing, would keep all others away. */
final class LastWords {
    /** Of a process that is done with: run it again, or mend something first. */
    static final Consumer<StoreFailure> OF_A_RUN =
            why -> say(why, why.move() == StoreFailure.Move.ASK_AGAIN ? ExitCodes.UNFINISHED : 1);

    /** Of a guard, whose exit codes are its command's. */
    static final Consumer<StoreFailure> OF_A_GUARD = why -> say(why, GuardCommand.OURS);

    /** Room to say why when there is no other. */
    private static final AtomicReference<byte[]> ROOM = new AtomicReference<>(new byte[256 * 1024]);

    private static final byte[] NOTHING = {};

    private LastWords() {}

    private static void say(StoreFailure why, int code) {
        try {
            ROOM.set(NOTHING);
            System.err.println("pawl: " + why.getMessage());
        } finally {
            // Not in order: there may be no memory for that.
            Runtime.getRuntime().halt(code);
        }
    }
}
