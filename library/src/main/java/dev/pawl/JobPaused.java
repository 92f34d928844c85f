package dev.pawl;

import dev.pawl.decision.Question;
import dev.pawl.store.StoredJob;

/** The job waits for a person. Its message is the whole question. */
public final class JobPaused extends RuntimeException {

    private final Question question;

    JobPaused(StoredJob job, Question question, String store) {
        super(question.text(job.identity(), job.standing().cancelling(), store));
        this.question = question;
    }

    /** What it asks. */
    public Question question() {
        return question;
    }
}
