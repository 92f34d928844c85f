package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;

import dev.pawl.cost.Use;
import dev.pawl.effect.Contract;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.JobParked;
import dev.pawl.failure.LeaseLost;
import dev.pawl.failure.NotSent;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Job;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Progress;
import dev.pawl.journal.Turn;
import dev.pawl.json.TypeToken;
import dev.pawl.ledger.LedgerPart.PartSeal;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Random workflows: what a job does is in the plan, under its input, so that every process runs the same program for it. */
final class Programs {

    /** The workflow of every simulated job; its input is the number of its program. */
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
        CIRCLE,
        TIRED_STEP,
        RENAMED,
        ROWS,
        SCOPED,
        AGENT,
        AWAIT,
        SESSION;

        /** What a job does that others call: it calls nobody, so that only those wait in a circle that mean to. */
        static final Op[] OF_CHILDREN = Arrays.stream(values())
                .filter(op -> op != CALL && op != DETACHED && op != CIRCLE)
                .toArray(Op[]::new);
    }

    /** How long a workflow's own code takes between two calls. */
    static final Duration THINKING = Duration.ofSeconds(1);

    private final SimProcess process;
    private final World world;
    private final Judge judge;
    private final LedgerWatch ledger;
    private final Waits waits;
    private final Plan plan;

    Programs(SimProcess process, World world, Judge judge, LedgerWatch ledger, Plan plan) {
        this.ledger = ledger;
        this.plan = plan;
        this.process = process;
        this.world = world;
        this.judge = judge;
        this.waits = new Waits(process, world, judge, this);
    }

    int run(Job job, long number) {
        world.starts(job, process);
        try {
            var done = runAll(job, number);
            world.ends(job.identity());
            return done;
        } catch (JobParked | LeaseLost left) {
            world.leaves(job.identity());
            throw left;
        } finally {
            world.stops(job);
        }
    }

    private int runAll(Job job, long number) {
        if (Waits.isCalledBack(job.identity())) {
            waits.callBack(job, number);
            return 1;
        }
        var ops = plan.ops(number);
        for (var i = 0; i < ops.size(); i++) {
            world.begins(job.identity(), ops.get(i), process);
            world.mayCallOff(job.identity());
            run(job, number, ops.get(i), ops.get(i).name().toLowerCase(Locale.ROOT) + "-" + i);
        }
        return ops.size();
    }

    private void run(Job job, long number, Op op, String name) {
        switch (op) {
            case STEP -> step(job, "", name, Duration.ofSeconds(2), 0);
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
            case NOTES -> {
                var when = job.now(name + "-now");
                process.pauseQuietly(THINKING);
                judge.noted(job, name, when + " " + job.uuid(name + "-id") + job.random(name + "-r"));
            }
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
            case DRIFTING -> {
                // Where keys are deduplicated, another request under the same key would be taken for the earlier one.
                var deduplicates = job.identity().hashCode() % 2 == 0;
                Contract<String> contract =
                        deduplicates ? idempotent(World.MEMORY) : verifiable(a -> world.lookUp(process, a.key()));
                effect(job, name, contract, deduplicates, false, name + judge.executed(job, name));
            }
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
            case EXPIRING -> waits.approved(job, "", name, Waits.soon(job.identity()));
            case CALL -> waits.call(job, named(name), name, job.identity().hashCode());
            case DETACHED ->
                waits.call(job, named(name).detached(), name, job.identity().hashCode() + 1);
            case CIRCLE -> waits.circle(job, name, number);
            case WAITING_ITEMS -> waitingItems(job, name);
            case CHAT -> chat(job, name);
            case TIMED_OUT -> {
                var result = job.step(named(name).timeout(Duration.ofSeconds(2)), String.class, () -> {
                    runs(job, name);
                    process.pause(Duration.ofSeconds(judge.executed(job, name) == 1 ? 30 : 1));
                    return "in time";
                });
                judge.acknowledged(job, name, result);
            }
            case TIRED_STEP -> {
                try {
                    job.step(named(name).attempts(2), String.class, () -> {
                        runs(job, name);
                        throw new IllegalStateException("always");
                    });
                } catch (StepFailed expected) {
                    judge.gaveUp(job, name);
                }
            }
            case RENAMED -> {
                // Whoever started later runs code in which the effect has another name, and nobody said so.
                var today = process.isNewer() ? Judge.renamed(name) : name;
                effect(job, today, verifiable(a -> world.lookUp(process, a.key())), false, false, name);
            }
            case ROWS -> rows(job, name);
            case SCOPED -> scoped(job, name);
            case AGENT -> agent(job, name);
            case AWAIT -> waits.awaited(job, name);
            case SESSION -> waits.session(job, name);
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
                        runs(job, name + "@" + item);
                        process.pause(Duration.ofSeconds(1));
                        return item;
                    });
                    judge.acknowledged(job, name + "@" + item, item);
                }
            }
        }
    }

    /** A step's work runs. Who cannot know that it slept may do so once more; so it is said in the guarantees. */
    private void runs(Job job, String place) {
        if (!process.sleptUnawares()) {
            judge.runs(job, place);
        }
    }

    private void map(Job job, String name) {
        // Drawn outside and shown by every item: it must be the same on every resume.
        var request = name + job.uuid(name + "-drawn");
        job.map(named(name).atOnce(2), List.of("a", "b", "c"), item -> item, (each, item) -> {
            var scope = name + "@" + item + "/";
            step(each, scope, "prepare", Duration.ofMillis(50), item.equals("b") ? 2 : 0);
            switch (item) {
                case "a" -> effect(each, scope, "send", idempotent(World.MEMORY), true, false, request);
                case "b" -> effect(each, scope, "send", none(), false, false, request);
                default ->
                    effect(each, scope, "send", verifiable(a -> world.lookUp(process, a.key())), false, false, request);
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

    /** Rows are sent as they are seen, in two commits, and the part is sealed; what becomes of them others tell. */
    private void rows(Job job, String name) {
        var part = job.identity().hash().substring(0, 12) + "/" + job.resubmission() + "/" + name;
        for (var half : List.of(name, name + "-more")) {
            var refs = ledger.refs();
            var some = half.equals(name) ? refs.subList(0, 3) : refs.subList(2, refs.size());
            job.sendRows(
                    named(half),
                    new PartSending(
                            LedgerWatch.ROWS,
                            half.equals(name) ? part : part + "-more",
                            some,
                            Reconciler.MOST_ATTEMPTS));
            process.pauseQuietly(THINKING);
            world.mayCallOff(job.identity());
        }
        job.sealPart(
                named(name + "-seal"),
                new PartSealing(
                        LedgerWatch.ROWS, part, new PartSeal(ledger.sentIn(part).size(), "hash")));
    }

    private void chat(Job job, String name) {
        var chat = job.conversation(name);
        for (var turn = 1; turn <= 3; turn++) {
            var number = turn;
            chat.say("q" + turn, "user", name);
            var reply = chat.reply("a" + turn, "assistant", () -> {
                runs(job, name + "@a" + number);
                job.use(Use.of(name.hashCode() % 4 == 0 ? "mystery" : "large")
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

    /** One piece of code in two scopes, the second of which has one of its own; and how far it is. */
    private void scoped(Job job, String name) {
        for (var item : List.of("a", "b")) {
            job.progress(Progress.of(name + " " + item));
            job.scope(named(name).item(item), inner -> {
                var scope = name + "@" + item + "/";
                inner.progress(Progress.of("inside " + item));
                step(inner, scope, "prepare", Duration.ofSeconds(1), item.equals("b") ? 1 : 0);
                effect(inner, scope, "send", none(), false, false, name);
                return inner.scope("deep", deeper -> {
                    waits.sleep(deeper, scope + "deep/", "nap");
                    effect(deeper, scope + "deep/", "send", idempotent(World.MEMORY), true, false, name);
                    return item;
                });
            });
        }
    }

    /** A loop of a model and its tools: tool calls have another id whenever the model is asked again, and are recorded before any tool runs. */
    private void agent(Job job, String name) {
        var chat = job.conversation(name);
        for (var turn = 1; turn <= 2; turn++) {
            var number = turn;
            var reply = chat.reply(named("a" + turn).request(name).through("provider"), () -> {
                runs(job, name + "@a" + number);
                job.progress(Progress.done(number, 2));
                process.pause(Duration.ofSeconds(1));
                return Turn.of("assistant", "do")
                        .calling("id-" + judge.executed(job, name + "@a" + number), "send", "{}")
                        .calling("second", "look", "{}");
            });
            judge.acknowledged(job, name + "@a" + turn, reply.toString());
            for (var call : reply.toolCalls()) {
                var tool = name + "-" + number + "-" + call.tool();
                var result = "of a step";
                if (call.tool().equals("send")) {
                    result = effect(job, "", tool, verifiable(a -> world.lookUp(process, a.key())), false, false, name);
                } else {
                    step(job, "", tool, Duration.ofMillis(50), 0);
                }
                var told = Turn.of("tool", "a person said to go on without it").answering(call.id());
                var answer = chat.say(tool, result == null ? told : told.referringTo(job.place(tool)));
                judge.acknowledged(job, name + "@" + tool, answer.toString());
            }
        }
        if (chat.turns().size() != 6
                || chat.turns().stream().anyMatch(turn -> turn.content().isEmpty())) {
            judge.wrong(job, name, "has the turns " + chat.turns());
        }
    }

    private void step(Job job, String scope, String name, Duration takes, int failures) {
        var place = scope + name;
        var result = job.step(name, String.class, () -> {
            runs(job, place);
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

    @Nullable
    String effect(
            Job job,
            String scope,
            String name,
            Contract<String> contract,
            boolean deduplicates,
            boolean rejects,
            String request) {
        var place = scope + name;
        var result = job.effect(name, contract, request, String.class, (said, attempt) -> {
            judge.sends(job, place, attempt.key(), process.sleptUnawares());
            return world.send(process, attempt, deduplicates, rejects);
        });
        judge.happened(job, place, result);
        return result;
    }
}
