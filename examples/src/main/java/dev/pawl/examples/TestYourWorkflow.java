package dev.pawl.examples;

import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.test.ExportedJob;
import dev.pawl.test.PawlTest;
import java.time.Duration;

/** A workflow in a test: three days pass in a moment, and yesterday's journal tells whether today's code still fits. */
public final class TestYourWorkflow {
    private static final Workflow<String, String> REMINDER = Workflow.named("reminder", String.class, String.class);

    private TestYourWorkflow() {}

    static String remind(Job job, String whom) {
        job.sleep("wait", Duration.ofDays(3));
        return job.step("remind", String.class, () -> "reminded " + whom);
    }

    static String remindTwice(Job job, String whom) {
        var first = remind(job, whom);
        return job.step("remind-again", String.class, () -> first + " twice");
    }

    /** What a test would do; there it would be assertions. */
    public static void main(String[] arguments) {
        String yesterday;
        try (var pawl = PawlTest.of(REMINDER.implementedBy(TestYourWorkflow::remind))) {
            var job = pawl.submit(REMINDER, Key.of("anna"), "Anna");
            System.out.println(pawl.job(job).state());
            pawl.advance(Duration.ofDays(3));
            System.out.println(pawl.result(REMINDER, job));
            yesterday = pawl.export(job).text();
        }
        var exported = ExportedJob.parse(yesterday);
        exported.assertStillFits(REMINDER.implementedBy(TestYourWorkflow::remind));
        var replayed = exported.replay(REMINDER.implementedBy(TestYourWorkflow::remindTwice));
        System.out.println(replayed.how() + " " + replayed.place());
    }
}
