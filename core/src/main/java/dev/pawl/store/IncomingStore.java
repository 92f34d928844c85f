package dev.pawl.store;

import dev.pawl.export.ExportFile;
import dev.pawl.export.LineSums;
import dev.pawl.export.StoreKind;
import dev.pawl.export.StoreLine;
import dev.pawl.gate.Gate;
import dev.pawl.gate.GateNames;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything of another store, as it comes to a place where no store is yet.
 *
 * @param token tells a store that left another place for this one from every other: under it an interrupted move begins anew, and what has arrived does not arrive
 *     twice; null of a copy, for which nobody waits
 * @param lines tells all of it
 */
public record IncomingStore(@Nullable String token, ExportFile.Telling lines) {
    /** So far fences jump, over those of all jobs that may have begun since. */
    public static final long FENCES = 1_000_000;

    private static final String COPIED =
            "this store was made of an export: what was done after the export was made is not in it, and would be done again."
                    + " Look at what happened since then, at its destination; then let it go on";

    /**
     * Makes sure that what is there is what was told.
     *
     * @throws StoreFailure when it is not
     */
    public static void requireWhole(LineSums told, LineSums arrived) {
        if (!told.byWord().equals(arrived.byWord())) {
            throw new StoreFailure(
                    StoreFailure.Move.OPERATOR,
                    "the store did not arrive as it was told: " + told.byWord() + ", and " + arrived.byWord()
                            + " is there; nothing of it was kept",
                    null);
        }
    }

    /** Why nothing arrives where somebody has begun. */
    public static StoreFailure noRoom(String place) {
        return new StoreFailure(
                StoreFailure.Move.OPERATOR,
                place + " has jobs or workers of its own; name a place where no store is yet",
                null);
    }

    /** Why nothing arrives, and nobody works, where another store was moving in and was interrupted. */
    public static StoreFailure another(String place) {
        return new StoreFailure(
                StoreFailure.Move.OPERATOR,
                "another store is on its way to " + place
                        + "; name another place, or, if that move was given up for good, remove this one first (the file, or the schema)",
                null);
    }

    /** Why nobody works where a store was moving in and was interrupted. */
    public static StoreFailure halfway(String place) {
        return new StoreFailure(
                StoreFailure.Move.OPERATOR,
                place
                        + " is where a store is moving in; wait until it is there, or, if that was interrupted, say pawl move once more",
                null);
    }

    /**
     * What was told of a store that others may have gone on with: fences jump, and everybody waits at the gate {@link GateNames#RESTORED} until a person has looked.
     *
     * @param now when that gate is closed
     */
    public static IncomingStore ofCopy(ExportFile.Telling lines, Instant now) {
        return new IncomingStore(null, told -> tell(lines, now, told));
    }

    private static void tell(ExportFile.Telling lines, Instant now, Consumer<StoreLine> told) {
        var gate = new RestoredGate(now, told);
        lines.to(line -> {
            StoreLines.check(line);
            if (line.kind().compareTo(StoreKind.GATE) > 0) {
                gate.tellIfMissing();
            }
            if (line.kind() == StoreKind.GATE && line.text("name").equals(GateNames.RESTORED)) {
                gate.tell(line);
            } else {
                told.accept(line.kind() == StoreKind.JOB ? line.with("fence", line.number("fence") + FENCES) : line);
            }
        });
        gate.tellIfMissing();
    }

    /** The gate, which there may have been earlier. */
    private static final class RestoredGate {
        private final Instant now;
        private final Consumer<StoreLine> told;
        private boolean done;

        RestoredGate(Instant now, Consumer<StoreLine> told) {
            this.now = now;
            this.told = told;
        }

        void tellIfMissing() {
            tell(null);
        }

        void tell(@Nullable StoreLine earlier) {
            if (done) {
                return;
            }
            done = true;
            var since = now.toEpochMilli();
            told.accept(
                    earlier == null
                            ? StoreLine.of(
                                    StoreKind.GATE,
                                    GateNames.RESTORED,
                                    Gate.Cause.ACCOUNT.name(),
                                    COPIED,
                                    since,
                                    null,
                                    1,
                                    0,
                                    null,
                                    "[]")
                            : earlier.with("why", COPIED)
                                    .with("since", since)
                                    .with("until", null)
                                    .with("closings", earlier.number("closings") + 1));
        }
    }
}
