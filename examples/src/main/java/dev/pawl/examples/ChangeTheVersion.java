package dev.pawl.examples;

import static dev.pawl.effect.Contract.none;

import dev.pawl.Pawl;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.time.Time;
import java.time.Duration;

/** Old and new code side by side: a job goes on with the version of its code that made its first record. */
public final class ChangeTheVersion {

    static final Workflow<String, String> ORDER_V1 =
            Workflow.named("order", String.class, String.class).version("v1");
    static final Workflow<String, String> ORDER_V2 =
            Workflow.named("order", String.class, String.class).version("v2").runs("v1");

    private ChangeTheVersion() {}

    /** Yesterday's code charges and waits; today's bills, takes the old job over, and knows which it is. */
    public static void main(String[] arguments) throws InterruptedException {
        var file = StoreFile.of(arguments);
        try (var yesterday = Pawl.openOrCreate(file)) {
            yesterday.work(ORDER_V1.implementedBy((job, item) -> {
                job.effect("charge", none(), item, String.class, (request, a) -> say("charged for " + request));
                return job.awaitSignal("packed", String.class, Duration.ofDays(1))
                        .orElse("nobody packed it");
            }));
            yesterday.submit(ORDER_V1, Key.of("lamp"), "a lamp");
            while (yesterday.find(ORDER_V1, Key.of("lamp")).orElseThrow().state() != JobState.WAITING) {
                Time.system().await(Duration.ofMillis(10));
            }
        }
        try (var today = Pawl.openOrCreate(file)) {
            today.work(ORDER_V2.implementedBy((job, item) -> {
                var first = job.version().equals("v1") ? "charge" : "bill";
                job.effect(first, none(), item, String.class, (request, a) -> say("billed for " + request));
                return job.awaitSignal("packed", String.class, Duration.ofDays(1))
                        .orElse("nobody packed it");
            }));
            for (var item : new String[] {"lamp", "chair"}) {
                var order = today.submit(ORDER_V2, Key.of(item), "a " + item);
                today.signal(ORDER_V2, Key.of(item), "packed", item + " is on its way", "packed-" + item);
                System.out.println(order.join());
            }
        }
    }

    private static String say(String what) {
        System.out.println(what);
        return what;
    }
}
