package dev.pawl.engine.local;

import dev.pawl.cost.Use;
import dev.pawl.effect.Contract;
import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.Conversation;
import dev.pawl.job.Handling;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.job.Rhythm;
import dev.pawl.job.Workflow;
import dev.pawl.journal.Artifact;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Progress;
import dev.pawl.json.TypeToken;
import dev.pawl.json.Values;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Names;
import dev.pawl.key.Place;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/** The job as the code of its workflow sees it, in one scope: each call is given to whoever runs that kind of thing. */
final class JobInCode implements Job {
    private final Scope scope;
    private final RunContext context;

    JobInCode(Scope scope) {
        this.scope = scope;
        this.context = scope.context();
    }

    @Override
    public String principal() {
        return context.job().given().handling().principal();
    }

    @Override
    public Identity identity() {
        return context.identity();
    }

    @Override
    public int resubmission() {
        return context.job().standing().resubmission();
    }

    @Override
    public String version() {
        return context.journal().version();
    }

    @Override
    public <T> T step(Named named, TypeToken<T> result, Step<T> step) {
        return new StepRunner(scope).run(named, kept(result), attempt -> step.run());
    }

    @Override
    public <T> T step(Named named, TypeToken<T> result, Attempted<T> work) {
        return new StepRunner(scope).run(named, kept(result), work);
    }

    @Override
    public <R, T> T effect(Named named, Contract<T> contract, R request, TypeToken<T> result, Effect<R, T> act) {
        return new EffectRunner<>(scope, named, contract, kept(result)).run(request, act);
    }

    @Override
    public <R, T> T transaction(Named named, R request, TypeToken<T> result, Sql<R, T> sql) {
        return new TransactionRunner(scope).run(named, request, kept(result), sql);
    }

    /** A type of which nothing could be read again is refused before anything is done. */
    private static <T> TypeToken<T> kept(TypeToken<T> type) {
        try {
            Values.requireKept(type);
            return type;
        } catch (IllegalArgumentException notKept) {
            throw new PermanentFailure(String.valueOf(notKept.getMessage()), notKept);
        }
    }

    @Override
    public <I, T> List<T> map(
            Named named, Collection<? extends I> items, Function<? super I, String> itemKey, Each<I, T> each) {
        return new MapRunner<>(scope, named, each).run(items, itemKey);
    }

    @Override
    public <T> T scope(Named named, Scoped<T> scoped) {
        return new ScopeRunner(scope).run(named, scoped);
    }

    @Override
    public Place place(Named named) {
        return scope.placeOf(named);
    }

    @Override
    public void progress(Progress soFar) {
        scope.progress(soFar);
    }

    @Override
    public void sleep(Named named, Duration howLong) {
        new WaitRunner(scope).sleep(named, howLong);
    }

    @Override
    public <T> Optional<T> awaitSignal(Named named, TypeToken<T> type, Duration longest) {
        return new WaitRunner(scope).awaitSignal(named, kept(type), longest);
    }

    @Override
    public <T> T await(Named named, TypeToken<T> type, Rhythm rhythm, Look<T> looking) {
        return new AwaitRunner<>(scope, named, kept(type), rhythm).run(looking);
    }

    @Override
    public <R> void approve(Named named, R request, String question, Duration expires) {
        new ApprovalRunner(scope).approve(named, request, question, expires);
    }

    @Override
    public <I, O> O call(Named named, Workflow<I, O> workflow, Key key, I input, Handling handling) {
        kept(workflow.input());
        kept(workflow.output());
        return new CallRunner(scope).call(named, workflow, new Identity(workflow.name(), key), input, handling);
    }

    @Override
    public void use(Use use) {
        scope.calls().use(use);
    }

    @Override
    public void log(String text) {
        scope.calls().log(text);
    }

    @Override
    public Conversation conversation(String named) {
        scope.enter();
        return new ConversationRunner(scope, Named.named(Names.check("conversation", named)));
    }

    @Override
    public Artifact artifact(Named named, String mediaType, byte[] bytes) {
        return new ArtifactRunner(scope).keep(named, mediaType, bytes);
    }

    @Override
    public Artifact artifact(Named named, String mediaType, Path file) {
        return new ArtifactRunner(scope).keep(named, mediaType, file);
    }

    @Override
    public void sendRows(Named named, PartSending sending) {
        new RowsRunner(scope).send(named, sending);
    }

    @Override
    public void sealPart(Named named, PartSealing sealing) {
        new RowsRunner(scope).seal(named, sealing);
    }

    @Override
    public Instant now(String noted) {
        return noted(noted, Instant.class, () -> context.ports().time().now());
    }

    @Override
    public long random(String noted) {
        return noted(noted, Long.class, () -> context.ports().random().nextLong());
    }

    @Override
    public UUID uuid(String noted) {
        return noted(noted, UUID.class, () -> {
            var random = context.ports().random();
            return new UUID((random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() >>> 2) | (1L << 63));
        });
    }

    /** Draws a value once, and returns the same ever after. */
    private <T> T noted(String noted, Class<T> type, Supplier<T> draw) {
        var named = Named.named(noted);
        var place = scope.meet(named);
        var known = Scope.known(scope.recall(named, place));
        if (known != null) {
            return Replay.of(scope, place, known, TypeToken.of(type));
        }
        scope.beginsNew();
        var value = draw.get();
        scope.ride(new Entry.Noted(place, Values.write(value)));
        return value;
    }
}
