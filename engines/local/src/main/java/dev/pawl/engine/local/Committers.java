package dev.pawl.engine.local;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * As many committers as the store can make commits at once, each job bound to one of them. Where there can be several, claims and what workers say of
 * themselves have one each: no job waits for a claim, and no beat for a job. Thread-safe.
 */
final class Committers {
    private final List<Committer> ofJobs = new ArrayList<>();
    private final Committer ofClaims;
    private final Committer ofWorkers;
    private final StoreClock clock;

    Committers(Store store, Surroundings around, ClaimDesk desk, Duration patience) {
        this.clock = new StoreClock(around.time());
        var many = store.commitsAtOnce();
        for (var i = 0; i < many.ofJobs(); i++) {
            ofJobs.add(new Committer(store, around, desk, !many.apart(), patience, clock));
        }
        this.ofClaims = many.apart() ? new Committer(store, around, desk, true, patience, clock) : ofJobs.getFirst();
        this.ofWorkers = many.apart() ? new Committer(store, around, desk, false, patience, clock) : ofJobs.getFirst();
    }

    void start(String name) {
        for (var i = 0; i < ofJobs.size(); i++) {
            ofJobs.get(i).start(name + (i == 0 ? "" : "-" + i));
        }
        if (!ofJobs.contains(ofClaims)) {
            ofClaims.start(name + "-claims");
            ofWorkers.start(name + "-keeper");
        }
    }

    /** Ends their threads once nothing waits. Changes can still be made, each on its caller's thread. */
    void stop() {
        ofJobs.forEach(Committer::stop);
        ofClaims.stop();
        ofWorkers.stop();
    }

    /** See {@link Committer#commit}. */
    Applied commit(Change change) {
        return committerOf(change).commit(change);
    }

    /** Commits many changes, together as far as there is room; when it returns, what it says of each is durable. */
    List<Applied> commitAll(List<? extends Change> changes) {
        return ofJobs.getFirst().commitAll(changes);
    }

    /** The store's clock, as it told with each exchange. */
    StoreClock clock() {
        return clock;
    }

    /** Makes an exchange soon, for the claims alone if nothing else waits. */
    void claimSoon() {
        ofClaims.claimSoon();
    }

    private Committer committerOf(Change change) {
        if (change instanceof Change.OfWorker) {
            return ofWorkers;
        }
        var number =
                change instanceof Change.SubmitJob submit ? submit.identity().hashCode() : Long.hashCode(change.job());
        return ofJobs.get(Math.floorMod(number, ofJobs.size()));
    }
}
