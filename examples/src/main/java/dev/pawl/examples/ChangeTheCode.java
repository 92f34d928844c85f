package dev.pawl.examples;

import static dev.pawl.effect.Contract.none;
import static dev.pawl.job.Named.named;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.failure.JobFailed;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;

/** Code that changes while jobs are in flight: steps may come, go and move; a rename is told with {@code was}. */
public final class ChangeTheCode {

    private static final Workflow<String, String> GREET = Workflow.named("greet", String.class, String.class);

    private ChangeTheCode() {}

    /** Yesterday's code mails and fails; today's has another name for the mail, and it is not sent again. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(GREET.implementedBy((job, name) -> {
                job.effect("mail", none(), name, String.class, (request, a) -> {
                    System.out.println("mail to " + request);
                    return "sent";
                });
                throw new PermanentFailure("yesterday's defect");
            }));
            pawl.submit(GREET, Key.of("anna"), "Anna").join();
        } catch (JobFailed failed) {
            System.out.println("failed, and kept");
        }
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(GREET.implementedBy((job, name) -> {
                var sent = job.effect(named("send-mail").was("mail"), none(), name, String.class, (request, a) -> {
                    System.out.println("mail to " + request + " again!");
                    return "sent twice";
                });
                return job.step("count", String.class, () -> sent + ", counted");
            }));
            var job = pawl.find(GREET, Key.of("anna")).orElseThrow();
            pawl.retry(job, new Audit("anna", "the defect is mended"));
            System.out.println(pawl.submit(GREET, Key.of("anna"), "Anna").join());
        }
    }
}
