package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;

import dev.pawl.cost.Use;
import dev.pawl.effect.Contract;
import dev.pawl.job.Job;
import dev.pawl.job.StepFailed;
import dev.pawl.job.Workflow;
import dev.pawl.json.TypeToken;
import dev.pawl.retry.AccountTrouble;
import dev.pawl.retry.NotSent;
import dev.pawl.retry.PermanentFailure;
import java.nio.charset.StandardCharsets;
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
        ITEMS,
        MAP,
        SLEEP,
        SIGNAL,
        TIME_OUT,
        APPROVE,
        CALL,
        CHAT,
        THROUGH,
        TIMED_OUT,
        DOOMED,
        WAITING_ITEMS,
        EXPIRING,
        DETACHED,
        CIRCLE
    }

    private final SimProcess process;
    private final World world;
    private final Judge judge;
    private final Waits waits;

    Programs(SimProcess process, World world, Judge judge) {
        this.process = process;
        this.world = world;
        this.judge = judge;
        this.waits = new Waits(process, world, judge, this);
    }

    /** Seeds from here on are children's. */
    static final long CHILD = Long.MAX_VALUE - 1_000;

    static List<Op> drawn(long seed) {
        var random = new Random(seed);
        var ops = new ArrayList<Op>();
        for (var i = 1 + random.nextInt(5); i > 0; i--) {
            var op = Op.values()[random.nextInt(Op.values().length)];
            ops.add(calls(op) && seed >= CHILD ? Op.STEP : op);
        }
        return ops;
    }

    private static boolean calls(Op op) {
        return op == Op.CALL || op == Op.DETACHED || op == Op.CIRCLE;
    }

    int run(Job job, long seed) {
        if (Waits.isCalledBack(job.identity())) {
            waits.callBack(job, seed);
            return 1;
        }
        var ops = drawn(seed);
        var done = 0;
        for (var i = 0; i < ops.size(); i++) {
            done += run(job, seed, ops.get(i), ops.get(i).name().toLowerCase(java.util.Locale.ROOT) + "-" + i);
        }
        return done;
    }

    private int run(Job job, long seed, Op op, String name) {
        switch (op) {
            case STEP -> step(job, "", name, Duration.ofMillis(50), 0);
            case SLOW_STEP -> step(job, "", name, Duration.ofSeconds(40), 0);
            case FLAKY_STEP -> step(job, "", name, Duration.ofMillis(50), 3);
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
            case MAP -> map(job, name);
            case SLEEP -> waits.sleep(job, "", name);
            case SIGNAL -> waits.signals(job, name);
            case TIME_OUT -> waits.timeOut(job, "", name);
            case APPROVE -> waits.approved(job, "", name, Duration.ofDays(3));
            case EXPIRING -> waits.approved(job, "", name, Waits.SOON);
            case CALL -> waits.call(job, named(name), name, job.identity().hashCode());
            case DETACHED ->
                waits.call(job, named(name).detached(), name, job.identity().hashCode() + 1);
            case CIRCLE -> waits.circle(job, name, seed);
            case WAITING_ITEMS -> waitingItems(job, name);
            case CHAT -> chat(job, name);
            case TIMED_OUT -> {
                var result = job.step(named(name).timeout(Duration.ofSeconds(2)), String.class, () -> {
                    judge.runs(job, name);
                    process.pause(Duration.ofSeconds(judge.executed(job, name) == 1 ? 30 : 1));
                    return "in time";
                });
                judge.acknowledged(job, name, result);
            }
            case DOOMED -> {
                if (judge.executed(job, name) == 1) {
                    throw new PermanentFailure("not this time");
                }
            }
            case THROUGH ->
                job.step(named(name).through("provider"), TypeToken.of(String.class), () -> {
                    if (judge.executed(job, name) == 1) {
                        throw new NotSent("429", Duration.ofSeconds(30), null);
                    }
                    judge.passes();
                    return "passed";
                });
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

    private void map(Job job, String name) {
        job.map(named(name).atOnce(2), List.of("a", "b", "c"), item -> item, (each, item) -> {
            var scope = name + "@" + item + "/";
            step(each, scope, "prepare", Duration.ofMillis(50), item.equals("b") ? 2 : 0);
            switch (item) {
                case "a" -> effect(each, scope, "send", idempotent(World.MEMORY), true, false, name);
                case "b" -> effect(each, scope, "send", none(), false, false, name);
                default ->
                    effect(each, scope, "send", verifiable(a -> world.lookUp(process, a.key())), false, false, name);
            }
            return item;
        });
    }

    /** Items that wait each for something else, and one that fans out again. */
    private void waitingItems(Job job, String name) {
        job.map(named(name).atOnce(2), List.of("nap", "late", "may", "deeper"), item -> item, (each, item) -> {
            var scope = name + "@" + item + "/";
            switch (item) {
                case "nap" -> waits.sleep(each, scope, "nap");
                case "late" -> waits.timeOut(each, scope, "late");
                case "may" -> waits.approved(each, scope, "approve", Duration.ofDays(3));
                default ->
                    each.map(named("in").atOnce(1), List.of("x", "y"), inner -> inner, (one, inner) -> {
                        var deep = scope + "in@" + inner + "/";
                        step(one, deep, "prepare", Duration.ofMillis(50), inner.equals("y") ? 1 : 0);
                        effect(one, deep, "send", idempotent(World.MEMORY), true, false, name);
                        return inner;
                    });
            }
            return item;
        });
    }

    private void chat(Job job, String name) {
        var chat = job.conversation(name);
        for (var turn = 1; turn <= 3; turn++) {
            var number = turn;
            chat.say("q" + turn, "user", name);
            var reply = chat.reply("a" + turn, "assistant", () -> {
                judge.runs(job, name + "@a" + number);
                job.use(Use.of(name.hashCode() % 4 == 0 ? "mystery" : "model")
                        .input(100)
                        .output(number));
                process.pause(Duration.ofMillis(100));
                if (judge.executed(job, name + "@a" + number) == 1 && number == 2) {
                    throw new IllegalStateException("nonsense");
                }
                return "reply to " + chat.turns().size() + " turns";
            });
            judge.acknowledged(job, name + "@a" + turn, reply.content());
        }
        job.artifact(name + "-log", "text/plain", name.getBytes(StandardCharsets.UTF_8));
        if (chat.turns().size() != 6) {
            judge.wrong(job, name, "has " + chat.turns().size() + " turns");
        }
    }

    private void step(Job job, String scope, String name, Duration takes, int failures) {
        var place = scope + name;
        var result = job.step(name, String.class, () -> {
            judge.runs(job, place);
            world.mayCallOff(job.identity());
            process.pause(takes);
            if (judge.executed(job, place) <= failures) {
                throw new IllegalStateException("flaky");
            }
            return name + "-result";
        });
        judge.acknowledged(job, place, result);
    }

    private void effect(
            Job job, String name, Contract<String> contract, boolean deduplicates, boolean rejects, String request) {
        effect(job, "", name, contract, deduplicates, rejects, request);
    }

    void effect(
            Job job,
            String scope,
            String name,
            Contract<String> contract,
            boolean deduplicates,
            boolean rejects,
            String request) {
        var place = scope + name;
        var result = job.effect(name, contract, request, String.class, (said, attempt) -> {
            judge.sends(job, place, attempt.key());
            return world.send(process, attempt, deduplicates, rejects);
        });
        judge.happened(job, place, result);
    }
}
