package dev.pawl.engine.local;

import dev.pawl.job.Conversation;
import dev.pawl.job.Job;
import dev.pawl.job.Named;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Turn;
import dev.pawl.json.TypeToken;
import dev.pawl.key.Place;
import java.util.List;

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
        var named = turn(key);
        var place = scope.meet(named);
        var known = Scope.known(scope.recall(named, place));
        if (known != null) {
            return Replay.of(scope, place, known, TURN);
        }
        var said = RecordedResult.of(new Turn(role, content), TURN).value();
        scope.ride(new Entry.Said(place, said));
        return said;
    }

    @Override
    public Turn reply(String key, String role, Job.Step<String> step) {
        return new StepRunner(scope)
                .run(
                        turn(key),
                        TURN,
                        attempt -> new Turn(role, step.run()),
                        (place, kept) -> new Entry.Said(place, kept.value()));
    }

    @Override
    public List<Turn> turns() {
        return journal.turns(new Place(scope.name(), name.name(), ""));
    }

    private Named turn(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException(
                    "a turn of conversation " + name.name() + " has no key; say what tells it from all others");
        }
        return name.item(key);
    }
}
