package dev.pawl.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Audit;
import dev.pawl.job.JobState;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.FollowUp;
import dev.pawl.store.document.DocumentRules;
import dev.pawl.store.document.Documents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Somebody else is faster between the reading of documents and their comparison: the change is made again from what is so by then. */
class ComparingTest {
    private static final Instant NOW = Instant.parse("2026-04-12T10:00:00Z");
    private static final Identity JOB = new Identity("w", Key.of("a"));

    private final MemoryDocuments documents = new MemoryDocuments(FollowUp.MOST_OTHERS);
    private final AtomicInteger refused = new AtomicInteger();
    private @Nullable Change faster;

    /** The same documents, where {@link #faster} is made first whenever something is applied. */
    private final Documents raced = (Documents) Proxy.newProxyInstance(
            Documents.class.getClassLoader(), new Class<?>[] {Documents.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("apply") && faster != null) {
                    make(documents, Objects.requireNonNull(faster));
                    faster = null;
                }
                try {
                    var answer = method.invoke(documents, arguments);
                    refused.addAndGet(
                            Boolean.FALSE.equals(answer) && method.getName().equals("apply") ? 1 : 0);
                    return answer;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    private static Applied make(Documents to, Change change) {
        return DocumentRules.make(to, change, NOW, new ArrayList<>());
    }

    private static Change.SubmitJob submission(String input) {
        return new Change.SubmitJob(JOB, input, null);
    }

    private Claimed claimed() {
        make(documents, new Change.Enlist(1, "a", Duration.ofSeconds(30), Taking.of("w")));
        make(documents, submission("1"));
        var job = Objects.requireNonNull(documents.find(JOB));
        return Objects.requireNonNull(DocumentRules.claim(documents, job.id(), 1, 1, NOW));
    }

    @Test
    void two_who_submit_the_same_make_one_job() {
        faster = submission("1");
        assertThat(make(raced, submission("1"))).isInstanceOf(Applied.Already.class);
        assertThat(refused).hasValue(1);
        assertThat(documents.all()).hasSize(1);
    }

    @Test
    void whoever_lost_its_job_between_reading_and_writing_has_written_nothing() {
        var job = claimed().job();
        var hold = new Change.Hold(job.id(), job.standing().fence());
        var step = new Entry.StepDone(new Place("", "s", ""), "1");
        faster = new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL);
        assertThat(make(raced, new Change.RecordStepIfOwned(hold, 77, List.of(step))))
                .isInstanceOf(Applied.LeaseLost.class);
        assertThat(refused).hasValue(1);
        assertThat(Objects.requireNonNull(documents.find(JOB)).journal())
                .noneMatch(line -> line.entry().equals(step));
        assertThat(Objects.requireNonNull(documents.find(JOB)).view().state()).isEqualTo(JobState.READY);
    }

    @Test
    void a_beat_that_came_first_keeps_a_worker_from_being_declared_dead() {
        claimed();
        faster = new Change.Beat(1, 1);
        assertThat(make(raced, new Change.TakeOver(1, 0, WorkerEnd.BEAT_STOOD_STILL)))
                .isInstanceOf(Applied.Conflict.class);
        assertThat(documents.ownedBy(1, 10)).hasSize(1);
    }

    @Test
    void what_was_claimed_by_somebody_else_is_not_given_away_again() {
        claimed();
        make(documents, new Change.Enlist(2, "b", Duration.ofSeconds(30), Taking.of("w")));
        var id = Objects.requireNonNull(documents.find(JOB)).id();
        make(documents, new Change.TakeOver(1, 0, WorkerEnd.PROCESS_GONE));
        faster = new Change.CancelJob(id, 99, new Audit("anna", "no"));
        assertThat(DocumentRules.claim(raced, id, 2, 2, NOW)).isNull();
        assertThat(Objects.requireNonNull(documents.find(JOB)).view().state()).isEqualTo(JobState.CANCELLED);
    }
}
