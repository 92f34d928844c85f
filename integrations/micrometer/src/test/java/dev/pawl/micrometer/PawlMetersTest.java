package dev.pawl.micrometer;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.effect.Contract;
import dev.pawl.event.Events;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What jobs do, as meters; and what their code finds in the MDC. */
class PawlMetersTest {
    private static final Workflow<String, String> ORDER = Workflow.named("order", String.class, String.class);
    private static final Key KEY = Key.of("4711");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final PawlMeters meters = PawlMeters.in(registry);
    private final AtomicInteger calls = new AtomicInteger();
    private final Map<String, Map<String, String>> mdc = new ConcurrentHashMap<>();

    private void note(String where) {
        var all = MDC.getCopyOfContextMap();
        mdc.put(where, all == null ? Map.of() : all);
    }

    private static void until(BooleanSupplier so) throws InterruptedException {
        while (!so.getAsBoolean()) {
            Time.system().await(Duration.ofMillis(5));
        }
    }

    private String code(Job job, String input) {
        note("workflow");
        job.step("fetch", String.class, () -> {
            note("step");
            job.use(Use.of("some-model").input(70).output(30).costing(2_000_000L));
            job.use(Use.of("other-model").input(1));
            if (calls.incrementAndGet() == 1) {
                throw new AccountTrouble("no credit");
            }
            return "page";
        });
        note("between");
        job.map("each", List.of("a"), item -> item, (scope, item) -> {
            note("item");
            return scope.step(named("part"), String.class, () -> {
                note("step of an item");
                return item;
            });
        });
        return job.effect("post", Contract.none(), input, String.class, (request, attempt) -> {
            throw new IllegalStateException("no answer");
        });
    }

    private boolean nothingRuns() {
        var active = registry.find("pawl.job.active").gauge();
        return active != null && active.value() == 0;
    }

    private long timed(String name, String... tags) {
        return registry.get(name).tags(tags).timer().count();
    }

    @Test
    void every_meter_has_its_name_and_no_key_is_a_tag() throws InterruptedException {
        var options = meters.on(PawlOptions.usual().log(Events.NOWHERE));
        try (var pawl = Pawl.over(new MemoryStore(Time.system()), options)) {
            pawl.work(ORDER.implementedBy(this::code));
            pawl.submit(ORDER, KEY, "lamp");
            until(() -> pawl.find(ORDER, KEY).orElseThrow().state() == JobState.WAITING && nothingRuns());
            pawl.openGate(pawl.closedGates().getFirst(), new Audit("anna", "paid"));
            until(() -> pawl.find(ORDER, KEY).orElseThrow().state() == JobState.PAUSED && nothingRuns());
            meters.watch(pawl);
            assertThat(timed("pawl.gate.wait.duration", "workflow", "order")).isEqualTo(1);
            assertThat(timed("pawl.step.duration", "step", "fetch", "outcome", "failed"))
                    .isEqualTo(1);
            assertThat(timed("pawl.step.duration", "step", "fetch", "outcome", "done"))
                    .isEqualTo(1);
            assertThat(timed("pawl.effect.attempt.duration", "contract", "none", "outcome", "in-doubt", "step", "post"))
                    .isEqualTo(1);
            assertThat(registry.get("pawl.cost")
                            .tag("model", "some-model")
                            .counter()
                            .count())
                    .isBetween(0.0039, 0.0041);
            assertThat(registry.get("pawl.cost.unknown")
                            .tag("model", "other-model")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("gen_ai.client.token.usage")
                            .tags("gen_ai.token.type", "output", "gen_ai.request.model", "some-model")
                            .summary()
                            .totalAmount())
                    .isEqualTo(60);
            assertThat(registry.get("pawl.question.open").gauge().value()).isEqualTo(1);
            assertThat(registry.get("pawl.question.oldest.age").timeGauge().value())
                    .isPositive();
            assertThat(registry.getMeters().stream()
                            .flatMap(meter -> meter.getId().getTags().stream())
                            .map(Tag::getValue))
                    .noneMatch(value -> value.contains("4711"));
        }
    }

    @Test
    void the_mdc_names_the_job_around_its_code_and_in_its_items() throws InterruptedException {
        calls.set(1);
        try (var pawl = Pawl.over(new MemoryStore(Time.system()), PawlOptions.usual())) {
            pawl.work(ORDER.implementedBy(this::code));
            pawl.submit(ORDER, KEY, "lamp");
            until(() -> pawl.find(ORDER, KEY).orElseThrow().state() == JobState.PAUSED);
        }
        var job = Map.of("pawl.job", "order/4711", "pawl.workflow", "order");
        assertThat(mdc.get("workflow")).isEqualTo(job);
        assertThat(mdc.get("between")).isEqualTo(job);
        assertThat(mdc.get("item")).isEqualTo(job);
        assertThat(mdc.get("step")).isEqualTo(in(job, "fetch"));
        assertThat(mdc.get("step of an item")).isEqualTo(in(job, "each@a/part"));
    }

    private static Map<String, String> in(Map<String, String> job, String step) {
        var all = new HashMap<>(job);
        all.put("pawl.step", step);
        all.put("pawl.attempt", "1");
        return all;
    }
}
