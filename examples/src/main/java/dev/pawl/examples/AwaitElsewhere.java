package dev.pawl.examples;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.effect.Attempt;
import dev.pawl.effect.Contract;
import dev.pawl.failure.JobFailed;
import dev.pawl.job.Finding;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Something goes on elsewhere, a session of an agent, say: it is begun once, and looked at until it has ended; a webhook makes it look at once. Where the job is called off
 * it is ended there.
 */
public final class AwaitElsewhere {
    private static final Workflow<String, String> ARTICLE = Workflow.named("article", String.class, String.class);

    /** Stands for somebody else's service, which goes on by itself. */
    private static final class Sessions {
        private final Map<String, AtomicInteger> looks = new ConcurrentHashMap<>();

        String begin(String task, Attempt attempt) {
            looks.putIfAbsent(attempt.key(), new AtomicInteger(task.equals("everything") ? -1_000 : 0));
            return attempt.key();
        }

        void end(String session, Attempt attempt) {
            System.out.println("ended there");
        }

        String state(String session) {
            return looks.getOrDefault(session, new AtomicInteger()).incrementAndGet() < 2 ? "working" : "done";
        }
    }

    private final Sessions sessions = new Sessions();

    String write(Job job, String topic) {
        var begins = Contract.<String>idempotent().awaitedAs("session", sessions::end);
        var session = job.effect("begin", begins, topic, String.class, sessions::begin);
        return job.await(
                "session",
                String.class,
                Rhythm.every(ofSeconds(10), ofMinutes(15)).wokenBy("session-updated"),
                () -> switch (sessions.state(session)) {
                    case "done" -> Finding.done("an article about " + topic);
                    case "asks" -> Finding.needs("session " + session + " wants a yes; give it there");
                    case "failed" -> Finding.failed("the session ended without an article");
                    default -> Finding.going();
                });
    }

    /** Begins one session, is told by a webhook that it has gone on, and says what came of it; then another one, which is called off and ended there. */
    public static void main(String[] arguments) throws InterruptedException {
        var code = new AwaitElsewhere();
        try (var pawl = Pawl.openOrCreate(StoreFile.of(arguments))) {
            pawl.work(ARTICLE.implementedBy(code::write));
            var job = pawl.submit(ARTICLE, Key.of("fences"), "fences");
            while (code.sessions.looks.values().stream().noneMatch(looks -> looks.get() > 0)) {
                new Signal().await(Time.system(), 0, Duration.ofMillis(20));
            }
            System.out.println("it is looked at");
            pawl.signal(ARTICLE, job.identity().key(), "session-updated", "1", "delivery-7");
            System.out.println(job.join());

            var endless = pawl.submit(ARTICLE, Key.of("everything"), "everything");
            while (pawl.find(endless.identity()).orElseThrow().state() != JobState.WAITING) {
                endless.join(Duration.ofMillis(20));
            }
            pawl.cancel(pawl.find(endless.identity()).orElseThrow(), new Audit("anna", "nobody reads that"));
            try {
                endless.join();
            } catch (JobFailed calledOff) {
                System.out.println(calledOff.getMessage());
            }
        }
    }
}
