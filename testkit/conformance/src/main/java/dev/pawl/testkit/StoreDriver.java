package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.decision.Audit;
import dev.pawl.decision.Decision;
import dev.pawl.decision.Question;
import dev.pawl.decision.QuestionKind;
import dev.pawl.effect.Answer;
import dev.pawl.effect.Terms;
import dev.pawl.failure.FailedAt;
import dev.pawl.failure.Failure;
import dev.pawl.failure.FailureClass;
import dev.pawl.job.JobState;
import dev.pawl.journal.Changes;
import dev.pawl.journal.Entry;
import dev.pawl.key.Identity;
import dev.pawl.key.Key;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.look.StoredJob;
import dev.pawl.store.Applied;
import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Store;
import dev.pawl.store.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Says to a store what an engine would say, in a few words. For tests of stores; not thread-safe. */
public final class StoreDriver {

    /** The workflow that jobs are of unless said. */
    public static final String WORKFLOW = "w";

    /** An effect's place. */
    public static final Place EFFECT = new Place("", "send", "");

    /** A person. */
    public static final Audit ANNA = new Audit("anna", "looked at it");

    private static final Terms NO_CONTRACT = new Terms(null, false, Duration.ofSeconds(60));

    private final Store store;
    private final Random random = new Random(7);
    private long claims;

    /** Speaks to {@code store}. */
    public StoreDriver(Store store) {
        this.store = store;
    }

    /** The store itself. */
    public Store store() {
        return store;
    }

    /** Makes one change. */
    public Applied apply(Change change) {
        return store.exchange(List.of(change), Wanted.NOTHING).applied().getFirst();
    }

    /** A new id for a change that needs no fence. */
    public long newId() {
        return Changes.unfenced(random);
    }

    /** The identity of a job of the usual workflow. */
    public static Identity identity(String key) {
        return new Identity(WORKFLOW, Key.of(key));
    }

    /** Submits a job. */
    public Applied submit(String key, String input) {
        return apply(new Change.SubmitJob(identity(key), input, null));
    }

    /** Enlists a worker. */
    public long enlist(long worker) {
        assertThat(apply(new Change.Enlist(worker, "worker-" + worker, Duration.ofSeconds(30), Taking.of(WORKFLOW)))
                        .done())
                .isTrue();
        return worker;
    }

    /** A wish of {@code worker} for so many jobs of the usual workflow. */
    public Wanted want(long worker, int most) {
        return new Wanted(worker, ++claims, Taking.of(WORKFLOW), most, true);
    }

    /** Asks for what is wanted. */
    public Exchanged ask(Wanted wanted) {
        return store.exchange(List.of(), wanted);
    }

    /** Claims up to so many jobs for {@code worker}. */
    public List<Claimed> claim(long worker, int most) {
        return ask(want(worker, most)).claimed();
    }

    /** Submits a job and claims it. */
    public Held hold(String key, long worker) {
        submit(key, "1");
        return claimed(claim(worker, 1).getFirst());
    }

    /** A job that was claimed. */
    public Held claimed(Claimed claimed) {
        return new Held(claimed.job());
    }

    /** The job as it stands. */
    public StoredJob job(long id) {
        return store.job(id).orElseThrow();
    }

    /** The job's state. */
    public JobState state(Held held) {
        return job(held.job.id()).state();
    }

    /** What was recorded about the job. */
    public List<Entry> entries(Held held) {
        return store.journal(held.job.id()).stream().map(line -> line.entry()).toList();
    }

    /** A decision of Anna's. */
    public static Decision decision(dev.pawl.decision.Verdict verdict) {
        return new Decision(verdict, null, false, ANNA);
    }

    /** A claimed job, with the changes its owner would make. */
    public final class Held {
        private final StoredJob job;
        private int written;

        private Held(StoredJob job) {
            this.job = job;
        }

        /** The job as it was when it was claimed. */
        public StoredJob job() {
            return job;
        }

        /** The right to write to it. */
        public Change.Hold hold() {
            return new Change.Hold(job.id(), job.standing().fence());
        }

