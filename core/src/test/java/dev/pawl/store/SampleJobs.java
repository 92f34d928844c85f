package dev.pawl.store;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.look.StoredJob;
import dev.pawl.look.StoredJob.Outcome;
import java.time.Instant;

/** A job as the tables of judgements have it: its effect is asked about, and it was called off. */
final class SampleJobs {
    static final Instant NOW = Instant.parse("2026-04-12T02:00:00Z");
    static final Place PAY = new Place("", "pay", "");
    static final Audit ANNA = new Audit("anna", "looked");

    static StoredJob job(JobState state, Outcome outcome) {
        return new StoredJob(
                7,
                new Identity("w", Key.of("k")),
                new StoredJob.Given("1", Handling.usual()),
                new StoredJob.Standing(
                        state, 0, 3, 0, new StoredJob.Suspicion(true, 1), new StoredJob.Times(NOW, NOW, null), true, 0),
                outcome);
    }

    static Outcome asks(QuestionKind kind) {
        return new Outcome(null, null, new Question(5, kind, PAY, "because"));
    }

    private SampleJobs() {}
}
