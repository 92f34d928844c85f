package dev.pawl;

import dev.pawl.decision.Question;
import dev.pawl.store.StoredJob;

/** The job waits for a person. Its message is the whole question. */
public final class JobPaused extends RuntimeException {

    private final Question question;

    JobPaused(StoredJob job, Question question, String store) {
        super(
                job.standing().cancelling()
                        ? question.textOnceCalledOff(job.identity(), store)
                        : question.text(job.identity(), store));
        this.question = question;
    }

    /** What it asks. */
    public Question question() {
        return question;
    }
}
