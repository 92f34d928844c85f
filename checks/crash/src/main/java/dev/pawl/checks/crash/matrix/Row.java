package dev.pawl.checks.crash.matrix;

import static dev.pawl.effect.Contract.idempotent;
import static dev.pawl.effect.Contract.verifiable;
import static dev.pawl.job.Named.named;

import dev.pawl.effect.Contract;
import dev.pawl.failure.AccountTrouble;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.Finding;
import dev.pawl.job.Job;
import dev.pawl.job.JobState;
import dev.pawl.job.Rhythm;
import dev.pawl.journal.Turn;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Key;
import dev.pawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A kind of step, as a workflow of its own; a row of the matrix. What a person does for it is in {@link Person}. */
enum Row {
    PURE(JobState.DONE, List.of(), (job, w) -> {
        job.step("a", String.class, () -> "a");
        return job.step("b", String.class, () -> "b");
    }),
    IDEMPOTENT(
            JobState.DONE,
            List.of("send"),
            (job, w) -> w.send(job, "send", Contract.<String>idempotent().settle(Witness.SETTLE), "/once")),
    VERIFIABLE(
            JobState.DONE,
            List.of("send"),
            (job, w) -> w.send(job, "send", verifiable(w::arrived).settle(Witness.SETTLE), "/each")),
    BOTH(
            JobState.DONE,
            List.of("send"),
            (job, w) -> w.send(
                    job,
                    "send",
                    Contract.<String>idempotent().orVerifiable(w::arrived).settle(Witness.SETTLE),
                    "/once")),
    NONE(
            JobState.DONE,
            List.of("send"),
            (job, w) -> w.send(job, "send", Contract.<String>none().settle(Witness.SETTLE), "/each")),
    TRANSACTION(JobState.DONE, List.of(), (job, w) -> {
        job.transaction("book", 1, Integer.class, Witness::book);
        return job.step("b", String.class, () -> "b");
    }),
    MAP_ITEM(
            JobState.DONE,
            List.of("m@a/send", "m@b/send"),
            (job, w) -> job.map("m", List.of("a", "b"), item -> item, (each, item) -> {
                        each.step("think", String.class, () -> item);
                        return w.send(each, "send", idempotent(), "/once");
                    })
                    .toString()),
    SCOPE(JobState.DONE, List.of("s@a/send", "s@b/send"), (job, w) -> {
        job.progress("begun");
        return job.scope(named("s").item("a"), inner -> w.send(inner, "send", idempotent(), "/once"))
                + job.scope(
                        named("s").item("b"),
                        inner -> w.send(inner, "send", verifiable(w::arrived).settle(Witness.SETTLE), "/each"));
    }),
    TOOL_CALL(JobState.DONE, List.of("search"), (job, w) -> {
        var chat = job.conversation();
        chat.say("task", "user", "look");
        var reply = chat.reply(
                named("reply").request("look"),
                () -> Turn.of("assistant", "").calling(UUID.randomUUID().toString(), "search", "{}"));
        var found = w.send(job, "search", idempotent(), "/once");
        var call = reply.toolCalls().getFirst().id();
        chat.say("found", Turn.of("tool", "").answering(call).referringTo(job.place("search")));
        job.step("b", String.class, () -> "b");
        var said = chat.turns().getLast();
        if (!call.equals(said.answers()) || !said.content().equals(found)) {
            throw new PermanentFailure("the answer is to another call: " + chat.turns());
        }
        return found;
    }),
    AWAIT(JobState.DONE, List.of("send"), (job, w) -> {
        var began = job.now("began");
        var ended = job.await(
                "elsewhere",
                String.class,
                Rhythm.every(Duration.ofSeconds(1), Duration.ofSeconds(2)).wokenBy("go"),
                () -> Time.system().now().isAfter(began.plusMillis(1_500)) ? Finding.done("ended") : Finding.going());
        return ended + w.send(job, "send", idempotent(), "/once");
    }),
    /** What it began elsewhere is ended there when it is called off. */
    SESSION(JobState.CANCELLED, List.of("begin", "begin/end"), (job, w) -> {
        w.send(job, "begin", Contract.<String>idempotent().awaitedAs("session", w::end), "/once");
        return job.await(
                "session", String.class, Rhythm.every(Duration.ofHours(1), Duration.ofHours(1)), Finding::going);
    }),
    ROWS(JobState.DONE, List.of("send"), (job, w) -> {
        Rows.send(job);
        return w.send(job, "send", idempotent(), "/once");
    }),
    TIMER(JobState.DONE, List.of("send"), (job, w) -> {
        job.sleep("nap", Duration.ofMillis(200));
        return w.send(job, "send", idempotent(), "/once");
    }),
    SIGNAL(JobState.DONE, List.of("send"), (job, w) -> {
        var go = job.awaitSignal("go", String.class, Duration.ofHours(1));
        return go.orElseThrow() + w.send(job, "send", idempotent(), "/once");
    }),
    APPROVAL(JobState.DONE, List.of("send"), (job, w) -> {
        job.approve("send", "", "may it?", Duration.ofHours(1));
        return w.send(job, "send", Contract.<String>none().settle(Witness.SETTLE), "/each");
    }),
    CHILD(JobState.DONE, List.of(), (job, w) -> job.call("child", Actor.CHILD, Key.of("child"), "")),
    ARTIFACT(JobState.DONE, List.of("send"), (job, w) -> {
        job.artifact("page", "text/plain", "words".getBytes(StandardCharsets.UTF_8));
        return w.send(job, "send", idempotent(), "/once");
    }),
    GATE(
            JobState.DONE,
            List.of(),
            (job, w) -> job.step("pay", String.class, () -> {
                if (!w.isMended()) {
                    throw new AccountTrouble("no credit");
                }
                return "paid";
            })),
    RATE(JobState.DONE, List.of(), (job, w) -> {
        job.step(named("one").through("provider"), TypeToken.of(String.class), () -> "1");
        return job.step(named("two").through("provider"), TypeToken.of(String.class), () -> "2");
    }),
    CANCEL(JobState.CANCELLED, List.of(), (job, w) -> {
        job.sleep("long", Duration.ofHours(1));
        return w.send(job, "send", idempotent(), "/once");
    }),
    RETRY(JobState.DONE, List.of("send"), (job, w) -> {
        if (!w.isMended()) {
            throw new PermanentFailure("not yet");
        }
        return w.send(job, "send", idempotent(), "/once");
    }),
    RESUBMIT(JobState.DONE, List.of("send"), (job, w) -> w.send(job, "send", idempotent(), "/once")),
    DISCARD(JobState.CANCELLED, List.of(), (job, w) -> {
        throw new PermanentFailure("never");
    }),
    PRUNE(JobState.DONE, List.of("send"), (job, w) -> w.send(job, "send", idempotent(), "/once")),
    LIMIT(JobState.DONE, List.of("send"), (job, w) -> w.send(job, "send", idempotent(), "/once")),
    /** A destination that refuses a smaller fence than it has seen: for the one row about a freeze between check and send. */
    FENCED(
            JobState.DONE,
            List.of("send"),
            (job, w) -> w.send(job, "send", Contract.<String>none().settle(Witness.SETTLE), "/fenced"));

    /** What a row's job does. */
    interface Body {
        String run(Job job, Witness witness);
    }

    /** Rows in which a person is asked about an attempt in doubt: nothing else may go on without one. */
    static final Set<Row> WITHOUT_CONTRACT = Set.of(NONE, APPROVAL, FENCED);

    private final JobState end;
    private final List<String> effects;
    private final Body body;

    Row(JobState end, List<String> effects, Body body) {
        this.end = end;
        this.effects = effects;
        this.body = body;
    }

    /** How its job must end. */
    JobState end() {
        return end;
    }

    /** The places of the effects that must have happened, once each. */
    List<String> effects() {
        return effects;
    }

    String run(Job job, Witness witness) {
        return body.run(job, witness);
    }
}
