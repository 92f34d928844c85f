package dev.pawl.examples;

import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.failure.JobFailed;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.retry.Retry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A step that fails is tried again within its budget; a job that failed is kept until someone retries or discards it. */
public final class TryAgain {

    private static final Workflow<String, String> REPORT = Workflow.named("report", String.class, String.class);

    private TryAgain() {}

    /** Fails three times, is retried by a person, succeeds. */
    public static void main(String[] arguments) throws InterruptedException {
        var calls = new AtomicInteger();
        var quickly = Retry.USUAL.backoff(Duration.ofMillis(10), Duration.ofMillis(50));
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(REPORT.implementedBy((job, month) ->
                            job.step(named("fetch").attempts(3), String.class, () -> {
                                if (calls.incrementAndGet() <= 3) {
                                    throw new IllegalStateException("the service is down");
                                }
                                return "report for " + month;
                            }))
                    .retry(quickly));
            var job = pawl.submit(REPORT, Key.of("2026-04"), "April");
            try {
                job.join();
            } catch (JobFailed failed) {
                System.out.println(failed.getMessage());
            }
            pawl.retry(pawl.find(job.identity()).orElseThrow(), new Audit("anna", "the service is up again"));
            System.out.println(job.join() + " after " + calls + " calls");
        }
    }
}
