package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;

import dev.pawl.effect.Contract;
import dev.pawl.job.Job;
import dev.pawl.job.StepFailed;
import dev.pawl.job.Workflow;
import dev.pawl.retry.AccountTrouble;
import dev.pawl.retry.PermanentFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random workflows: what a job does is drawn from its own input, so that every process runs the same program for it. */
final class Programs {

    /** The workflow of every simulated job; its input is the seed of its program. */
    static final Workflow<Long, Integer> WORKFLOW = Workflow.named("program", Long.class, Integer.class);

    /** One line of a program. */
    enum Op {
        STEP,
        SLOW_STEP,
        FLAKY_STEP,
        HOPELESS_STEP,
        BROKE_STEP,
        NOTES,
        IDEMPOTENT,
        VERIFIABLE,
        BOTH,
        NEITHER,
        DRIFTING,
        REJECTED,
        ITEMS
    }

    private final SimProcess process;
    private final World world;
    private final Judge judge;

    Programs(SimProcess process, World world, Judge judge) {
        this.process = process;
        this.world = world;
        this.judge = judge;
    }

    static List<Op> drawn(long seed) {
        var random = new Random(seed);
        var ops = new ArrayList<Op>();
        for (var i = 1 + random.nextInt(5); i > 0; i--) {
            ops.add(Op.values()[random.nextInt(Op.values().length)]);
        }
        return ops;
    }

    int run(Job job, long seed) {
        var ops = drawn(seed);
        var done = 0;
        for (var i = 0; i < ops.size(); i++) {
            done += run(job, ops.get(i), ops.get(i).name().toLowerCase(java.util.Locale.ROOT) + "-" + i);
        }
        return done;
    }

    private int run(Job job, Op op, String name) {
        switch (op) {
            case STEP -> step(job, name, Duration.ofMillis(50), 0);
            case SLOW_STEP -> step(job, name, Duration.ofSeconds(40), 0);
            case FLAKY_STEP -> step(job, name, Duration.ofMillis(50), 3);
            case HOPELESS_STEP -> {
                try {
                    job.step(name, String.class, () -> {
                        throw new PermanentFailure("hopeless");
                    });
                } catch (StepFailed expected) {
                    judge.gaveUp(job, name);
                    effect(job, name + "-amends", idempotent(World.MEMORY), true, false, name);
                }
            }
            case BROKE_STEP ->
                job.step(name, String.class, () -> {
                    if (judge.executed(job, name) == 1) {
                        throw new AccountTrouble("no credit");
                    }
                    return "paid";
                });
            case NOTES ->
                judge.noted(job, name, job.now(name + "-now") + " " + job.uuid(name + "-id") + job.random(name + "-r"));
            case IDEMPOTENT -> effect(job, name, idempotent(World.MEMORY), true, false, name);
            case VERIFIABLE -> effect(job, name, verifiable(a -> world.lookUp(process, a.key())), false, false, name);
            case BOTH ->
                effect(
                        job,
                        name,
                        Contract.<String>idempotent(World.MEMORY).orVerifiable(a -> world.lookUp(process, a.key())),
                        true,
                        false,
                        name);
            case NEITHER -> effect(job, name, none(), false, false, name);
            case DRIFTING ->
                effect(
                        job,
                        name,
                        verifiable(a -> world.lookUp(process, a.key())),
                        false,
                        false,
                        name + judge.executed(job, name));
            case REJECTED -> {
                try {
                    effect(job, name, none(), false, true, name);
                } catch (StepFailed expected) {
                    judge.gaveUp(job, name);
                }
            }
            case ITEMS -> {
                for (var item : List.of("a", "b", "c")) {
                    job.step(named(name).item(item), String.class, () -> {
                        judge.runs(job, name + "@" + item);
                        return item;
                    });
                    judge.acknowledged(job, name + "@" + item, item);
                }
            }
        }
        return 1;
    }

    private void step(Job job, String name, Duration takes, int failures) {
        var result = job.step(name, String.class, () -> {
            judge.runs(job, name);
            process.pause(takes);
            if (judge.executed(job, name) <= failures) {
                throw new IllegalStateException("flaky");
            }
            return name + "-result";
        });
        judge.acknowledged(job, name, result);
    }

    private void effect(
            Job job, String name, Contract<String> contract, boolean deduplicates, boolean rejects, String request) {
        var result = job.effect(name, contract, request, String.class, (said, attempt) -> {
            judge.sends(job, name, attempt.key());
            return world.send(process, attempt, deduplicates, rejects);
        });
        judge.happened(job, name, result);
    }
}
