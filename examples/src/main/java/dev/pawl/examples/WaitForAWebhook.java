package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.time.Duration;

/** A job that waits for somebody outside. It leaves memory meanwhile, and a webhook that is sent twice counts once. */
public final class WaitForAWebhook {
    /** What the payment service tells us. */
    public record Payment(int cents) {}

    private static final Workflow<String, String> ORDER = Workflow.named("order", String.class, String.class);

    private WaitForAWebhook() {}

    static String order(Job job, String what) {
        var paid = job.awaitSignal("paid", Payment.class, Duration.ofDays(3));
        if (paid.isEmpty()) {
            return "nobody paid for the " + what;
        }
        job.sleep("let-it-settle", Duration.ofMillis(200));
        return "shipped the " + what + " for " + paid.get().cents() + " cents";
    }

    /** Orders a lamp and pays for it. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(ORDER.implementedBy(WaitForAWebhook::order));
            var job = pawl.submit(ORDER, Key.of("7"), "lamp");
            var stored = pawl.find(job.identity()).orElseThrow();

            // The webhook's own id is what tells it from every other; the service sends it twice, as they do.
            pawl.signal(stored, "paid", new Payment(4_900), "evt_1");
            pawl.signal(stored, "paid", new Payment(4_900), "evt_1");
            System.out.println(job.join());
        }
    }
}
