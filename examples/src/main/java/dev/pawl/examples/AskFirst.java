package dev.pawl.examples;

import static dev.pawl.effect.Contract.none;

import dev.pawl.Pawl;
import dev.pawl.decision.Decision;
import dev.pawl.failure.JobPaused;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.time.Duration;

/** An effect that needs a person's yes: for exactly this text, once, and not for ever. */
public final class AskFirst {
    private static final Workflow<String, String> PRESS = Workflow.named("press-release", String.class, String.class);

    private AskFirst() {}

    static String publish(Job job, String topic) {
        var text = job.step("write", String.class, () -> "We are proud of " + topic + ".");
        job.approve("publish", text, "Publish \"" + text + "\"?", Duration.ofHours(12));
        return job.effect("publish", none(), text, String.class, (request, a) -> {
            System.out.println("publishing: " + request);
            return "https://example.org/press/1";
        });
    }

    /** Writes, asks, publishes. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(PRESS.implementedBy(AskFirst::publish));
            var job = pawl.submit(PRESS, Key.of("fences"), "our fences");
            try {
                job.join();
            } catch (JobPaused paused) {
                System.out.println(paused.getMessage());
            }
            pawl.decide(
                    pawl.find(job.identity()).orElseThrow(), Decision.approve().by("anna", "reads well"));
            System.out.println(job.join());
        }
    }
}
