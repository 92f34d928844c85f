package dev.pawl.checks.bench.postgres;

import dev.pawl.Pawl;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.util.HashMap;

/** Pawl drains W2, as a user would let it; all that happened is kept. */
final class PawlDrain implements Drains {
    private static final Workflow<Integer, String> W2 = Workflow.named("w2", Integer.class, String.class);
    private static final int AT_ONCE = 10_000;

    /** How many jobs it has in hand at once. */
    static final int SLOTS = 512;

    private final boolean recorded;

    private PawlDrain(boolean recorded) {
        this.recorded = recorded;
    }

    /** What a job does is a step of its own, and recorded before the job ends. */
    static PawlDrain recorded() {
        return new PawlDrain(true);
    }

    /** The whole workflow is the step. */
    static PawlDrain oneStep() {
        return new PawlDrain(false);
    }

    @Override
    public String name() {
        return recorded ? "pawl" : "pawl-one-step";
    }

    @Override
    public int jobs() {
        return 120_000;
    }

    @Override
    public Draining fill(Database database, int jobs) {
        submit(database, jobs);
        return new Working(PawlContender.open(database, SLOTS), recorded);
    }

    static void submit(Database database, int jobs) {
        try (var pawl = PawlContender.open(database, 1)) {
            for (var from = 0; from < jobs; from += AT_ONCE) {
                var inputs = new HashMap<Key, Integer>();
                for (var i = from; i < Math.min(jobs, from + AT_ONCE); i++) {
                    inputs.put(Key.of(i), 1);
                }
                pawl.submitAll(W2, inputs);
            }
        }
    }

    private record Working(Pawl pawl, boolean recorded) implements Draining {
        @Override
        public void start() {
            pawl.work(W2.implementedBy((job, input) ->
                    recorded ? job.step("only", String.class, () -> Contender.VALUE) : Contender.VALUE));
        }

        @Override
        public String left() {
            return "select count(*) from pawl.job where state < 4";
        }

        @Override
        public void close() {
            pawl.close();
        }
    }
}
