package dev.pawl.engine.local;

import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.key.Place;
import dev.pawl.time.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a fan-out: a bounded number of threads take one item after another, each in a scope of its own; when all threads have stopped, the
 * heaviest ending decides.
 */
final class MapRunner<I, T> {
    private static final int MOST_ITEMS = 1_000_000;

    private final Scope parent;
    private final Named name;
    private final Job.Each<I, T> each;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger working = new AtomicInteger();
    private final Signal stopped = new Signal();

    MapRunner(Scope parent, Named name, Job.Each<I, T> each) {
        this.parent = parent;
        this.name = name;
        this.each = each;
    }

    /** An item with its place; afterwards, with what came of it. */
    private final class Item {
        private final I value;
        private final Place place;
        private UserCode.@Nullable CodeOutcome<T> outcome;
        private Ending.@Nullable Parked parked;

        private Item(I value, Place place) {
            this.value = value;
            this.place = place;
        }
    }

    List<T> run(Collection<? extends I> items, Function<? super I, String> itemKey) {
        parent.meet(name);
        var all = placed(items, itemKey);
        parent.recordWhatRides();
        var threads = Math.min(name.atOnce(), all.size());
        working.set(threads);
        for (var i = 0; i < threads; i++) {
            parent.context()
                    .ports()
                    .threads()
                    .start(Threads.Purpose.JOB, "pawl-" + parent.context().identity() + "-" + name.name(), () -> {
                        try {
                            work(all);
                        } finally {
                            working.decrementAndGet();
                            stopped.raise();
                        }
                    });
        }
        awaitAll();
        return ended(all);
    }

    private List<Item> placed(Collection<? extends I> items, Function<? super I, String> itemKey) {
        if (items.size() > MOST_ITEMS) {
            throw new PermanentFailure("fan-out " + name.name() + " has " + items.size() + " items; the most is "
                    + MOST_ITEMS + ": make jobs of them");
        }
        var places = new HashSet<Place>();
        var all = new ArrayList<Item>(items.size());
        for (var value : items) {
            var key = itemKey.apply(value);
            if (key == null || key.isEmpty()) {
                throw parent.spoil(
                        "an item of fan-out " + name.name() + " has no key; say what tells it from all others");
            }
            var place = name.item(key).place(parent.name());
            if (!places.add(place)) {
                throw parent.spoil("two items of fan-out " + name.name() + " have the key \"" + key
                        + "\"; a key tells one item from all others");
            }
            all.add(new Item(value, place));
        }
        return all;
    }

    /** One thread's part: one item after another, until there is none left or the run has to stop. */
    private void work(List<Item> all) {
        for (var i = next.getAndIncrement(); i < all.size() && !parent.mustStop(); i = next.getAndIncrement()) {
            run(all.get(i));
        }
    }

    private void run(Item item) {
        var scope = parent.enter(item.place.inside());
        var joined = parent.context().joined();
        try {
            item.outcome = UserCode.call(() -> {
                var result = each.run(new JobInCode(scope), item.value);
                scope.settleUnmet();
                return result;
            });
            item.parked = scope.parked();
            parent.takeOn(scope);
        } finally {
            joined.forEach(end -> UserCode.call(() -> {
                end.run();
                return end;
            }));
            parent.leave(scope);
        }
    }

    /** A run leaves only when all its threads have stopped, so nothing ends this wait but that. */
    private void awaitAll() {
        while (true) {
            var seen = stopped.count();
            if (working.get() == 0) {
                return;
            }
            UninterruptedWait.await(stopped, parent.context().ports().time(), seen, Duration.ofDays(1));
        }
    }

    private List<T> ended(List<Item> all) {
        parent.context().journal().check();
        parent.refuseIfSpoiled();
        var parks = new ArrayList<Ending.Parked>();
        var results = new ArrayList<T>(all.size());
        Throwable failed = null;
        var unfinished = false;
        for (var item : all) {
            if (item.parked != null) {
                parks.add(item.parked);
            } else {
                switch (item.outcome) {
                    case null -> unfinished = true;
                    case UserCode.CodeOutcome.Returned<T> returned -> results.add(result(returned));
                    case UserCode.CodeOutcome.Threw<T> threw -> failed = heavier(failed, threw.thrown());
                }
            }
        }
        if (unfinished) {
            parks.add(parent.stopping());
        }
        if (!parks.isEmpty()) {
            throw parent.park(parent.onlyReplays() ? Ending.heaviestOfReplayed(parks) : Ending.heaviest(parks));
        }
        if (failed != null) {
            throw UserCode.again(failed);
        }
        return results;
    }

    @SuppressWarnings("NullAway") // an item may come to nothing
    private T result(UserCode.CodeOutcome.Returned<T> returned) {
        return returned.value();
    }

    /** The failure that stands for all: one that is recorded before one that is not; the others are kept with it. */
    private static Throwable heavier(@Nullable Throwable before, Throwable next) {
        if (before == null) {
            return next;
        }
        var takesOver = next instanceof StepFailed && !(before instanceof StepFailed);
        var first = takesOver ? next : before;
        if (first.getSuppressed().length < 100) {
            first.addSuppressed(takesOver ? before : next);
        }
        return first;
    }
}
