package dev.pawl.engine.local;

import dev.pawl.event.AttemptListener;
import dev.pawl.event.BegunAttempt;
import dev.pawl.event.EndedAttempt;
import dev.pawl.failure.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One attempt of which listeners hear; however it is left, they hear once how it ended. Confined to the thread that makes it. */
final class HeardAttempt implements AutoCloseable {
    private final CodeCalls calls;
    private final List<AttemptListener.AttemptEnd> ends = new ArrayList<>(0);
    private boolean told;

    private HeardAttempt(CodeCalls calls) {
        this.calls = calls;
    }

    /** An attempt begins, whose code is called by {@code calls}. */
    static HeardAttempt begin(List<AttemptListener> listeners, CodeCalls calls, Supplier<BegunAttempt> begins) {
        var heard = new HeardAttempt(calls);
        if (listeners.isEmpty()) {
            return heard;
        }
        calls.beginsAnother();
        var begun = begins.get();
        for (var listener : listeners) {
            // What a listener throws is not the engine's.
            UserCode.call(() -> heard.ends.add(listener.begins(begun)));
        }
        return heard;
    }

    void done() {
        tell(() -> new EndedAttempt(EndedAttempt.AttemptOutcome.DONE, null, calls.took(), calls.usedLast()));
    }

    /** It has failed; whether something may have happened is its class's word. */
    void failed(Failure failure) {
        var outcome = failure.kind().mayHaveHappened()
                ? EndedAttempt.AttemptOutcome.IN_DOUBT
                : EndedAttempt.AttemptOutcome.FAILED;
        tell(() -> new EndedAttempt(outcome, failure, calls.took(), calls.usedLast()));
    }

    /** Nobody has said how it ended: it was left. */
    @Override
    public void close() {
        tell(() -> new EndedAttempt(EndedAttempt.AttemptOutcome.LEFT, null, calls.took(), calls.usedLast()));
    }

    private void tell(Supplier<EndedAttempt> how) {
        if (!told && !ends.isEmpty()) {
            var ended = how.get();
            ends.reversed()
                    .forEach(end -> UserCode.call(() -> {
                        end.ended(ended);
                        return ended;
                    }));
        }
        told = true;
    }
}
