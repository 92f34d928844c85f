package dev.pawl.examples;

import static dev.pawl.effect.Contract.none;

import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.test.CrashEverywhere;
import dev.pawl.test.Crashable;
import dev.pawl.test.Outside;
import java.util.List;

/** Kill a workflow of your own at every commit it makes, and count what happened. The mistake here: a mail from a plain step. */
public final class CrashYourWorkflow {
    private static final Workflow<String, String> WELCOME = Workflow.named("welcome", String.class, String.class);

    private CrashYourWorkflow() {}

    /** The workflow without the mistake, for processes that are really killed. */
    static final class Welcome implements Crashable<String, String> {
        @Override
        public Workflow.Implementation<String, String> code(Outside outside) {
            return WELCOME.implementedBy((job, who) -> job.effect("mail", none(), who, String.class, (request, a) -> {
                outside.happened("a mail to " + request);
                return "sent";
            }));
        }
    }

    /** Shows the mistake, then the same workflow without it; with {@code --real} the latter with a JVM killed for each crash. */
    public static void main(String[] arguments) {
        if (List.of(arguments).contains("--real")) {
            System.out.print(CrashEverywhere.forReal(Welcome.class)
                    .run(Key.of(1), "Anna")
                    .eachEffectHappenedOnce()
                    .table());
            return;
        }
        var outside = new Outside();
        var mistaken = WELCOME.implementedBy((job, who) -> job.step("mail", String.class, () -> {
            outside.happened("a mail to " + who);
            return "sent";
        }));
        var right = new Welcome().code(outside);

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
