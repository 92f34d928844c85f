package dev.pawl.checks.bench;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** A hundred thousand jobs in one process: what stays in memory after each fifth of them. */
final class Memory {
    private static final int JOBS = 100_000;
    private static final int PARTS = 5;
    private static final int DRIVERS = 64;
    private static final Workflow<Integer, String> WORKFLOW = Workflow.named("memory", Integer.class, String.class);

    private Memory() {}

    static void measure(Path file, boolean json) throws Exception {
        var most = Runtime.getRuntime().maxMemory() >> 20;
        try (var pawl =
                Pawl.openOrCreate(file, PawlOptions.usual().slots(DRIVERS).log(Events.NOWHERE))) {
            pawl.work(WORKFLOW.implementedBy((job, input) -> job.step("only", String.class, () -> "x".repeat(198))));
            var next = new AtomicInteger();
            for (var part = 1; part <= PARTS; part++) {
                var until = JOBS / PARTS * part;
                var drivers = new ArrayList<Thread>();
                for (var i = 0; i < DRIVERS; i++) {
                    drivers.add(Thread.ofVirtual().start(() -> drive(pawl, next, until)));
                }
                for (var driver : drivers) {
                    driver.join();
                }
                var used = used() >> 20;
                System.out.println(
                        json
                                ? new FigureLine("memory", "sqlite", "pawl")
                                        .with("jobs", until)
                                        .with("mebibytes", used)
                                        .with("most", most)
                                        .toString()
                                : String.format(
                                        Locale.ROOT,
                                        "memory     %,7d jobs done, %4d MiB in use of at most %,d",
                                        until,
                                        used,
                                        most));
            }
        }
    }

    private static void drive(Pawl pawl, AtomicInteger next, int until) {
        try {
            for (var n = next.getAndIncrement(); n < until; n = next.getAndIncrement()) {
                pawl.submit(WORKFLOW, Key.of(n), n).join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long used() {
        var runtime = Runtime.getRuntime();
        for (var i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
