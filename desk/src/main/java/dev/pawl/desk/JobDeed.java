package dev.pawl.desk;

import dev.pawl.Pawl;
import dev.pawl.decision.Audit;
import dev.pawl.effect.Answer;
import dev.pawl.job.JobState;
import dev.pawl.job.Transition;
import dev.pawl.journal.Entry;
import dev.pawl.journal.JournalLine;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.look.ByHand;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Cancelling;
import dev.pawl.store.Delivering;
import dev.pawl.store.Duplicates;
import dev.pawl.store.Reopening;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a person does by hand to jobs, with a note. */
public sealed interface JobDeed {

    /** Why it cannot be done to a job as it was seen; null when it can. */
    @Nullable
    Applied objection(Pawl pawl, StoredJob job, Audit audit);

    /** Does it to one job. Returns what more there is to say of how it was done; empty when there is nothing. */
    String apply(Pawl pawl, StoredJob job, Audit audit) throws IOException;

    /** What it is called, in the past tense. */
    String done();

    /** Who goes on with a job as it stands now, and what to type where nobody does. */
    default String next(StoredJob now, GoingOn goingOn) throws IOException {
        return now.state().finished() ? "" : goingOn.with(now);
    }

    /** What a person should know, and be asked, before it is done to a job; null when there is nothing to ask. */
    default @Nullable String warning(Pawl pawl, StoredJob job) {
        return null;
    }

    /**
     * Makes sure that it can be done to all of {@code jobs} as they are seen now.
     *
     * @return what a person should know, and be asked, before
     * @throws IllegalArgumentException saying to which it cannot be done, and why
     */
    default List<String> prepare(Pawl pawl, List<Identity> jobs, Audit audit) {
        for (var identity : jobs) {
            JobLookup.requireNone(objection(pawl, pawl.find(identity).orElseThrow(), audit), jobs.size());
        }
        return jobs.stream()
                .map(identity -> warning(pawl, pawl.find(identity).orElseThrow()))
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** Does it to one job. Returns what comes next; empty when nothing does. */
    default String to(Pawl pawl, Identity identity, Audit audit, GoingOn goingOn) throws IOException {
        var said = apply(pawl, pawl.find(identity).orElseThrow(), audit);
        var next = next(pawl.find(identity).orElseThrow(), goingOn);
        return Stream.of(said, next)
                .filter(part -> !part.isEmpty())
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
    }

    /**
     * Tries a failed job again.
     *
     * @param now instead, lets one that waits to be tried again wait no longer
     */
    record Retry(boolean now) implements JobDeed {
        @Override
        public @Nullable Applied objection(Pawl pawl, StoredJob job, Audit audit) {
            return now
                    ? Delivering.objection(job, Message.hurry("now", false, audit))
                    : Reopening.objection(job, Transition.RETRY);
        }

        @Override
        public String apply(Pawl pawl, StoredJob job, Audit audit) {
            if (now) {
                pawl.hurry(job, false, audit);
            } else {
                pawl.retry(job, audit);
            }
            return "";
        }

        @Override
        public String done() {
            return now ? ByHand.HURRIED : ByHand.RETRIED;
        }
    }

    /** Does a finished job again from the start. */
    record Resubmit() implements JobDeed {
        @Override
        public @Nullable Applied objection(Pawl pawl, StoredJob job, Audit audit) {
            return Reopening.objection(job, Transition.RESUBMIT);
        }

        @Override
        public String apply(Pawl pawl, StoredJob job, Audit audit) {
            pawl.resubmit(job, audit);
            return "";
        }

        @Override
        public String done() {
            return ByHand.RESUBMITTED;
        }

        /** Each effect that has happened, and will again. */
        @Override
        public String warning(Pawl pawl, StoredJob job) {
            // Nothing is announced that cannot be.
            pawl.operator().requireResubmittable(job);
            var repeated = pawl.journal(job).stream()
                    .filter(line -> line.resubmission() == job.standing().resubmission())
                    .map(JournalLine::entry)
                    .filter(entry ->
                            entry instanceof Entry.Answered answered && answered.answer() instanceof Answer.Happened)
                    .map(entry -> entry.place().toString())
                    .distinct()
                    .toList();
            return job.identity() + " is done again from the start; "
                    + (repeated.isEmpty()
                            ? "no effect of it is known to have happened"
                            : "these effects have happened, and happen again: " + String.join(", ", repeated));
        }
    }

    /** Gives a failed job up, or says that an effect which happened twice was dealt with. */
    record Discard() implements JobDeed {
        @Override
        public @Nullable Applied objection(Pawl pawl, StoredJob job, Audit audit) {
            return Duplicates.left(pawl.journal(job)).isEmpty() ? Reopening.objection(job, Transition.DISCARD) : null;
        }

        @Override
        public String apply(Pawl pawl, StoredJob job, Audit audit) {
            pawl.discard(job, audit);
            return "";
        }

        @Override
        public String done() {
            return ByHand.DISCARDED;
        }

        @Override
        public String next(StoredJob now, GoingOn goingOn) throws IOException {
            return now.state() == JobState.READY
                    ? "it ends first what it began elsewhere" + goingOn.whereNobodyDoes(now)
                    : "";
        }
    }

    /**
     * Calls a job off, with those it called.
     *
     * @param kill where its commands keep what they write, to end those too that run on this machine; null to let them run
     */
    record Cancel(@Nullable List<Path> kill) implements JobDeed {
        @Override
        public @Nullable Applied objection(Pawl pawl, StoredJob job, Audit audit) {
            return Cancelling.objection(job);
        }

        @Override
        public String apply(Pawl pawl, StoredJob job, Audit audit) throws IOException {
            pawl.cancel(job, audit);
            return kill == null ? "" : new EndedCommands(pawl, Objects.requireNonNull(kill)).of(job);
        }

        @Override
        public String done() {
            return ByHand.CALLED_OFF;
        }

        @Override
        public String next(StoredJob now, GoingOn goingOn) throws IOException {
            return switch (now.state()) {
                case RUNNING, READY, WAITING ->
                    (now.standing().owes() > 0
                                    ? "it ends first what it began elsewhere"
                                    : "it ends at its next boundary")
                            + goingOn.whereNobodyDoes(now);
                case PAUSED -> "it ends when its question is answered, which \"pawl show\" shows";
                case DONE, FAILED, CANCELLED -> kill == null ? "" : "it has ended";
            };
        }
    }
}
