package dev.pawl.checks.bench;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Entry;
import dev.pawl.json.Json;
import dev.pawl.key.Key;
import dev.pawl.retry.Retry;
import dev.pawl.store.Store;
import dev.pawl.store.sqlite.SqliteStore;
import dev.pawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** W3: a job with a thousand records comes to its next step, again and again. */
public final class Resume {
    /** How many steps the job has behind it. */
    public static final int RECORDS = 1_000;

    private static final Time TIME = Time.system();
    private static final Workflow<Integer, String> W3 = Workflow.named("w3", Integer.class, String.class);

    private Resume() {}

    /**
     * What was measured, each in milliseconds.
     *
     * @param bulk one read of the whole journal with every result decoded
     * @param pawl from one step 1,001 that fails to the next: recorded, released, claimed, replayed
     */
    public record Times(List<Double> bulk, List<Double> pawl) {}

    static Times measure(Path file, int rounds) throws Exception {
        try (var pawl = Pawl.openOrCreate(file, PawlOptions.usual().log(Events.NOWHERE));
                var store = SqliteStore.open(file, TIME)) {
            return measure(pawl, store, rounds);
        }
    }

    /** Measures on {@code pawl}, whose store has no job yet, and which {@code store} leads to as well. */
    public static Times measure(Pawl pawl, Store store, int rounds) throws InterruptedException {
        var bulk = Collections.synchronizedList(new ArrayList<Double>());
        var resumed = Collections.synchronizedList(new ArrayList<Double>());
        var failedAt = new AtomicLong();
        pawl.work(W3.implementedBy((job, input) -> {
                    for (var n = 1; n <= RECORDS; n++) {
                        job.step("step-" + n, String.class, () -> "x".repeat(198));
                    }
                    return job.step("next", String.class, () -> {
                        var now = TIME.nanos();
                        if (failedAt.get() != 0) {
                            resumed.add((now - failedAt.get()) / 1e6);
                        }
                        if (resumed.size() == rounds) {
                            return "done";
                        }
                        bulk.add(read(store));
                        failedAt.set(TIME.nanos());
                        throw new IllegalStateException("again");
                    });
                })
                .retry(new Retry(1_000, Duration.ZERO, Duration.ZERO)));
        pawl.submit(W3, Key.of("x"), 1).join();
        // The first rounds warm the machine up.
        return new Times(bulk.subList(rounds / 2, bulk.size()), resumed.subList(rounds / 2, resumed.size()));
    }

    private static double read(Store store) {
        var start = TIME.nanos();
        var decoded = 0;
        for (var line : store.journal(1)) {
            if (line.entry() instanceof Entry.StepDone step && Json.read(step.result(), String.class) != null) {
                decoded++;
            }
        }
        if (decoded < RECORDS) {
            throw new IllegalStateException("only " + decoded + " records");
        }
        return (TIME.nanos() - start) / 1e6;
    }
}
