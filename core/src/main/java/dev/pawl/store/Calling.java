package dev.pawl.store;

import dev.pawl.job.Handling;
import dev.pawl.key.Identity;
import dev.pawl.look.StoredJob;

/** What one job that calls another comes to. Pure. */
public final class Calling {
    private Calling() {}

    /** What a child is submitted with: it acts for whom its caller acts for, and is as urgent, unless said. */
    public static StoredJob.Given inherited(StoredJob.Given ofChild, StoredJob.Given ofParent) {
        var own = ofChild.handling();
        var from = ofParent.handling();
        return new StoredJob.Given(
                ofChild.input(),
                new Handling(
                        own.queue(),
                        own.priority() == 0 ? from.priority() : own.priority(),
                        own.notBefore(),
                        own.lane(),
                        own.principal().isEmpty() ? from.principal() : own.principal(),
                        own.traceparent() == null ? from.traceparent() : own.traceparent(),
                        own.version()));
    }

    /** The sentence for a call that would wait for its own caller. */
    public static String circle(Identity parent, Identity child) {
        return "job " + parent + " cannot call " + child + ": that job waits for this one, and neither would ever end";
    }
}
