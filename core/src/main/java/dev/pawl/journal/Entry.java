package dev.pawl.journal;

import dev.pawl.cost.Use;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.failure.Failure;
import dev.pawl.failure.Thrown;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing that was recorded about a job. */
public sealed interface Entry {

    /** What it is about; {@link Place#WORKFLOW} when it is about the job as a whole. */
    Place place();

    /** A step, or a transaction, has a result. */
    record StepDone(Place place, String result) implements Entry {}

    /** A value that nobody outside has seen yet: a time, a random number. */
    record Noted(Place place, String value) implements Entry {}

    /** Attempt {@code number} of a step, or of the workflow's own body, failed. */
    record StepTried(Place place, int number, Failure failure, AttemptNotes notes) implements Entry {
        /** Nothing is noted for people. */
        public StepTried(Place place, int number, Failure failure) {
            this(place, number, failure, AttemptNotes.NONE);
        }
    }

    /** A step or an effect will not be tried again; the workflow was told so. */
    record GaveUp(Place place, Failure failure) implements Entry {}

    /**
     * An effect is about to act. From here on it may have happened.
     *
     * @param lasts how long it may send
     * @param outlives whether the act may go on after its worker is gone
     * @param notes what people want to know of it
     */
    record Intended(
            Place place,
            int number,
            String fingerprint,
            Terms terms,
            Duration lasts,
            boolean outlives,
            AttemptNotes notes)
            implements Entry {
        /** Nothing is noted for people. */
        public Intended(Place place, int number, String fingerprint, Terms terms, Duration lasts, boolean outlives) {
            this(place, number, fingerprint, terms, lasts, outlives, AttemptNotes.NONE);
        }

        /** An act that ends with its worker. */
        public Intended(Place place, int number, String fingerprint, Terms terms, Duration lasts) {
            this(place, number, fingerprint, terms, lasts, false);
        }
    }

    /** The act of an attempt that may outlive its worker is known to have ended, and nobody knows what came of it: nothing more is sent. */
    record ActEnded(Place place, int number) implements Entry {}

    /** What became of an attempt. */
    record Answered(Place place, int number, Answer answer, Answer.Source source) implements Entry {}

    /**
     * An attempt turned out to have happened beside another one, or after it was taken for not happened. A person must be told.
     *
     * @param result what it returned; null when it returned nothing, or nobody heard
     * @param unheard whether it only may have: it may have been sent after its time, and nobody heard what became of it
     */
    record Duplicated(Place place, int number, @Nullable String result, boolean unheard) implements Entry {
        /** An attempt that has happened. */
        public Duplicated(Place place, int number, @Nullable String result) {
            this(place, number, result, false);
        }

        /** What {@code answer} to an attempt tells a person. */
        public static Duplicated by(Answer answer, Place place, int number) {
            return answer instanceof Answer.Happened happened
                    ? new Duplicated(place, number, happened.result())
                    : new Duplicated(place, number, null, true);
        }
    }

    /** The destination was asked and said nothing useful. */
    record CouldNotTell(Place place, String why) implements Entry {}

    /** The destination was asked and wants to be asked again. */
    record ToldToAskAgain(Place place, Duration after) implements Entry {}

    /** The job asks a person; {@code request} is what the code asks for now, as people may see it, where the question is about that. */
    record Asked(Question question, @Nullable String request) implements Entry {
        /** It is about no request. */
        public Asked(Question question) {
            this(question, null);
        }

        @Override
        public Place place() {
            return question.place();
        }
    }

    /** A person answered. */
    record Decided(Question question, Decision decision) implements Entry {
        @Override
        public Place place() {
            return question.place();
        }
    }

    /** The owner under {@code fence} gave the job back; all its acts had ended. */
    record Released(long fence, String why, Duration after) implements Entry {
        @Override
        public Place place() {
            return Place.WORKFLOW;
        }
    }

    /**
     * The owner under {@code fence} was found gone.
     *
     * @param known true when its process is certainly dead; false when it only stopped beating
     * @param strikes how often this job was alone with a worker that died
     */
    record OwnerGone(long fence, boolean known, int strikes) implements Entry {
        @Override
        public Place place() {
            return Place.WORKFLOW;
        }
    }

    /**
     * What the owner under {@code fence} used, who was found gone, is in the journal: nothing of it is unknown any more.
     *
     * @param gone when it was found gone
     */
    record Accounted(long fence, Instant gone) implements Entry {
        @Override
        public Place place() {
            return Place.WORKFLOW;
        }
    }

    /** A person asked for a failed job to be tried again; {@code failed} is the place that failed it. */
    record Retried(Place place, Audit audit) implements Entry {}

