package dev.pawl.examples;

import static dev.pawl.effect.Contract.none;

import dev.pawl.Pawl;
import dev.pawl.decision.Decision;
import dev.pawl.failure.JobPaused;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;

/** An effect without a contract whose answer got lost: nothing is sent again until a person has looked. */
public final class AskBeforeRepeating {

    private static final Workflow<String, String> ANNOUNCE = Workflow.named("announce", String.class, String.class);

    private AskBeforeRepeating() {}

    /** Announces something, loses the answer, asks, and goes on with what the person says. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(ANNOUNCE.implementedBy(
                    (job, text) -> job.effect("post", none(), text, String.class, (request, a) -> {
                        System.out.println("posting " + request);
                        throw new IllegalStateException("the connection broke after the request was sent");
                    })));
            var job = pawl.submit(ANNOUNCE, Key.of("release-1"), "Release 1 is out");
            try {
                job.join();
            } catch (JobPaused paused) {
                System.out.println(paused.getMessage());
            }

            // Somebody looks at the page: it is there.
            var asking = pawl.find(job.identity()).orElseThrow();
            pawl.decide(asking, Decision.done("https://example.org/1").by("anna", "I see it on the page"));
            System.out.println("announced at " + job.join());
        }
    }
}
