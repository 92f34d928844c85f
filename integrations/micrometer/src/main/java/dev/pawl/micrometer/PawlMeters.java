package dev.pawl.micrometer;

import dev.pawl.OpenQuestions;
import dev.pawl.Pawl;
import dev.pawl.PawlOptions;
import dev.pawl.cost.Use;
import dev.pawl.event.AttemptListener;
import dev.pawl.event.BegunAttempt;
import dev.pawl.event.EndedAttempt;
import dev.pawl.event.GateWaits;
import dev.pawl.event.RunOfJob;
import dev.pawl.text.EnumWords;
import dev.pawl.time.Time;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Meters of what jobs do in this process. Nothing is counted when a record is only replayed, and no key of a job or an effect is ever a tag.
 *
 * <p>{@code var meters = PawlMeters.in(registry); var pawl = Pawl.open(address, meters.on(PawlOptions.usual())); meters.watch(pawl);}
 */
public final class PawlMeters implements AttemptListener {
    private static final double NANO = 1e-9;

    private final MeterRegistry registry;
    private final Time time;
    private final GateWaits gateWaits;
    private final Map<String, AtomicInteger> active = new ConcurrentHashMap<>();

    private PawlMeters(MeterRegistry registry, Time time) {
        this.registry = registry;
        this.time = time;
        this.gateWaits = new GateWaits(time);
    }

    /** Meters in {@code registry}. */
    public static PawlMeters in(MeterRegistry registry) {
        return new PawlMeters(registry, Time.system());
    }

    /** The same options, and what is done under them is measured. */
    public PawlOptions on(PawlOptions options) {
        return options.around(this);
    }

    /** Gauges of what the store of {@code pawl} has: how many jobs ask a person, and for how long. */
    public void watch(Pawl pawl) {
        var questions = new OpenQuestions(pawl);
        Gauge.builder("pawl.question.open", questions, OpenQuestions::many)
                .description("jobs that ask a person")
                .strongReference(true)
                .register(registry);
        TimeGauge.builder(
                        "pawl.question.oldest.age",
                        questions,
                        TimeUnit.MILLISECONDS,
                        seen -> seen.oldestAge().toMillis())
                .description("for how long the oldest question waits for a person")
                .strongReference(true)
                .register(registry);
    }

    @Override
    public RunEnd begins(RunOfJob run) {
        var workflow = run.job().workflow();
        var running = running(workflow);
        running.incrementAndGet();
        gateWaits
                .begins(run.job())
                .ifPresent(waited -> timer("pawl.gate.wait.duration", "how long jobs waited at gates")
                        .tag("workflow", workflow)
                        .register(registry)
                        .record(waited));
        return how -> {
            gateWaits.ended(run.job(), how);
            running.decrementAndGet();
            switch (how) {
                case DONE, FAILED, CALLED_OFF ->
                    timer("pawl.job.duration", "from a job's submission to its end")
                            .tag("workflow", workflow)
                            .tag("outcome", EnumWords.word(how))
                            .register(registry)
                            .record(Duration.between(run.submitted(), time.now()));
                case LEASE_LOST ->
                    Counter.builder("pawl.lease.lost")
                            .description("runs whose job was somebody else's before they ended")
                            .tag("workflow", workflow)
                            .register(registry)
                            .increment();
                default -> {}
            }
        };
    }

    private AtomicInteger running(String workflow) {
        return active.computeIfAbsent(workflow, name -> {
            var running = new AtomicInteger();
            Gauge.builder("pawl.job.active", running, AtomicInteger::get)
                    .description("jobs that run in this process")
                    .tag("workflow", name)
                    .strongReference(true)
                    .register(registry);
            return running;
        });
    }

    @Override
    public AttemptEnd begins(BegunAttempt attempt) {
        return ended -> {
            var contract = attempt.contract();
            var tags = Tags.of(
                    "workflow",
                    attempt.run().job().workflow(),
                    "step",
                    attempt.place().name(),
                    "outcome",
                    EnumWords.word(ended.outcome()));
            if (contract == null) {
                timer("pawl.step.duration", "attempts of steps")
                        .tags(tags)
                        .register(registry)
                        .record(ended.took());
            } else {
                timer("pawl.effect.attempt.duration", "attempts of effects")
                        .tags(tags.and("contract", contract.toString()))
                        .register(registry)
                        .record(ended.took());
            }
            used(attempt, ended);
        };
    }

    private void used(BegunAttempt attempt, EndedAttempt ended) {
        for (var use : ended.uses()) {
            var tags = Tags.of("workflow", attempt.run().job().workflow(), "model", use.model());
            var nanoUsd = use.nanoUsd();
            if (nanoUsd == null) {
                Counter.builder("pawl.cost.unknown")
                        .description("calls of which nobody knows what they cost")
                        .tags(tags)
                        .register(registry)
                        .increment();
            } else {
                Counter.builder("pawl.cost")
                        .description("what was spent")
                        .baseUnit("usd")
                        .tags(tags)
                        .register(registry)
                        .increment(nanoUsd * NANO);
            }
            if (!use.isUnreadable()) {
                tokens(use, "input", use.tokens().input());
                tokens(use, "output", use.tokens().output());
            }
        }
    }

    private void tokens(Use use, String type, long many) {
        DistributionSummary.builder("gen_ai.client.token.usage")
                .description("tokens of calls of models")
                .baseUnit("token")
                .tag("gen_ai.token.type", type)
                .tag("gen_ai.request.model", use.model())
                .register(registry)
                .record((double) many);
    }

    private static Timer.Builder timer(String name, String what) {
        return Timer.builder(name).description(what);
    }
}
