package dev.pawl.checks.simulation;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.none;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;

import dev.pawl.effect.Contract;
import dev.pawl.failure.StepFailed;
import dev.pawl.job.Finding;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.Rhythm;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The lines of a program that wait: for time, for signals, for a person, for other jobs. */
final class Waits {
    /** Longer than the operator takes to look, or shorter: of some jobs the yes comes in time, and may expire before it is used. */
    static Duration soon(Identity job) {
        return Duration.ofMinutes(job.hashCode() % 2 == 0 ? 4 : 8);
    }

    private static final String BACK = "back";

    private final SimProcess process;
    private final World world;
    private final Judge judge;
    private final Programs programs;

    Waits(SimProcess process, World world, Judge judge, Programs programs) {
        this.process = process;
        this.world = world;
        this.judge = judge;
        this.programs = programs;
    }

    void sleep(Job job, String scope, String name) {
        long root = Math.floorMod(job.identity().hashCode(), 25);
        var howLong = Duration.ofSeconds(1 + root * root);
        judge.beginsToWait(job, scope + name);
        job.sleep(name, howLong);
        judge.waited(job, scope + name, howLong);
    }

    void signals(Job job, String name) {
        world.expects(job.identity(), name);
        for (var n : List.of("1", "2")) {
            var got = job.awaitSignal(named(name).item(n), TypeToken.of(String.class), Duration.ofDays(30));
            judge.acknowledged(job, name + "@" + n, got.orElse("nothing"));
            if (!got.equals(Optional.of(n))) {
                judge.wrong(job, name + "@" + n, "received " + got);
            }
        }
    }

    /**
     * Waits for something that goes on elsewhere: it begins when it is first looked at, needs a person for a while, cannot be reached for a while, and ends. A hint may come
     * at any time.
     */
    void awaited(Job job, String name) {
        awaited(job, name, job.identity() + "/" + job.resubmission() + "/" + name);
    }

    /** Begins something that goes on elsewhere, and awaits it. Where nobody awaits it any more it is to be ended there. */
    void session(Job job, String name) {
        var begins = name + "-begins";
        var kind = Math.floorMod(job.identity().hashCode(), 3);
        Contract<String> contract = switch (kind) {
            case 0 -> idempotent(World.MEMORY);
            case 1 -> verifiable(a -> world.lookUp(process, a.key()));
            default -> none();
        };
        var session = programs.effect(
                job,
                "",
                begins,
                contract.awaitedAs(name, (begun, attempt) -> {
                    judge.sends(job, begins + "/end", attempt.key(), process.sleptUnawares());
                    world.send(process, attempt, true, false);
                }),
                kind == 0,
                false,
                name);
        world.mayCallOff(job.identity());
        awaited(job, name, session == null ? begins : session);
    }

    private void awaited(Job job, String name, String what) {
        var ends = Duration.ofSeconds(20 + Math.floorMod(job.identity().hashCode(), 400));
        world.expects(job.identity(), name);
        try {
            var result = job.await(
                    named(name),
                    String.class,
                    Rhythm.every(Duration.ofSeconds(10), Duration.ofMinutes(1)).wokenBy(name),
                    () -> {
                        process.pause(Duration.ofMillis(200));
                        var gone = world.goesOn(what);
                        if (gone.compareTo(ends) >= 0) {
                            world.over(what);
                            return Math.floorMod(job.identity().hashCode(), 7) == 0
                                    ? Finding.failed("it failed there")
                                    : Finding.done(name + " ended");
                        }
                        return switch ((int) gone.toSeconds() / 30 % 5) {
                            case 2 -> Finding.needs("somebody has to say yes there");
                            case 3 -> throw new IllegalStateException("503");
                            default -> Finding.going();
                        };
                    });
            judge.acknowledged(job, name, String.valueOf(result));
        } catch (StepFailed failed) {
            judge.gaveUp(job, name);
        }
    }

    void timeOut(Job job, String scope, String name) {
        var longest = Duration.ofMinutes(5);
        judge.beginsToWait(job, scope + name);
        if (job.awaitSignal(name, String.class, longest).isPresent()) {
            judge.wrong(job, scope + name, "received what nobody sent");
        }
        judge.waited(job, scope + name, longest);
    }

    void approved(Job job, String scope, String name, Duration expires) {
        try {
            job.approve(name, name, "may it?", expires);
            if (expires.equals(soon(job.identity()))) {
                // Long enough that a yes is worth nothing any more when the effect comes to act.
                job.step(name + "-dawdles", String.class, () -> {
                    process.pause(
                            Duration.ofMinutes(Math.floorMod(job.identity().hashCode(), 4)));
                    return "";
                });
            }
            programs.effect(job, scope, name, none(), false, false, name);
        } catch (StepFailed denied) {
            judge.gaveUp(job, scope + name);
        }
    }

    /** Two jobs that call the same child wait for the same end. */
    void call(Job job, Named called, String name, int which) {
        var number = Plan.child(which);
        var child = Key.of("child", -number);
        judge.calls(new Identity(Programs.WORKFLOW.name(), child), job.identity(), called.isDetached());
        try {
            var result = job.call(called, Programs.WORKFLOW, child, number);
            judge.acknowledged(job, name, String.valueOf(result));
        } catch (StepFailed calledOff) {
            judge.acknowledged(job, name, "child " + calledOff.failure().code());
        }
    }

    /** Calls itself, and a job that calls back: both would wait for ever. */
    void circle(Job job, String name, long number) {
        refused(job, name + "-self", job.identity(), number);
        process.pauseQuietly(Programs.THINKING);
        var child = Key.of(BACK, name, job.identity().key().toString());
        judge.calls(new Identity(Programs.WORKFLOW.name(), child), job.identity(), false);
        try {
            judge.acknowledged(job, name, String.valueOf(job.call(name, Programs.WORKFLOW, child, number)));
        } catch (StepFailed calledOff) {
            judge.acknowledged(job, name, "child " + calledOff.failure().code());
        }
    }

    static boolean isCalledBack(Identity job) {
        return job.key().toString().startsWith(BACK + "/");
    }

    void callBack(Job job, long number) {
        refused(job, "back", judge.callerOf(job.identity()), number);
    }

    private void refused(Job job, String name, Identity caller, long number) {
        try {
            job.call(name, Programs.WORKFLOW, caller.key(), number);
            judge.wrong(job, name, "waited for its own caller, and went on");
        } catch (StepFailed expected) {
            judge.gaveUp(job, name);
            judge.refused(job, name, expected.failure().code(), caller);
        }
    }
}
