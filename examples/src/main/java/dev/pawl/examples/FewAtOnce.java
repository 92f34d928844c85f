package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.job.Handling;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** One job at a time for each customer, whatever else runs; and the urgent one first. */
public final class FewAtOnce {
    private static final Workflow<Integer, String> INVOICE = Workflow.named("invoice", Integer.class, String.class);

    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final List<Integer> order = Collections.synchronizedList(new ArrayList<>());

    String invoice(Job job, int number) {
        return job.step("make", String.class, () -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            order.add(number);
            now.decrementAndGet();
            return "invoice " + number;
        });
    }

    /** Makes five invoices for one customer, the urgent one first. */
    public static void main(String[] arguments) throws InterruptedException {
        var code = new FewAtOnce();
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            var oneAtATime = Handling.usual().atMost(1, "customer-7");
            for (var number = 1; number <= 4; number++) {
                pawl.submit(INVOICE, Key.of(number), number, oneAtATime);
            }
            pawl.submit(INVOICE, Key.of(5), 5, oneAtATime.priority(10));

            pawl.work(INVOICE.implementedBy(code::invoice));
            for (var number = 1; number <= 5; number++) {
                pawl.submit(INVOICE, Key.of(number), number).join();
            }
            System.out.println("first " + code.order.getFirst() + ", at most " + code.most + " at once");
        }
    }
}