        /** The id of the next change, which has so many entries. */
        public long id(int entries) {
            var id = Changes.owned(job.standing().fence(), written);
            written += entries;
            return id;
        }

        /** Records a step. */
        public Change.RecordStepIfOwned step(String name, String result) {
            return new Change.RecordStepIfOwned(
                    hold(), id(1), List.of(new Entry.StepDone(new Place("", name, ""), result)));
        }

        /** Records an entry. */
        public Change.RecordStepIfOwned record(Entry entry) {
            return new Change.RecordStepIfOwned(hold(), id(1), List.of(entry));
        }

        /** Intends attempt {@code number} of the effect. */
        public Change.IntendEffectIfOwned intend(int number) {
            return intend(number, NO_CONTRACT);
        }

        /** Intends attempt {@code number} of the effect at a destination that takes it for the same one as the others. */
        public Change.IntendEffectIfOwned intendRemembered(int number) {
            return intend(number, new Terms(Duration.ofDays(1), false, Duration.ZERO));
        }

        private Change.IntendEffectIfOwned intend(int number, Terms terms) {
            var intent = new Entry.Intended(EFFECT, number, "f", terms, Duration.ofMinutes(2));
            return new Change.IntendEffectIfOwned(hold(), id(1), List.of(intent), null);
        }

        /** Intends attempt {@code number} on a yes that is good until then. */
        public Change.IntendEffectIfOwned intend(int number, Instant goodUntil) {
            var plain = intend(number);
            return new Change.IntendEffectIfOwned(plain.hold(), plain.id(), plain.entries(), goodUntil);
        }

        /** Answers attempt {@code number} of the effect. */
        public Change.AnswerAttempt answer(int number, Answer answer) {
            var ref = new Change.AttemptRef(job.standing().resubmission(), EFFECT, number);
            return new Change.AnswerAttempt(job.id(), newId(), ref, answer, Answer.Source.WORKER, null);
        }

        /** It happened. */
        public Change.AnswerAttempt happened(int number) {
            return answer(number, Answer.happened("\"" + number + "\""));
        }

        /** It did not happen. */
        public Change.AnswerAttempt didNotHappen(int number) {
            return answer(number, new Answer.DidNotHappen(Failure.of(FailureClass.TRANSIENT, "refused", "refused")));
        }

        /** Releases it. */
        public Change.ReleaseJob release(Change.ReleaseJob.Until until, Duration after) {
            return new Change.ReleaseJob(
                    hold(), id(1), List.of(new Entry.Released(job.standing().fence(), "why", after)), until);
        }

        /** Finishes it. */
        public Change.FinishJob finish(String result) {
            return new Change.FinishJob(hold(), id(0), new ArrayList<>(), new Change.FinishJob.FinalState.Done(result));
        }

        /** Fails it. */
        public Change.FinishJob fail() {
            var why = new FailedAt(EFFECT, Failure.of(FailureClass.PERMANENT, "no", "no"));
            return new Change.FinishJob(hold(), id(0), List.of(), new Change.FinishJob.FinalState.Failed(why));
        }

        /** Calls another job. */
        public Change.CallIfOwned call(String name, Change.CalledJob call) {
            return new Change.CallIfOwned(
                    hold(), id(1), List.of(new Entry.Called(new Place("", name, ""), call.child())), call);
        }

        /** Asks about the effect. */
        public Change.Ask askAbout(QuestionKind kind) {
            return askAbout(kind, null);
        }

        /** Asks about the effect, to be looked at again although nobody answered. */
        public Change.Ask askAbout(QuestionKind kind, @Nullable Duration after) {
            var id = id(1);
            var question = new Question(id, kind, EFFECT, "because");
            return new Change.Ask(hold(), id, List.of(new Entry.Asked(question)), question, after);
        }

        /** Anna's answer to the question the job asks now. */
        public Change.Decide decide(dev.pawl.decision.Verdict verdict, @Nullable String result) {
            var question = StoreDriver.this.job(job.id()).outcome().question();
            return new Change.Decide(
                    job.id(),
                    newId(),
                    question == null ? 0 : question.id(),
                    new Decision(verdict, result, false, ANNA));
        }
    }
}
