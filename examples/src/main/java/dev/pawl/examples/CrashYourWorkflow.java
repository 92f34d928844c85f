package dev.pawl.examples;

import static dev.pawl.effect.Contract.none;

import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.test.CrashEverywhere;
import dev.pawl.test.Outside;

/** Kill a workflow of your own at every commit it makes, and count what happened. The mistake here: a mail from a plain step. */
public final class CrashYourWorkflow {
    private static final Workflow<String, String> WELCOME = Workflow.named("welcome", String.class, String.class);

    private CrashYourWorkflow() {}

    /** Shows the mistake, then the same workflow without it. */
    public static void main(String[] arguments) {
        var outside = new Outside();
        var mistaken = WELCOME.implementedBy((job, who) -> job.step("mail", String.class, () -> {
            outside.happened("a mail to " + who);
            return "sent";
        }));
        var right = WELCOME.implementedBy((job, who) -> job.effect("mail", none(), who, String.class, (request, a) -> {
            outside.happened("a mail to " + request);
            return "sent";
        }));

        System.out.print(CrashEverywhere.of(mistaken)
                .watching(outside)
                .run(Key.of(1), "Anna")
                .table());
        System.out.print(CrashEverywhere.of(right)
                .watching(outside)
                .run(Key.of(1), "Anna")
                .eachEffectHappenedOnce()
                .table());
    }
}