    /** A person asked for a finished job to be done again from the start. */
    record Resubmitted(Audit audit, @Nullable String lastResult) implements Entry {
        @Override
        public Place place() {
            return Place.WORKFLOW;
        }
    }

    /** A wait begins: until its time is up, nothing is done here. */
    record Waits(Place place, Duration longest) implements Entry {}

    /** A wait is over because its time was up. */
    record TimeUp(Place place) implements Entry {}

    /** A message arrived. */
    record Delivered(Message message) implements Entry {
        @Override
        public Place place() {
            return Place.WORKFLOW;
        }
    }

    /** A wait is over because a message was there; {@code message} is the id of the change that delivered it. */
    record Received(Place place, long message) implements Entry {}

    /**
     * A person is asked whether an effect may act.
     *
     * @param fingerprint of the one request that is approved
     * @param expires how long after this the approval, or the chance to give it, ends
     */
    record ApprovalWanted(Place place, String fingerprint, Duration expires) implements Entry {}

    /** Another job was called, and is waited for. */
    record Called(Place place, Identity child) implements Entry {}

    /**
     * What an attempt used, whatever became of it, or a look-up that asked what became of one.
     *
     * @param number of the attempt; {@link #LOOK_UP} when it was a look-up
     * @param wall how long it took
     */
    record Used(Place place, int number, List<Use> uses, Duration wall) implements Entry {
        /** No attempt has this number: what a look-up used says nothing about what the attempt has used that it asks about. */
        public static final int LOOK_UP = 0;

        public Used {
            uses = List.copyOf(uses);
        }
    }

    /** What an attempt wrote, for people: a resume does not read it. Without a text it is what its result says ({@link Logs}). */
    record Logged(Place place, int number, String text) implements Entry {
        /** Of what is longer, the last so many characters are kept. */
        public static final int MOST_CHARS = 64 * 1024;

        public Logged {
            text = text.length() > MOST_CHARS ? text.substring(text.length() - MOST_CHARS) : text;
        }
    }

    /**
     * What the code of an attempt has thrown, for people: a resume does not read it. Kept of the first attempt of a place, and of the last.
     *
     * @param number of the attempt; {@link Used#LOOK_UP} when it was a look-up
     */
    record Threw(Place place, int number, Thrown thrown) implements Entry {}

    /** Somebody said something in a conversation; its place is the conversation's name with the turn's key. */
    record Said(Place place, Turn turn) implements Entry {}

    /** A signal was taken for a hint to look; {@code message} is the id of the change that delivered it. */
    record Heard(Place place, long message) implements Entry {}

    /** Nobody can look any more how something goes on elsewhere, and why; or, where {@code why} is null, somebody can again. */
    record LooksFail(Place place, @Nullable String why) implements Entry {}

    /** What a step, a transaction or a reply was asked for, as a fingerprint, where its code says; it stands before what came of it. */
    record Requested(Place place, String fingerprint) implements Entry {}

    /**
     * An effect is about to begin something that goes on elsewhere: its end is owed there until this is taken back, once for a run of the job.
     *
     * @param place the effect that begins it
     * @param awaited where its end is awaited
     */
    record Owes(Place place, Place awaited) implements Entry {}

    /** The job goes on with this version of its code; it stands before the first record of a run. */
    record RunsAs(Place place, String version) implements Entry {
        /** Of the whole job. */
        public RunsAs(String version) {
            this(Place.WORKFLOW, version);
        }
    }

    /** What this run is called in traces ({@code traceparent}), so that the next one can say what it follows. */
    record TracedAs(String traceparent) implements Entry {
        @Override
        public Place place() {
            return Place.WORKFLOW;
        }
    }

    /** What the effect at {@code place} has begun has ended, or never began. */
    record OwesNoMore(Place place) implements Entry {}

    /**
     * The job's code has said how far it has come.
     *
     * @param place the scope that said so; {@link Place#WORKFLOW} for the workflow's own
     * @param number how often it had said so there, so that a resume does not say it again; {@link #INSIDE} when a step or an effect said it
     * @param order how often its owner had said so anywhere: what was said last may be recorded first
     */
    record Progressed(Place place, int number, int order, Progress soFar) implements Entry {
        /** What is said inside a step or an effect is not said again, because these do not run again. */
        public static final int INSIDE = 0;
    }

    /** Something was kept beside the journal. */
    record ArtifactKept(Place place, Artifact artifact) implements Entry {}

    /** A person called the job off. */
    record CancelAsked(Audit audit) implements Entry {
        @Override
        public Place place() {
            return Place.WORKFLOW;
        }
    }

    /** A person dealt with a failed job by giving it up. */
    record Discarded(Audit audit) implements Entry {
        @Override
        public Place place() {
            return Place.WORKFLOW;
        }
    }
}
