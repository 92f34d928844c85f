package dev.pawl.job;

import dev.pawl.text.EnumWords;
import java.util.List;

/** Where a job is in its life. */
public enum JobState {
    /** May be claimed, at its time. */
    READY,
    /** Has an owner. */
    RUNNING,
    /** Waits for something, with a time to look again. */
    WAITING,
    /** Waits for a person's answer to its question; what does not depend on the answer may go on at its time. */
    PAUSED,
    /** Finished, with a result. */
    DONE,
    /** Given up, kept with its whole history until someone deals with it. */
    FAILED,
    /** Called off. */
    CANCELLED;

    /** Their words. */
    public static final EnumWords<JobState> WORDS = EnumWords.of("state", List.of(values()));

    /** The state that {@code word} says, however it is written. */
    public static JobState parse(String word) {
        return WORDS.parseTyped(word);
    }

    /** As people read it. */
    public String word() {
        return EnumWords.word(this);
    }

    /** Whether nothing will happen to it any more unless a person asks. */
    public boolean finished() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }

    /** Whether a worker may claim it once it is due. */
    public boolean claimable() {
        return this == READY || this == WAITING || this == PAUSED;
    }
}
