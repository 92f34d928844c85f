package dev.pawl;

import dev.pawl.decision.Question;
import dev.pawl.key.Identity;

/** The job waits for a person. Its message is the whole question. */
public final class JobPaused extends RuntimeException {

    private final Question question;

    JobPaused(Identity job, Question question, String store) {
        super(question.text(job, store));
        this.question = question;
    }

    /** What it asks. */
    public Question question() {
        return question;
    }
}
