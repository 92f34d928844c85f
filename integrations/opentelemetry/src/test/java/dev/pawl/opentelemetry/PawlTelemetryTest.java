package dev.pawl.opentelemetry;

import static dev.pawl.job.Named.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.cost.Use;
import dev.pawl.effect.Contract;
import dev.pawl.event.Events;
import dev.pawl.job.Handling;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.key.Key;
import dev.pawl.retry.Retry;
import dev.pawl.store.DelegatingStore;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Time;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What jobs do, as spans and metrics. */
class PawlTelemetryTest {
    private static final Workflow<String, String> ORDER = Workflow.named("order", String.class, String.class);
    private static final Key KEY = Key.of("4711");
    private static final String SUBMITTER = "00f067aa0ba902b7";

    private final AtomicInteger calls = new AtomicInteger();
    private final List<String> seenInside = Collections.synchronizedList(new ArrayList<>());
    private final List<String> keys = Collections.synchronizedList(new ArrayList<>());

    /** One process's exporters. */
    private static final class Collector {
        private final InMemorySpanExporter spans = InMemorySpanExporter.create();
        private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
        private final OpenTelemetry sdk = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .setMeterProvider(
                        SdkMeterProvider.builder().registerMetricReader(metrics).build())
                .build();

        private List<SpanData> spans(String name) {
            return spans.getFinishedSpanItems().stream()
                    .filter(span -> span.getName().equals(name))
                    .toList();
        }
    }

    /** A store that outlives who works over it. */
    private static final class Lasting extends DelegatingStore {
        Lasting(Store store) {
            super(store);
        }

        @Override
        public void close() {}
    }

