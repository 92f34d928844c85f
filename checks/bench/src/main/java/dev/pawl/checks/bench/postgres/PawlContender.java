package dev.pawl.checks.bench.postgres;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.Events;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;

/** Pawl, as a user would call it. */
final class PawlContender implements Contender {
    private static final Workflow<Integer, String> W1 = Workflow.named("w1", Integer.class, String.class);

    @Override
    public String name() {
        return "pawl";
    }

    @Override
    public Runs stepping(Database database, int inFlight) {
        var pawl = open(database, inFlight);
        pawl.work(W1.implementedBy(PawlContender::fiveSteps));
        return new Runs() {
            @Override
            public void job(long number) throws InterruptedException {
                pawl.submit(W1, Key.of(number), 1).join();
            }

            @Override
            public void close() {
                pawl.close();
            }
        };
    }

    static Pawl open(Database database, int slots) {
        return Pawl.openOrCreate(
                database.url(), PawlOptions.usual().slots(slots).log(Events.NOWHERE));
    }

    private static String fiveSteps(Job job, int input) {
        var last = "";
        for (var n = 1; n <= STEPS; n++) {
            last = job.step("step-" + n, String.class, () -> VALUE);
        }
        return last;
    }
}
