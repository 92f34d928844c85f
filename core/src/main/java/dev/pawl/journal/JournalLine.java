package dev.pawl.journal;

import java.time.Instant;

/**
 * An entry as it stands in the journal.
 *
 * @param seq its place in the order of commits
 * @param change the id of the change that wrote it; unique in its job
 * @param resubmission which run of the job it belongs to
 * @param at the store's time
 * @param entry what was recorded
 */
public record JournalLine(long seq, long change, int resubmission, Instant at, Entry entry) {

    /** The fence of the owner that wrote it; 0 when it needed none. */
    public long fence() {
        return Changes.fenceOf(change);
    }

    /** Whether a run that replays the journal is given it: all but what attempts wrote and threw, which is for people. */
    public boolean isReplayed() {
        return !(entry instanceof Entry.Logged || entry instanceof Entry.Threw);
    }
}