    private String code(Job job, String input) {
        job.step("fetch", String.class, () -> {
            job.use(Use.of("some-model").input(70).output(30).costing(2_000_000L));
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("not there");
            }
            return "page";
        });
        job.map(
                "each",
                List.of("a", "b"),
                item -> item,
                (scope, item) -> scope.step(named("part"), String.class, () -> {
                    seenInside.add(Span.current().getSpanContext().getTraceId());
                    return item;
                }));
        job.effect("post", Contract.idempotent(Duration.ofDays(1)), input, String.class, (request, attempt) -> {
            keys.add(attempt.key());
            return "posted";
        });
        return job.awaitSignal("paid", String.class, Duration.ofDays(1)).orElseThrow();
    }

    private static PawlOptions options(PawlTelemetry telemetry) {
        return telemetry.on(PawlOptions.usual().log(Events.NOWHERE));
    }

    private void work(Pawl pawl) {
        pawl.work(ORDER.implementedBy(this::code).retry(Retry.USUAL.backoff(Duration.ZERO, Duration.ZERO)));
    }

    private static void until(BooleanSupplier so) throws InterruptedException {
        while (!so.getAsBoolean()) {
            Time.system().await(Duration.ofMillis(5));
        }
    }

    private static boolean isDone(SpanData run) {
        return "done".equals(run.getAttributes().get(AttributeKey.stringKey("pawl.outcome")));
    }

    private static List<String> linked(SpanData span) {
        return span.getLinks().stream()
                .map(link -> link.getSpanContext().getSpanId())
                .toList();
    }

    @Test
    void runs_are_linked_across_processes_attempts_are_inside_and_replays_are_nothing() throws InterruptedException {
        var store = new Lasting(new MemoryStore(Time.system()));
        var yesterday = new Collector();
        try (var telemetry = PawlTelemetry.through(yesterday.sdk);
                var pawl = Pawl.over(store, options(telemetry))) {
            work(pawl);
            var traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-" + SUBMITTER + "-01";
            pawl.submit(ORDER, KEY, "lamp", Handling.usual().traceparent(traceparent));
            until(() -> pawl.find(ORDER, KEY).orElseThrow().state() == JobState.WAITING
                    && yesterday.spans("run order").size() == 2);
        }
        var runs = yesterday.spans("run order");
        var first = runs.getFirst();
        var second = runs.getLast();
        assertThat(first.getParentSpanContext().isValid()).isFalse();
        assertThat(linked(first)).containsExactly(SUBMITTER);
        assertThat(linked(second)).containsExactly(first.getSpanId(), SUBMITTER);
        var fetches = yesterday.spans("step fetch");
        assertThat(fetches)
                .extracting(SpanData::getParentSpanId)
                .containsExactly(first.getSpanId(), second.getSpanId());
        assertThat(fetches.getFirst().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(fetches.getFirst().getStatus().getDescription()).contains("not there");
        assertThat(yesterday.spans("step part"))
                .as("items of a fan-out are inside the run too, though on threads of their own")
                .extracting(SpanData::getParentSpanId)
                .containsExactly(second.getSpanId(), second.getSpanId());
        assertThat(seenInside).hasSize(2).containsOnly(second.getTraceId());
        assertThat(yesterday.spans("effect post")).singleElement().satisfies(post -> {
            assertThat(post.getAttributes().get(AttributeKey.stringKey("pawl.contract")))
                    .isEqualTo("idempotent");
            assertThat(post.getAttributes().toString()).doesNotContain(keys.getFirst());
        });

        var today = new Collector();
        try (var telemetry = PawlTelemetry.through(today.sdk);
                var pawl = Pawl.over(store, options(telemetry))) {
            work(pawl);
            pawl.signal(ORDER, KEY, "paid", "cash", "1");
            assertThat(pawl.submit(ORDER, KEY, "lamp").join()).isEqualTo("cash");
            until(() -> !today.spans("run order").isEmpty());
        }
        assertThat(today.spans("run order")).singleElement().satisfies(run -> {
            assertThat(linked(run)).containsExactly(second.getSpanId(), SUBMITTER);
            assertThat(run.getAttributes().get(AttributeKey.stringKey("pawl.outcome")))
                    .isEqualTo("done");
        });
        assertThat(today.spans.getFinishedSpanItems())
                .as("the rest was replayed")
                .hasSize(1);
    }

    @Test
    void metrics_have_names_that_stay_and_no_key_on_them() throws InterruptedException {
        var collector = new Collector();
        try (var telemetry = PawlTelemetry.through(collector.sdk);
                var pawl = Pawl.over(new MemoryStore(Time.system()), options(telemetry))) {
            work(pawl);
            telemetry.watch(pawl);
            pawl.submit(ORDER, KEY, "lamp");
            pawl.signal(ORDER, KEY, "paid", "cash", "1");
            pawl.submit(ORDER, KEY, "lamp").join();
            until(() -> collector.spans("run order").stream().anyMatch(PawlTelemetryTest::isDone));
            var metrics = collector.metrics.collectAllMetrics();
            assertThat(metrics)
                    .extracting(MetricData::getName)
                    .contains(
                            "pawl.job.duration",
                            "pawl.job.active",
                            "pawl.step.duration",
                            "pawl.effect.attempt.duration",
                            "pawl.question.open",
                            "pawl.question.oldest.age",
                            "pawl.cost",
                            "gen_ai.client.token.usage");
            assertThat(metrics.stream()
                            .flatMap(metric -> metric.getData().getPoints().stream())
                            .map(PointData::getAttributes)
                            .map(Object::toString))
                    .noneMatch(attributes -> attributes.contains("4711") || attributes.contains(keys.getFirst()));
            assertThat(metrics)
                    .filteredOn(metric -> metric.getName().equals("pawl.cost"))
                    .singleElement()
                    .satisfies(cost -> assertThat(cost.getDoubleSumData().getPoints())
                            .singleElement()
                            .satisfies(point -> assertThat(point.getValue()).isBetween(0.0039, 0.0041)));
        }
    }

    @Test
    void without_an_sdk_it_does_nothing_and_nothing_is_kept() throws InterruptedException {
        try (var telemetry = PawlTelemetry.through(OpenTelemetry.noop());
                var pawl = Pawl.over(new MemoryStore(Time.system()), options(telemetry))) {
            work(pawl);
            pawl.submit(ORDER, KEY, "lamp");
            pawl.signal(ORDER, KEY, "paid", "cash", "1");
            assertThat(pawl.submit(ORDER, KEY, "lamp").join()).isEqualTo("cash");
            assertThat(pawl.journal(ORDER, KEY).toString()).doesNotContain("TracedAs");
        }
    }
}
