package dev.pawl.engine.local;

import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Store;
import dev.pawl.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One committer, or several where the store can make several commits at once and there are jobs enough for each to gather many: each job is bound to one of
 * them. Where there can be several, claims and what workers say of
 * themselves have one each: no job waits for a claim, and no beat for a job. Thread-safe.
 */
final class Committers {
    /** Among fewer, one commit of all of them costs less than two of half of them each, and nobody waits longer for it. */
    private static final int JOBS_FOR_EACH = 128;

    private final List<Committer> ofJobs = new ArrayList<>();
    private final Committer ofClaims;
    private final Committer ofWorkers;
    private final Committer ofLists;
    private final StoreClock clock;

    /** @param slots how many jobs run at once */
    Committers(Store store, EnginePorts ports, ClaimDesk desk, int slots, Duration patience) {
        this.clock = new StoreClock(ports.time());
        var many = store.commitsAtOnce();
        var worthWhile = Math.clamp(slots / JOBS_FOR_EACH, 1, many.ofJobs());
        for (var i = 0; i < worthWhile; i++) {
            ofJobs.add(new Committer(store, ports, desk, !many.apart(), patience, clock));
        }
        this.ofClaims = many.apart() ? new Committer(store, ports, desk, true, patience, clock) : ofJobs.getFirst();
        this.ofLists = many.apart() ? new Committer(store, ports, desk, false, patience, clock) : ofJobs.getFirst();
        this.ofWorkers = many.apart() ? new Committer(store, ports, desk, false, patience, clock) : ofJobs.getFirst();
    }

    void start(String name) {
        for (var i = 0; i < ofJobs.size(); i++) {
            ofJobs.get(i).start(name + (i == 0 ? "" : "-" + i));
        }
        if (!ofJobs.contains(ofClaims)) {
            ofClaims.start(name + "-claims");
            ofWorkers.start(name + "-keeper");
            ofLists.start(name + "-lists");
        }
    }

    /** Ends their threads once nothing waits. Changes can still be made, each on its caller's thread. */
    void stop() {
        ofJobs.forEach(Committer::stop);
        ofClaims.stop();
        ofWorkers.stop();
        ofLists.stop();
    }

    /** See {@link Committer#end}. */
    void end(StoreFailure reason) {
        ofJobs.forEach(one -> one.end(reason));
        ofClaims.end(reason);
        ofWorkers.end(reason);
        ofLists.end(reason);
    }

    /** See {@link Committer#commit}. */
    Applied commit(Change change) {
        return committerOf(change).commit(change);
    }

    /** See {@link Committer#commitUnlessHeld}. */
    Optional<Applied> commitUnlessHeld(Change change) {
        return committerOf(change).commitUnlessHeld(change);
    }

    /** Has a change committed, and does not wait for it. */
    Pending give(Change change) {
        return committerOf(change).give(List.of(change)).getFirst();
    }

    /** Commits many changes, together as far as there is room; when it returns, what it says of each is durable. */
    List<Applied> commitAll(List<? extends Change> changes) {
        var first = changes.size() > Committer.MOST_AT_ONCE && !ofLists.equals(ofJobs.getFirst())
                ? changes.size() / 2
                : changes.size();
        var pending = new ArrayList<>(ofJobs.getFirst().give(changes.subList(0, first)));
        pending.addAll(ofLists.give(changes.subList(first, changes.size())));
        return pending.stream().map(Pending::await).toList();
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
