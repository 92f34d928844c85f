package dev.pawl.engine.local;

import dev.pawl.job.Handling;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.lease.Taking;
import dev.pawl.lease.Trust;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/** Whoever claims, through the committer's exchange or with a submission: never more jobs run than there are slots, and no slot is lost. */
public class ClaimRaces {
    private static final int SLOTS = 2;
    private static final Identity IDENTITY = new Identity("w", Key.of("k"));
    private static final Handling HANDLING = Handling.usual();
    private static final Claimed JOB = made();

    private final Here.Hasty time = new Here.Hasty();
    private final AtomicInteger running = new AtomicInteger();
    private volatile boolean tooMany;
    private final ClaimDesk desk = new ClaimDesk(SLOTS, new Runs());

    private final class Runs implements ClaimDesk.Crew {
        @Override
        public void start(Lease lease, Claimed claimed) {
            tooMany |= running.incrementAndGet() > SLOTS;
        }

        @Override
        public void storeFailed(StoreFailure storeFailure) {
            throw new IllegalStateException(storeFailure);
        }
    }

    /** A desk that is open. */
    public ClaimRaces() {
        var lease = new Lease(
                1, Duration.ofSeconds(30), time, () -> {}, new Trust(Duration.ofSeconds(30), Instant.EPOCH, 0));
        desk.opens(lease, new Taking(List.of("w"), List.of(), List.of()));
    }

    /** The committer asks for as much as there is room for, and gets one job; it ends at once, or stays. */
    @Operation
    public void claim() {
        desk.hint();
        var wanted = desk.want();
        if (wanted.any()) {
            desk.got(wanted, List.of(), new Exchanged(List.of(), List.of(JOB), null, Instant.EPOCH));
        }
    }

    /** A job is submitted, and claimed with it. */
    @Operation
    public void submit() {
        var claim = desk.claimFor("w", HANDLING);
        if (claim != null) {
            var change = new Change.SubmitJob(IDENTITY, "1", claim);
            desk.got(
                    dev.pawl.store.Wanted.NOTHING,
                    List.of(change),
                    new Exchanged(List.of(Applied.now()), List.of(JOB), null, Instant.EPOCH));
        }
    }

    /** A run ends. */
    @Operation
    public void end() {
        var before = running.getAndUpdate(many -> Math.max(0, many - 1));
        if (before > 0) {
            desk.ended(false, true);
        }
    }

    /** No slot was given twice, none was lost. */
    @Validate
    public void validate() {
        if (tooMany) {
            throw new IllegalStateException("more jobs ran than there are slots");
        }
        desk.hint();
        var free = desk.want().most();
        if (free + running.get() != SLOTS) {
            throw new IllegalStateException(free + " slots are free and " + running.get() + " taken, of " + SLOTS);
        }
    }

    private static Claimed made() {
        var standing = new StoredJob.Standing(
                dev.pawl.job.JobState.RUNNING,
                0,
                1,
                1,
                StoredJob.Suspicion.NONE,
                new StoredJob.Times(Instant.EPOCH, Instant.EPOCH, null),
                false,
                0);
        return new Claimed(
                new StoredJob(1, IDENTITY, new StoredJob.Given("1", HANDLING), standing, StoredJob.Outcome.NONE),
                List.of());
    }
}
