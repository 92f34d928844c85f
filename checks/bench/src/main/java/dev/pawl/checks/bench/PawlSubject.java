package dev.pawl.checks.bench;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Pawl, as a user would call it. */
final class PawlSubject implements Subject {

    private static final Workflow<Integer, String> W1 = Workflow.named("w1", Integer.class, String.class);
    private static final String VALUE = "x".repeat(198);

    @Override
    public String name() {
        return "pawl";
    }

    @Override
    public double stepsPerSecond(Path file, int inFlight, Duration window) throws Exception {
        var options = PawlOptions.usual().slots(inFlight).log(Events.NOWHERE);
        try (var pawl = Pawl.openOrCreate(file, options)) {
            pawl.work(W1.implementedBy(PawlSubject::fiveSteps));
            pawl.submit(W1, Key.of("first"), 1).join();
            var jobs = new AtomicLong();
            var steps = new AtomicLong();
            var meter = new Meter(window);
            var drivers = new ArrayList<Thread>();
            for (var i = 0; i < inFlight; i++) {
                drivers.add(Thread.ofVirtual().start(() -> drive(pawl, meter, jobs, steps)));
            }
            for (var driver : drivers) {
                driver.join();
            }
            return meter.perSecond(steps.get());
        }
    }

    private static void drive(Pawl pawl, Meter meter, AtomicLong jobs, AtomicLong steps) {
        try {
            while (!meter.over()) {
                pawl.submit(W1, Key.of(jobs.incrementAndGet()), 1).join();
                steps.addAndGet(STEPS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String fiveSteps(Job job, int input) {
        var last = "";
        for (var n = 1; n <= STEPS; n++) {
            last = job.step("step-" + n, String.class, () -> VALUE);
        }
        return last;
    }
}
