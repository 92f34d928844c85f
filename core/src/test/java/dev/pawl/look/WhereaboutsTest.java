package dev.pawl.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.job.Handling;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** How far a job has come, as its journal tells. */
class WhereaboutsTest {
    private static final Instant NOW = Instant.parse("2026-04-12T02:00:00Z");
    private static final Place PAY = new Place("", "pay", "");
    private static final Place NOTE = new Place("", "pawl.flow", "");
    private static final Place SHIP = new Place("", "ship", "");

    private final List<JournalLine> run = new ArrayList<>();

    private void add(Entry entry) {
        run.add(new JournalLine(run.size() + 1L, run.size() + 1L, 0, NOW, entry));
    }

    private Whereabouts of(JobState state) {
        return Whereabouts.of(
                new StoredJob(
                        7,
                        new Identity("w", Key.of("k")),
                        new StoredJob.Given("1", Handling.usual()),
                        new StoredJob.Standing(
                                state,
                                0,
                                1,
                                0,
                                StoredJob.Suspicion.NONE,
                                new StoredJob.Times(NOW, NOW, null),
                                false,
                                0),
                        StoredJob.Outcome.NONE),
                run);
    }

    @Test
    void what_happened_twice_is_what_a_finished_job_is_at() {
        add(new Entry.Noted(NOTE, "1"));
        add(new Entry.Intended(PAY, 1, "f", new Terms(null, false, Duration.ZERO), Duration.ZERO));
        assertThat(Objects.requireNonNull(of(JobState.RUNNING).at()).place()).isEqualTo(PAY);
        add(new Entry.Answered(PAY, 1, Answer.happened("1"), Answer.Source.WORKER));
        assertThat(of(JobState.RUNNING).at()).isNull();
        add(new Entry.StepDone(SHIP, "2"));
        assertThat(of(JobState.DONE).completed()).containsExactly(PAY, SHIP);
        assertThat(Objects.requireNonNull(of(JobState.DONE).at()).place()).isEqualTo(SHIP);
        add(new Entry.Duplicated(PAY, 2, null));
        assertThat(Objects.requireNonNull(of(JobState.DONE).at()).place()).isEqualTo(PAY);
    }
}
