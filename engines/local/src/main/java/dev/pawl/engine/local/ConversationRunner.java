package dev.pawl.engine.local;

import dev.pawl.failure.PermanentFailure;
import dev.pawl.job.Conversation;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Turn;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A conversation of one scope: turns are places with the conversation's name and their own keys. */
final class ConversationRunner implements Conversation {
    private static final TypeToken<Turn> TURN = TypeToken.of(Turn.class);

    private final Scope scope;
    private final RunJournal journal;
    private final Named name;

    ConversationRunner(Scope scope, Named name) {
        this.scope = scope;
        this.journal = scope.context().journal();
        this.name = name;
    }

    @Override
    public Turn say(String key, String role, String content) {
        return say(key, new Turn(role, content));
    }

    @Override
    public Turn say(String key, Turn more) {
        var named = turn(Named.named(key));
        var place = scope.meet(named);
        var known = Scope.known(scope.recall(named, place));
        if (known != null) {
            return said(Replay.of(scope, place, known, TURN));
        }
        scope.beginsNew();
        refuseWithoutRecord(more);
        var said = RecordedResult.of(more, TURN).value();
        scope.ride(new Entry.Said(place, said));
        return said(said);
    }

    @Override
    public Turn reply(String key, String role, Job.Step<String> step) {
        return reply(Named.named(key), () -> new Turn(role, step.run()));
    }

    @Override
    public Turn reply(Named named, Job.Step<Turn> step) {
        return said(new StepRunner(scope)
                .run(
                        turn(named),
                        TURN,
                        attempt -> {
                            var replied = step.run();
                            refuseToRefer(replied);
                            return replied;
                        },
                        (place, kept) -> new Entry.Said(place, kept.value())));
    }

    @Override
    public List<Turn> turns() {
        return journal.turns(new Place(scope.name(), name.name(), ""));
    }

    /** A turn that a person said to go on without is null. */
    @SuppressWarnings("NullAway")
    private Turn said(@Nullable Turn turn) {
        return turn == null ? null : journal.said(turn);
    }

    /** What a step returns cannot refer to what the same step has made. */
    private static void refuseToRefer(Turn replied) {
        if (replied.record() != null) {
            throw new PermanentFailure(
                    "a reply says itself what was said; only what is added with say refers to a record");
        }
    }

    /** A turn that refers to what is not recorded would say nothing. */
    private void refuseWithoutRecord(Turn turn) {
        var record = turn.record();
        if (record != null && !journal.hasResult(record)) {
            throw new IllegalArgumentException("a turn of conversation " + name.name() + " refers to " + record
                    + ", where no result is recorded; say in words what has become of it");
        }
    }

    /** A turn is found by its key, which is an item of the conversation. */
    private Named turn(Named named) {
        if (!named.item().isEmpty() || !named.was().isEmpty()) {
            throw new IllegalArgumentException("a turn of conversation " + name.name()
                    + " is found by its key alone, which has no item and had no other name");
        }
        if (named.name().isEmpty()) {
            throw new IllegalArgumentException(
                    "a turn of conversation " + name.name() + " has no key; say what tells it from all others");
        }
        return new Named(
                name.name(),
                named.name(),
                named.was(),
                named.timeout(),
                named.attempts(),
                named.atOnce(),
                named.isDetached(),
                named.gate(),
                named.request());
    }
}
