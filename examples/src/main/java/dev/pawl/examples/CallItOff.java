package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.failure.JobFailed;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.time.Duration;

/** A job that is no longer wanted: it stops at its next boundary, and what it has done stays done. */
public final class CallItOff {
    private static final Workflow<String, String> CAMPAIGN = Workflow.named("campaign", String.class, String.class);

    private CallItOff() {}

    static String campaign(Job job, String what) {
        job.step("prepare", String.class, () -> {
            System.out.println("prepared the " + what);
            return "ready";
        });
        job.sleep("until-monday", Duration.ofDays(3));
        return job.step("send", String.class, () -> "sent the " + what);
    }

    /** Prepares a campaign and calls it off while it waits. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(CAMPAIGN.implementedBy(CallItOff::campaign));
            var job = pawl.submit(CAMPAIGN, Key.of("spring"), "spring mail");
            while (pawl.find(job.identity()).orElseThrow().state() != JobState.WAITING) {
                job.join(Duration.ofMillis(20));
            }
            pawl.cancel(pawl.find(job.identity()).orElseThrow(), new Audit("anna", "the offer has changed"));
            try {
                job.join();
            } catch (JobFailed calledOff) {
                System.out.println(calledOff.getMessage());
            }
        }
    }
}
