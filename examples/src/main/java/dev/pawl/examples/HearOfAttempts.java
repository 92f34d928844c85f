package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.event.AttemptListener;
import dev.pawl.event.BegunAttempt;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.retry.Retry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener hears of every attempt, how it ended and why; what is replayed it never hears of. */
public final class HearOfAttempts {
    private static final Workflow<String, String> PAGE = Workflow.named("page", String.class, String.class);

    private HearOfAttempts() {}

    static final class Timing implements AttemptListener {
        @Override
        public AttemptEnd begins(BegunAttempt attempt) {
            return ended -> System.out.println(attempt.place().name() + " " + attempt.number() + ": " + ended.outcome()
                    + (ended.why() == null ? "" : ", " + ended.why().message()));
        }
    }

    /** Writes a page whose first look-up fails. */
    public static void main(String[] arguments) throws InterruptedException {
        var looked = new AtomicInteger();
        try (var pawl =
                Pawl.openOrCreate(StoreFile.of(arguments), PawlOptions.usual().around(new Timing()))) {
            pawl.work(PAGE.implementedBy((job, title) -> {
                        var facts = job.step("look-up", String.class, () -> {
                            if (looked.incrementAndGet() == 1) {
                                throw new IllegalStateException("the service is down");
                            }
                            return "three facts";
                        });
                        return job.step("write", String.class, () -> title + ": " + facts);
                    })
                    .retry(Retry.USUAL.backoff(Duration.ofMillis(10), Duration.ofMillis(50))));
            System.out.println(pawl.submit(PAGE, Key.of("Fences"), "Fences").join());
        }
    }
}
