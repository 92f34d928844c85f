package dev.pawl.failure;

import dev.pawl.decision.Question;

/** The job waits for a person. Its message is the whole question. */
public final class JobPaused extends RuntimeException {

    private final Question question;

    /** It asks {@code question}, in these words. */
    public JobPaused(String words, Question question) {
        super(words);
        this.question = question;
    }

    /** What it asks. */
    public Question question() {
        return question;
    }
}
