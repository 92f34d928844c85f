package dev.pawl.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.cost.Prices;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** An agent that talks to a model, keeps what was said and what it made, and can say what it cost, nonsense included. */
public final class WhatItCost {
    private static final Workflow<String, Long> ESSAY = Workflow.named("essay", String.class, Long.class);

    private final AtomicInteger calls = new AtomicInteger();

    long write(Job job, String topic) {
        var chat = job.conversation();
        chat.say("task", "user", "Write about " + topic + ".");
        var draft = chat.reply("draft", "assistant", () -> {
            job.use("some-model", 1_200, 400, 800, 0);
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("the model answered with nonsense");
            }
            return "Fences keep late writers out.";
        });
        var page = job.artifact("page", "text/html", ("<p>" + draft.content() + "</p>").getBytes(UTF_8));
        return page.size();
    }

    /** Writes an essay in two attempts and says what both of them cost. */
    public static void main(String[] arguments) throws InterruptedException {
        var prices = Prices.parse("prices", List.of("some-model, 3.00, 15.00, 0.30"));
        var code = new WhatItCost();
        try (var pawl =
                Pawl.openOrCreate(StoreFile.of(arguments), PawlOptions.usual().prices(prices))) {
            pawl.work(ESSAY.implementedBy(code::write));
            var job = pawl.submit(ESSAY, Key.of("fences"), "fences");
            System.out.println(job.join() + " bytes");
            var stored = pawl.find(job.identity()).orElseThrow();
            pawl.costs(stored)
                    .attempts()
                    .forEach(one -> System.out.println(one.place() + ", attempt " + one.number() + ": " + one.cost()));
            System.out.println("in all " + pawl.cost(stored));
        }
    }
}
