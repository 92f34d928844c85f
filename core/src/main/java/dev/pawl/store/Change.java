package dev.pawl.store;

import dev.pawl.cost.Prices;
import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.effect.Answer;
import dev.pawl.failure.FailedAt;
import dev.pawl.gate.Gate;
import dev.pawl.gate.Rate;
import dev.pawl.job.Handling;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.Entry;
import dev.pawl.journal.Message;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerEnd;
import dev.pawl.ledger.NewRow;
import dev.pawl.ledger.PartSealing;
import dev.pawl.ledger.PartSending;
import dev.pawl.ledger.RowAnswer;
import dev.pawl.ledger.RowRef;
import dev.pawl.ledger.RowWord;
import dev.pawl.look.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing a store is asked to do. Each can be told from every other, so asking twice does it once. */
public sealed interface Change {

    /** The job it is about; 0 when it is about none, or about one that has no number yet. */
    long job();

    /**
     * The right to write to a job.
     *
     * @param job the job's number
     * @param fence the fence it was claimed under
     */
    record Hold(long job, long fence) {}

    /** A change that only a job's owner may make: under an old fence it changes nothing. */
    sealed interface Owned extends Change {
        /** Under which right. */
        Hold hold();

        /** The id of the first entry; the others follow. */
        long id();

        /** What is appended to the journal, with whatever rode along. */
        List<Entry> entries();

        @Override
        default long job() {
            return hold().job();
        }
    }

