package dev.pawl.examples;

import static dev.pawl.gate.Budget.perJob;
import static dev.pawl.gate.Budget.usd;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.failure.GateClosed;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.util.List;

/** An agent that may spend so much and no more: it waits at a gate until a person lets it go on. */
public final class StopAtTheBudget {
    private static final Workflow<String, Integer> RESEARCH = Workflow.named("research", String.class, Integer.class);

    private StopAtTheBudget() {}

    static int research(Job job, String topic) {
        var pages = 0;
        for (var page = 1; page <= 3; page++) {
            var number = page;
            pages += job.step("page-" + page, Integer.class, () -> {
                System.out.println("reading page " + number + " about " + topic);
                job.use("some-model", 100_000, 2_000, 0, 0);
                return 1;
            });
        }
        return pages;
    }

    /** Reads until the money is gone, asks, and reads on. */
    public static void main(String[] arguments) throws InterruptedException {
        var prices = Prices.parse("prices", List.of("some-model, 3.00, 15.00"));
        try (var pawl =
                Pawl.openOrCreate(StoreFile.of(arguments), PawlOptions.usual().prices(prices))) {
            pawl.work(RESEARCH.implementedBy(StopAtTheBudget::research).budget(perJob(usd("0.50"))));
            var job = pawl.submit(RESEARCH, Key.of("fences"), "fences");
            try {
                job.join();
            } catch (GateClosed closed) {
                System.out.println("it waits at " + closed.gate());
            }
            for (var gate : pawl.closedGates()) {
                System.out.println(
                        "spent " + pawl.cost(pawl.find(job.identity()).orElseThrow()));
                pawl.openGate(gate, new Audit("anna", "it is worth it"));
            }
            System.out.println(job.join() + " pages");
        }
    }
}
