package dev.pawl.test;

import dev.pawl.engine.local.Rehearsal;
import dev.pawl.job.JobState;
import dev.pawl.job.Workflow;
import dev.pawl.journal.EntryText;
import dev.pawl.journal.JournalLine;
import dev.pawl.json.Json;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.look.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job with its journal: one JSON object per line, the job first.
 *
 * @param job as it stood
 * @param journal everything that was recorded
 */
public record ExportedJob(StoredJob job, List<JournalLine> journal) {
    private static final int FORMAT = 1;

    public ExportedJob {
        journal = List.copyOf(journal);
    }

    private record Head(
            int format,
            String workflow,
            String key,
            String input,
            int resubmission,
            JobState state,
            @Nullable String result) {}

    private record ExportedLine(
            long seq, long change, int resubmission, Instant at, int kind, String place, String body) {}

    /** As text, to be kept in a file beside the tests. */
    public String text() {
        var text = new StringBuilder();
        var head = new Head(
                FORMAT,
                job.identity().workflow(),
                job.identity().key().encoded(),
                job.input(),
                job.standing().resubmission(),
                job.state(),
                job.outcome().result());
        text.append(Json.write(head)).append('\n');
        for (var line : journal) {
            var entry = EntryText.of(line.entry());
            text.append(Json.write(new ExportedLine(
                            line.seq(),
                            line.change(),
                            line.resubmission(),
                            line.at(),
                            entry.entryCode().code(),
                            entry.place(),
                            entry.body())))
                    .append('\n');
        }
        return text.toString();
    }

    /**
     * The job that {@link #text()} wrote.
     *
     * @throws IllegalArgumentException when the text is none
     */
    public static ExportedJob parse(String text) {
        var lines = text.lines().toList();
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("an exported job begins with a line about the job");
        }
        var head = Objects.requireNonNull(Json.read(lines.getFirst(), Head.class));
        if (head.format() != FORMAT) {
            throw new IllegalArgumentException(
                    "an exported job of format " + head.format() + "; this version reads " + FORMAT);
        }
        var journal = new ArrayList<JournalLine>();
        for (var line : lines.subList(1, lines.size())) {
            var body = Objects.requireNonNull(Json.read(line, ExportedLine.class));
            var entry = new EntryText(EntryText.EntryCode.of(body.kind()), body.place(), body.body()).entry();
            journal.add(new JournalLine(body.seq(), body.change(), body.resubmission(), body.at(), entry));
        }
        var standing = new StoredJob.Standing(
                head.state(),
                head.resubmission(),
                Integer.MAX_VALUE,
                0,
                StoredJob.Suspicion.NONE,
                new StoredJob.Times(Instant.EPOCH, Instant.EPOCH, null),
                false,
                0);
        var job = new StoredJob(
                1,
                new Identity(head.workflow(), Key.decode(head.key())),
                new StoredJob.Given(head.input(), dev.pawl.job.Handling.usual()),
                standing,
                new StoredJob.Outcome(head.result(), null, null));
        return new ExportedJob(job, journal);
    }

    /**
     * Runs today's code over this journal and does nothing: no step runs, no effect acts. Says how far it came.
     *
     * @throws IllegalArgumentException when the code is of another workflow
     */
    public Replayed replay(Workflow.Implementation<?, ?> code) {
        if (!code.workflow().name().equals(job.identity().workflow())) {
            throw new IllegalArgumentException("job " + job.identity() + " is not of workflow "
                    + code.workflow().name());
        }
        return Replayed.of(Rehearsal.of(job, journal, code));
    }

    /** Fails unless today's code, run over this journal of a finished job, comes to the very result that was recorded. */
    public void assertStillFits(Workflow.Implementation<?, ?> code) {
        var replayed = replay(code);
        var result = job.outcome().result();
        if (replayed.how() != Replayed.ReplayEnd.FINISHED || (result != null && !result.equals(replayed.says()))) {
            throw new AssertionError("the code no longer fits job " + job.identity() + ": " + replayed
                    + (result == null ? "" : "; recorded was " + result));
        }
    }
}
