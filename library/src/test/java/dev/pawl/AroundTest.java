package dev.pawl;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.cost.Use;
import dev.pawl.decision.Decision;
import dev.pawl.effect.Contract;
import dev.pawl.engine.local.EngineOptions;
import dev.pawl.event.AttemptListener;
import dev.pawl.event.BegunAttempt;
import dev.pawl.event.EndedAttempt.AttemptOutcome;
import dev.pawl.event.EventKind;
import dev.pawl.event.Events;
import dev.pawl.event.RunOfJob;
import dev.pawl.failure.JobPaused;
import dev.pawl.job.Handling;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.retry.Retry;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who listens hears of every attempt, and of nothing that is only replayed. */
class AroundTest {
    private static final Workflow<String, String> W = Workflow.named("w", String.class, String.class);
    private static final String TRACED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    private final List<BegunAttempt> begun = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());

    private final AttemptListener listener = new AttemptListener() {
        @Override
        public AttemptEnd begins(BegunAttempt attempt) {
            begun.add(attempt);
            threads.add(Thread.currentThread());
            var name = attempt.place().name() + " " + attempt.number();
            heard.add(name);
            return ended -> {
                assertThat(Thread.currentThread()).isEqualTo(threads.getLast());
                heard.add(name + " " + ended.outcome()
                        + (ended.why() == null ? "" : " " + ended.why().message())
                        + ended.uses().stream().map(use -> " " + use.model()).toList());
            };
        }

        @Override
        public RunEnd begins(RunOfJob run) {
            heard.add("run " + run.job());
            return how -> heard.add("run " + how.word());
        }
    };

    private static final AttemptListener BROKEN = attempt -> {
        throw new IllegalStateException("a listener that does not work hinders nobody");
    };

    @Test
    void every_attempt_is_heard_with_how_it_ended_and_what_is_recorded_is_not() throws InterruptedException {
        var fetched = new AtomicInteger();
        var options = new PawlOptions(EngineOptions.usual("listens"), Events.NOWHERE)
                .around(BROKEN)
                .around(listener);
        try (var pawl = Pawl.over(new MemoryStore(Time.system()), options)) {
            pawl.work(W.implementedBy((job, input) -> {
                        var text = job.step("fetch", String.class, () -> {
                            job.use(Use.of("some-model").input(3));
                            if (fetched.incrementAndGet() == 1) {
                                throw new IllegalStateException("not there");
                            }
                            return input;
                        });
                        return job.effect("post", Contract.none(), text, String.class, (request, a) -> {
                            assertThat(a.traceparent()).isEqualTo(TRACED);
                            throw new IllegalStateException("no answer");
                        });
                    })
                    .retry(Retry.USUAL.backoff(Duration.ZERO, Duration.ZERO)));
            var job = pawl.submit(W, Key.of("a"), "x", Handling.usual().traceparent(TRACED));
            assertThatExceptionOfType(JobPaused.class).isThrownBy(job::join);
            // The end of a run is heard after its commit, and others may go on meanwhile.
            awaitHeard("run try-later", "run asks");
            assertThat(heard)
                    .filteredOn(one -> !one.startsWith("run "))
                    .containsExactly(
                            "fetch 1",
                            "fetch 1 FAILED IllegalStateException: not there[ some-model]",
                            "fetch 2",
                            "fetch 2 DONE[ some-model]",
                            "post 1",
                            "post 1 IN_DOUBT IllegalStateException: no answer[]");
            assertThat(heard)
                    .filteredOn(one -> one.startsWith("run "))
                    .containsExactlyInAnyOrder("run w/a", "run try-later", "run w/a", "run asks");
            heard.clear();
            pawl.decide(W, Key.of("a"), Decision.done("there").by("anna", "I see it"));
            assertThat(job.join()).isEqualTo("there");
            awaitHeard("run done");
            assertThat(heard).as("what is recorded is not heard again").containsExactly("run w/a", "run done");
            var post = begun.getLast();
            assertThat(post.key()).hasSize(32);
            assertThat(post.contract()).hasToString("none");
            assertThat(post.run().handling().traceparent()).isEqualTo(TRACED);
            assertThat(post.run().worker()).isEqualTo("listens");
            assertThat(begun.getFirst().key()).isNull();
        }
    }

    @Test
    void a_listener_that_takes_an_effects_time_does_not_let_it_act_too_late() throws InterruptedException {
        var longest = Duration.ofMillis(200);
        AttemptListener slow = attempt -> {
            if (attempt.number() == 1) {
                try {
                    var until = Time.system().nanos() + longest.multipliedBy(2).toNanos();
                    while (Time.system().nanos() < until) {
                        Time.system().await(longest);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return listener.begins(attempt);
        };
        var acted = Collections.synchronizedList(new ArrayList<Integer>());
        var options = new PawlOptions(EngineOptions.usual("listens"), Events.NOWHERE).around(slow);
        try (var pawl = Pawl.over(new MemoryStore(Time.system()), options)) {
            pawl.work(W.implementedBy((job, input) -> job.effect(
                            named("post").timeout(longest).attempts(100),
                            Contract.none(),
                            input,
                            String.class,
                            (request, a) -> {
                                acted.add(a.number());
                                return "posted";
                            }))
                    .retry(Retry.USUAL.backoff(Duration.ZERO, Duration.ZERO)));
            assertThat(pawl.submit(W, Key.of("a"), "x").join()).isEqualTo("posted");
        }
        // On a slow machine the next one may be late as well.
        assertThat(acted).hasSize(1).doesNotContain(1);
        assertThat(heard).contains("post 1 FAILED its deadline passed before it was sent[]");
    }

    private void awaitHeard(String... what) throws InterruptedException {
        while (!heard.containsAll(List.of(what))) {
            Time.system().await(Duration.ofMillis(5));
        }
    }

    @Test
    void listeners_of_events_are_added_to_the_log_and_hear_each_of_them() throws InterruptedException {
        var log = Collections.synchronizedList(new ArrayList<EventKind>());
        var also = Collections.synchronizedList(new ArrayList<EventKind>());
        var options = PawlOptions.usual()
                .log(event -> {
                    log.add(event.kind());
                    throw new IllegalStateException("a log that does not work keeps nothing from others");
                })
                .listening(event -> also.add(event.kind()));
        try (var pawl = Pawl.over(new MemoryStore(Time.system()), options)) {
            pawl.work(W.implementedBy((job, input) -> input));
            pawl.submit(W, Key.of("a"), "x").join();
        }
        assertThat(also).contains(EventKind.SUBMITTED, EventKind.CLAIMED, EventKind.DONE);
        assertThat(log)
                .as("two threads tell, so each listener has an order of its own")
                .containsExactlyInAnyOrderElementsOf(also);
    }

    @Test
    void nothing_but_what_tracing_writes_is_taken_for_it() {
        for (var wrong : List.of(
                "",
                "00-1-2-01",
                TRACED.toUpperCase(java.util.Locale.ROOT),
                TRACED + "\n",
                "ff" + TRACED.substring(2))) {
            assertThat(Handling.isTraceparent(wrong)).as(wrong).isFalse();
        }
        assertThat(Handling.isTraceparent(TRACED)).isTrue();
        assertThat(AttemptOutcome.values()).hasSize(4);
    }
}
