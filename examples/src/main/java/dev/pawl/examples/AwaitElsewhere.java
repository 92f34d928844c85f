package dev.pawl.examples;

import static dev.pawl.effect.Contract.idempotent;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.pawl.Pawl;
import dev.pawl.effect.Attempt;
import dev.pawl.job.Finding;
import dev.pawl.job.Job;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.time.Signal;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Something goes on elsewhere, a session of an agent, say: it is begun once, and looked at until it has ended; a webhook makes it look at once. */
public final class AwaitElsewhere {
    private static final Workflow<String, String> ARTICLE = Workflow.named("article", String.class, String.class);

    /** Stands for somebody else's service, which goes on by itself. */
    private static final class Sessions {
        private final Map<String, AtomicInteger> looks = new ConcurrentHashMap<>();

        String begin(String task, Attempt attempt) {
            looks.putIfAbsent(attempt.key(), new AtomicInteger());
            return attempt.key();
        }

        String state(String session) {
            return looks.getOrDefault(session, new AtomicInteger()).incrementAndGet() < 2 ? "working" : "done";
        }
    }

    private final Sessions sessions = new Sessions();

    String write(Job job, String topic) {
        var session = job.effect("begin", idempotent(), topic, String.class, sessions::begin);
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

    /** Begins one session, is told by a webhook that it has gone on, and says what came of it. */
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
        }
    }
}