    /** Appends records: a step's result, a failed attempt, a look-up that told nothing. */
    record RecordStepIfOwned(Hold hold, long id, List<Entry> entries) implements Owned {
        public RecordStepIfOwned {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Commits the intent to act. The last entry is the {@link Entry.Intended}; from here on it may have happened.
     *
     * @param goodUntil when the yes expires that it stands on, by the store's clock, after which it is refused; null when it needs none
     * @param paysDebt whether it ends what goes on elsewhere, or finds out what to end: a job that was called off does that still
     */
    record IntendEffectIfOwned(
            Hold hold,
            long id,
            List<Entry> entries,
            @Nullable Instant goodUntil,
            boolean paysDebt) implements Owned {
        public IntendEffectIfOwned {
            entries = List.copyOf(entries);
        }

        /** One that begins something. */
        public IntendEffectIfOwned(Hold hold, long id, List<Entry> entries, @Nullable Instant goodUntil) {
            this(hold, id, entries, goodUntil, false);
        }

        /** Whether the yes that it stands on has expired. */
        public boolean tooLate(Instant now) {
            return goodUntil != null && !now.isBefore(goodUntil);
        }

        /** The intent itself. */
        public Entry.Intended intent() {
            return (Entry.Intended) entries.getLast();
        }
    }

    /**
     * Gives the job up for now: to be looked at again after a while. The last entry says why, unless that was said before and nothing has been recorded since.
     *
     * @param after how long it is left alone
     */
    record ReleaseJob(Hold hold, long id, List<Entry> entries, Until until, Duration after) implements Owned {
        public ReleaseJob {
            entries = List.copyOf(entries);
        }

        /** One whose last entry says why, and for how long. */
        public ReleaseJob(Hold hold, long id, List<Entry> entries, Until until) {
            this(hold, id, entries, until, ((Entry.Released) entries.getLast()).after());
        }

        /** What it waits for. */
        public enum Until {
            /** An attempt failed: READY after the backoff. */
            TRY_LATER,
            /** The worker stops: READY at once. */
            HAND_BACK,
            /** It is too early: WAITING. */
            WAIT
        }
    }

    /**
     * Calls another job and waits for its end. The last entry is the {@link Entry.Called}. Refused when the child waits for this very job.
     *
     * @param call what is called
     */
    record CallIfOwned(Hold hold, long id, List<Entry> entries, CalledJob call) implements Owned {
        public CallIfOwned {
            entries = List.copyOf(entries);
        }

        /** The call as it is recorded. */
        public Entry.Called called() {
            return (Entry.Called) entries.getLast();
        }
    }

    /**
     * A job that another one calls.
     *
     * @param child which
     * @param given what it is submitted with, if it is not there yet
     * @param detached whether it goes on although its caller is called off
     */
    record CalledJob(Identity child, StoredJob.Given given, boolean detached) {}

    /**
     * Waits at a gate, closing it if it is open.
     *
     * @param wish which gate, and why it closes
     * @param after when to look again although the gate is closed; null for never
     */
    record WaitAtGateIfOwned(
            Hold hold,
            long id,
            List<Entry> entries,
            Gate.Wish wish,
            @Nullable Duration after) implements Owned {
        public WaitAtGateIfOwned {
            entries = List.copyOf(entries);
        }
    }

    /** Takes one of the attempts that a rate allows. Asked twice it takes two: the limit errs on the safe side. */
    record PassGateIfOwned(Hold hold, long id, Rate rate) implements Owned {
        @Override
        public List<Entry> entries() {
            return List.of();
        }
    }

    /** Ends the job. Refused while an attempt is open: doubt sticks. */
    record FinishJob(Hold hold, long id, List<Entry> entries, FinalState ending) implements Owned {
        public FinishJob {
            entries = List.copyOf(entries);
        }

        /** How it ended. */
        public sealed interface FinalState {
            /** With a result, as JSON. */
            record Done(String result) implements FinalState {}

            /** Given up. */
            record Failed(FailedAt why) implements FinalState {}

            /** Called off. */
            record CalledOff() implements FinalState {}
        }
    }

    /**
     * Pauses the job with a question.
     *
     * @param question a new one is also the last of the entries; one that still stands is not written again
     * @param after when to look again although nobody answered; null for never
     */
    record Ask(
            Hold hold,
            long id,
            List<Entry> entries,
            Question question,
            @Nullable Duration after) implements Owned {
        public Ask {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Submits a job. The same identity is the same job.
     *
     * @param given canonical JSON, and how the job is to be taken
     * @param claim set when the submitting process has room for it: it is claimed in the same commit
     */
    record SubmitJob(
            Identity identity,
            StoredJob.Given given,
            @Nullable Claim claim) implements Change {
        /** A job to be taken as usual. */
        public SubmitJob(Identity identity, String input, @Nullable Claim claim) {
            this(identity, new StoredJob.Given(input, Handling.usual()), claim);
        }

        /** Canonical JSON. */
        public String input() {
            return given.input();
        }

        @Override
        public long job() {
            return 0;
        }

        /** Who claims it, and under which claim. */
        public record Claim(long worker, long id) {}
    }

    /**
     * Says what became of an attempt, and what it used. Needs no fence: it is bound to its attempt, and a fact in every state of the job.
     */
    record AnswerAttempt(
            long job, long id, AttemptRef attempt, Answer answer, Answer.Source source, Entry.@Nullable Used used)
            implements Change {
        /** The id of the entry that says what the attempt used. */
        public long usedId() {
            return id + 2;
        }
    }

    /** Keeps an artifact's bytes beside the journal. The last entry is the {@link Entry.ArtifactKept}. */
    record KeepArtifactIfOwned(Hold hold, long id, List<Entry> entries, Bytes bytes) implements Owned {
        public KeepArtifactIfOwned {
            entries = List.copyOf(entries);
        }

        /** The artifact as it is recorded. */
        public Entry.ArtifactKept artifact() {
            return (Entry.ArtifactKept) entries.getLast();
        }
    }

    /**
     * Which attempt.
     *
     * @param resubmission of the run it was made in
     * @param place of the effect
     * @param number of the attempt
     */
    record AttemptRef(int resubmission, Place place, int number) {}

    /** A person's answer to a question. Needs no fence: it is bound to the question. */
    record Decide(long job, long id, long question, Decision decision) implements Change {}

    /** Sends a message to a job. Needs no fence: it is bound to its own id. */
    record Deliver(long job, Message message) implements Change {}

    /**
     * Goes on with what a change has begun to do to other jobs, as far as one commit goes. Asked twice it goes on twice; where nothing is left it does nothing.
     *
     * @param followUp the number of what is left
     * @param job whose it is; 0 where it is a gate's
     */
    record GoOn(long followUp, long job) implements Change {}

    /** A person calls a job off, and with it those that it called. */
    record CancelJob(long job, long id, Audit audit) implements Change {}

    /** A person asks for a failed job to be tried again. */
    record RetryJob(long job, long id, Audit audit) implements Change {}

    /** A person asks for a finished job again, from the start and under new effect keys. */
    record ResubmitJob(long job, long id, Audit audit) implements Change {}

    /** A person gives a failed job up. */
    record DiscardJob(long job, long id, Audit audit) implements Change {}

    /**
     * Limits how many jobs of a queue run at once, in all processes together.
     *
     * @param most how many
     */
    record LimitQueue(String queue, int most) implements Change {
        public LimitQueue {
            if (most < 1 || most > 1_000_000) {
                throw new IllegalArgumentException("a queue runs 1 to 1,000,000 jobs at once, not " + most);
            }
        }

        @Override
        public long job() {
            return 0;
        }
    }

    /**
     * Puts a table of prices in the place of the store's: uses that are recorded from now on are priced by it, wherever no other one is given.
     *
     * @param prices the whole table
     * @param audit who imports it, and why
     */
    record KeepPrices(Prices prices, Audit audit) implements Change {
        /** @throws IllegalArgumentException when no line can say one of the prices */
        public KeepPrices {
            var unused = prices.text();
        }

        @Override
        public long job() {
            return 0;
        }
    }

    /**
     * Opens a gate; all who wait there go on.
     *
     * @param closings how often it was closed when somebody looked: a later closing is not theirs to open
     * @param audit who opens it and why; null when it opens because what closed it is no longer so
     */
    record OpenGate(String gate, long closings, @Nullable Audit audit) implements Change {
        @Override
        public long job() {
            return 0;
        }
    }

    /**
     * Prunes jobs that are done or were called off, down to their tombstones; never one that a job waits for that has not ended.
     *
     * @param endedBefore which ended before this
     * @param most at most so many in this commit
     */
    record PruneJobs(Instant endedBefore, int most) implements Change {
        @Override
        public long job() {
            return 0;
        }
    }

    /**
     * Lets jobs that were stored while the store's clock was ahead wait no longer than they were to, and gates that closed then: see {@link ClockAhead}.
     *
     * @param most at most so many in this commit
     */
    record MendTimes(int most) implements Change {
        @Override
        public long job() {
            return 0;
        }
    }

    /** A change about rows of a collection. */
    sealed interface OfLedger extends Change {
        /** So many rows one change has at the most. */
        int MOST_ROWS = PartSending.MOST_ROWS;

        /** So many characters the values of its rows have at the most, all together. */
        long MOST_CHARACTERS = 8L << 20;

        /** The collection's name. */
        String collection();
    }

    /** A change about rows that needs no fence. */
    sealed interface OfRows extends OfLedger {
        @Override
        default long job() {
            return 0;
        }
    }

    /**
     * Enrols rows, each once, whoever else does; the collection is made with its first. Asked twice it does it once.
     *
     * @param rows each key once
     * @param renewing whether a payload that differs takes the place of the one that is there, as a new generation
     */
    record EnrolRows(String collection, List<NewRow> rows, boolean renewing) implements OfRows {
        public EnrolRows {
            rows = List.copyOf(rows);
            RowLimits.check(
                    rows.size(),
                    rows.stream().mapToLong(row -> row.payload().length()).sum());
        }
    }

    /**
     * Opens an attempt of each of these rows, under a part, in the commit that records it in the journal of the job that sends them. Rows that may not be sent, or
     * are not as they were seen, are left out: who wants to know which reads the part.
     */
    record SendRowsIfOwned(Hold hold, long id, List<Entry> entries, PartSending sending) implements Owned, OfLedger {
        public SendRowsIfOwned {
            entries = List.copyOf(entries);
        }

        @Override
        public String collection() {
            return sending.collection();
        }
    }

    /** Ends the making of a part: nothing more is sent under it. */
    record SealPartIfOwned(Hold hold, long id, List<Entry> entries, PartSealing sealing) implements Owned, OfLedger {
        public SealPartIfOwned {
            entries = List.copyOf(entries);
        }

        @Override
        public String collection() {
            return sealing.collection();
        }
    }

    /**
     * Says what became of attempts of rows. Needs no fence: each answer is bound to its attempt, and a fact in every state of the job that sent it. Asked twice it
     * does it once.
     *
     * @param answers about each attempt once
     * @param mostAttempts so many attempts of a row count at the most
     */
    record ReconcileRows(String collection, List<RowAnswer> answers, int mostAttempts) implements OfRows {
        public ReconcileRows {
            answers = List.copyOf(answers);
            RowLimits.check(
                    answers.size(),
                    answers.stream().mapToLong(RowAnswer::characters).sum());
        }
    }

    /**
     * A person's word about rows, as they saw them.
     *
     * @param word what they say, of each of them
     * @param audit who, and why
     */
    record SayOfRows(String collection, List<RowRef> rows, RowWord word, Audit audit) implements OfRows {
        public SayOfRows {
            rows = List.copyOf(rows);
            RowLimits.check(
                    rows.size(),
                    word instanceof RowWord.Accept accept
                            ? (long) rows.size() * accept.result().length()
                            : 0);
        }
    }

    /**
     * Says what became of a part at its destination; what is said last stands.
     *
     * @param provider as JSON
     */
    record NotePart(String collection, String part, String provider) implements OfRows {
        public NotePart {
            RowLimits.check(1, provider.length());
        }
    }

    /**
     * Prunes rows that are settled: what was sent and what came of it goes, and key, generation, state and hash stay for ever.
     *
     * @param changedBefore which were settled before this
     * @param most at most so many in this commit
     */
    record PruneRows(String collection, Instant changedBefore, int most) implements OfRows {}

    /** A change about a worker, not about a job. */
    sealed interface OfWorker extends Change {
        /** The worker's number. */
        long worker();

        @Override
        default long job() {
            return 0;
        }
    }

    /**
     * A worker comes to work. A number that was declared dead, or has retired, is not enlisted again while it is {@link #REMEMBERED}: such an
     * enlisting has arrived late, and would bring somebody back who is no more.
     */
    record Enlist(long worker, String name, Duration term, Taking taking) implements OfWorker {
        /** How long a store remembers the number of a worker that is gone; no change is on its way for so long. */
        public static final Duration REMEMBERED = Duration.ofDays(1);
    }

    /** A worker is alive. */
    record Beat(long worker, long beat) implements OfWorker {}

    /**
     * Declares one beat of a worker dead and gives its jobs back, so many at once; asked again it gives back more. Does nothing when it has beaten since.
     *
     * @param beat the beat that was watched, or is known to be the last
     * @param how what is known of its end
     */
    record TakeOver(long worker, long beat, WorkerEnd how) implements OfWorker {}

    /** A worker that owns nothing any more leaves. */
    record Retire(long worker) implements OfWorker {}
}
