package dev.pawl.opentelemetry;

import dev.pawl.OpenQuestions;
import dev.pawl.cost.Use;
import dev.pawl.event.BegunAttempt;
import dev.pawl.event.EndedAttempt;
import dev.pawl.event.EventKind;
import dev.pawl.event.GateWaits;
import dev.pawl.event.RunOfJob;
import dev.pawl.text.EnumWords;
import dev.pawl.time.Time;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleCounter;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleGauge;
import io.opentelemetry.api.metrics.ObservableLongGauge;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What is counted and measured. Thread-safe. */
final class Instruments implements AutoCloseable {
    private static final AttributeKey<String> WORKFLOW = AttributeKey.stringKey("workflow");
    private static final AttributeKey<String> STEP = AttributeKey.stringKey("step");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outcome");
    private static final AttributeKey<String> CONTRACT = AttributeKey.stringKey("contract");
    private static final AttributeKey<String> MODEL = AttributeKey.stringKey("model");
    private static final AttributeKey<String> TOKEN_TYPE = AttributeKey.stringKey("gen_ai.token.type");
    private static final AttributeKey<String> REQUEST_MODEL = AttributeKey.stringKey("gen_ai.request.model");
    private static final double NANO = 1e-9;

    private final Time time;
    private final GateWaits gateWaits;
    private final LongUpDownCounter active;
    private final DoubleHistogram jobs;
    private final DoubleHistogram steps;
    private final DoubleHistogram effects;
    private final DoubleHistogram waits;
    private final LongCounter leasesLost;
    private final DoubleCounter cost;
    private final LongCounter unknownCost;
    private final LongHistogram tokens;
    private final Queue<ObservableLongGauge> longs = new ConcurrentLinkedQueue<>();
    private final Queue<ObservableDoubleGauge> doubles = new ConcurrentLinkedQueue<>();

    Instruments(Meter meter, Time time) {
        this.time = time;
        this.gateWaits = new GateWaits(time);
        this.active = meter.upDownCounterBuilder("pawl.job.active")
                .setDescription("jobs that run in this process")
                .build();
        this.jobs = seconds(meter, "pawl.job.duration", "from a job's submission to its end");
        this.steps = seconds(meter, "pawl.step.duration", "attempts of steps");
        this.effects = seconds(meter, "pawl.effect.attempt.duration", "attempts of effects");
        this.waits = seconds(meter, "pawl.gate.wait.duration", "how long jobs waited at gates");
        this.leasesLost = meter.counterBuilder("pawl.lease.lost")
                .setDescription("runs whose job was somebody else's before they ended")
                .build();
        this.cost = meter.counterBuilder("pawl.cost")
                .ofDoubles()
                .setUnit("usd")
                .setDescription("what was spent")
                .build();
        this.unknownCost = meter.counterBuilder("pawl.cost.unknown")
                .setDescription("calls of which nobody knows what they cost")
                .build();
        this.tokens = meter.histogramBuilder("gen_ai.client.token.usage")
                .ofLongs()
                .setUnit("{token}")
                .setDescription("tokens of calls of models")
                .build();
    }

    private static DoubleHistogram seconds(Meter meter, String name, String what) {
        return meter.histogramBuilder(name).setUnit("s").setDescription(what).build();
    }

    private static double seconds(Duration time) {
        return time.toNanos() * NANO;
    }

    void watch(Meter meter, OpenQuestions questions) {
        longs.add(meter.gaugeBuilder("pawl.question.open")
                .ofLongs()
                .setDescription("jobs that ask a person")
                .buildWithCallback(gauge -> gauge.record(questions.many())));
        doubles.add(meter.gaugeBuilder("pawl.question.oldest.age")
                .setUnit("s")
                .setDescription("for how long the oldest question waits for a person")
                .buildWithCallback(gauge -> gauge.record(seconds(questions.oldestAge()))));
    }

    void begins(RunOfJob run) {
        var attributes = Attributes.of(WORKFLOW, run.job().workflow());
        active.add(1, attributes);
        gateWaits.begins(run.job()).ifPresent(waited -> waits.record(seconds(waited), attributes));
    }

    void ended(RunOfJob run, EventKind how) {
        var attributes = Attributes.of(WORKFLOW, run.job().workflow());
        active.add(-1, attributes);
        gateWaits.ended(run.job(), how);
        switch (how) {
            case DONE, FAILED, CALLED_OFF ->
                jobs.record(
                        seconds(Duration.between(run.submitted(), time.now())),
                        attributes.toBuilder().put(OUTCOME, EnumWords.word(how)).build());
            case LEASE_LOST -> leasesLost.add(1, attributes);
            default -> {}
        }
    }

    void ended(BegunAttempt attempt, EndedAttempt ended) {
        var contract = attempt.contract();
        var attributes = Attributes.builder()
                .put(WORKFLOW, attempt.run().job().workflow())
                .put(STEP, attempt.place().name())
                .put(OUTCOME, EnumWords.word(ended.outcome()));
        if (contract == null) {
            steps.record(seconds(ended.took()), attributes.build());
        } else {
            effects.record(
                    seconds(ended.took()),
                    attributes.put(CONTRACT, contract.toString()).build());
        }
        ended.uses().forEach(use -> used(attempt, use));
    }

    private void used(BegunAttempt attempt, Use use) {
        var attributes = Attributes.of(WORKFLOW, attempt.run().job().workflow(), MODEL, use.model());
        var nanoUsd = use.nanoUsd();
        if (nanoUsd == null) {
            unknownCost.add(1, attributes);
        } else {
            cost.add(nanoUsd * NANO, attributes);
        }
        if (!use.isUnreadable()) {
            tokens.record(use.tokens().input(), Attributes.of(TOKEN_TYPE, "input", REQUEST_MODEL, use.model()));
            tokens.record(use.tokens().output(), Attributes.of(TOKEN_TYPE, "output", REQUEST_MODEL, use.model()));
        }
    }

    @Override
    public void close() {
        longs.forEach(ObservableLongGauge::close);
        doubles.forEach(ObservableDoubleGauge::close);
    }
}
