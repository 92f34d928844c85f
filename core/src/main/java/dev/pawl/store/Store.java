package dev.pawl.store;

import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerRecord;
import java.sql.Connection;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where jobs are kept. Thread-safe. */
public interface Store extends AutoCloseable {

    /**
     * Makes one commit of {@code changes}, at most one per job, and of the claims that are wanted. When it returns, all of it is durable.
     *
     * @throws StoreFailure when nobody knows whether it was committed, or it was not, or it will be later; ask again with the same ids
     * @throws HeldChange when some of them have to wait for somebody else; ask again without these
     */
    Exchanged exchange(List<Change> changes, Wanted wanted);

    /**
     * How many exchanges are worth making at the same time.
     *
     * @param ofJobs for the changes of jobs; each job is bound to one of them, so that two of its changes are never under way together
     * @param apart whether claims, and what workers say of themselves, are made beside those
     */
    record CommitsAtOnce(int ofJobs, boolean apart) {
        /** One after the other. */
        public static final CommitsAtOnce ONE = new CommitsAtOnce(1, false);
    }

    /** How many exchanges are worth making at the same time. */
    default CommitsAtOnce commitsAtOnce() {
        return CommitsAtOnce.ONE;
    }

    /** The job with this identity, in whatever state. */
    Optional<StoredJob> find(Identity identity);

    /** The job with this number. */
    Optional<StoredJob> job(long id);

    /** Jobs, in the order of their numbers. */
    List<StoredJob> jobs(JobQuery query);

    /** Jobs in these states with a number above {@code after}, in the order of their numbers, at most {@code most}. */
    default List<StoredJob> jobs(Set<JobState> states, long after, int most) {
        return jobs(new JobQuery(states, null, null, null, new JobQuery.Page(after, most)));
    }

    /**
     * How jobs stand, by the hashes of their identities: those of {@code hashes} that are there. A look and never a write, for very many.
     */
    Map<String, Brief> briefs(Collection<String> hashes);

    /** What happened after {@code cursor}, at most {@code most}; what one job did comes in its order. */
    List<Occurrence> happened(Occurrence.Cursor cursor, int most);

    /** What workers would have to take so that jobs that are due since {@code before} can be claimed. */
    List<Taking> due(Instant before);

    /** A job's whole journal, all its resubmissions, in the order of commits. */
    List<JournalLine> journal(long job);

    /** The bytes of an artifact of the job's current run; empty when the store has none. */
    Optional<Bytes> artifact(long job, Place place);

    /** The jobs that this one called, in all its runs. */
    List<StoredJob> children(long job);

    /** Jobs whose end the current run of this one waits for: so many at the most, those first that are nearest to going on by themselves. */
    List<StoredJob> waitedFor(long job, int most);

    /** Jobs of which an effect happened twice and nobody has dealt with it, in the order of their numbers, at most {@code most}. */
    List<StoredJob> duplicated(int most);

    /** How many jobs of a workflow were done, and pruned with their results. */
    long pruned(String workflow);

    /** What was spent from {@code day} on, by workflow, day and model. */
    List<Spent> spent(LocalDate day);

    /** The gates that were ever closed. */
    List<Gate> gates();

    /** The prices that every worker goes by that has no table of its own, if they came after those with this number; 0 for whatever is there. */
    Optional<KeptPrices> pricesAfter(long number);

    /** How many jobs wait at a gate. */
    long waitingAt(String gate);

    /** The jobs of this worker that were called off, and that it does not know of yet. */
    Set<Long> calledOff(long worker);

    /** The workers that are enlisted. */
    List<WorkerRecord> workers();

    /**
     * Those of {@code workers} whose process is certainly gone, because the kernel says so. A store without such knowledge names none, and
     * their beats are watched instead.
     */
    default Set<Long> knownGone(Collection<WorkerRecord> workers) {
        return Set.of();
    }

    /** Something that lasts exactly as long as this process lives or until it is closed, by which {@link #knownGone} knows. */
    default Lifeline lifeline(long worker) {
        return () -> {};
    }

    /** Calls {@code hint} when there may be a job to claim. A hint only: it may never be called. */
    void onReady(Runnable hint);

    /** SQL in the store's own database, where it has one. */
    default Optional<Transactional> transactional() {
        return Optional.empty();
    }

    /**
     * Submits a job in the caller's own transaction: it is there when that commits, and never was when it does not.
     *
     * @param connection to the store's own database, in a transaction
     * @throws StoreFailure when it does not lead there, or the database refuses
     * @throws UnsupportedOperationException when the store has no SQL
     */
    default Applied submitWithin(Connection connection, Change.SubmitJob submission) {
        throw new UnsupportedOperationException(describe() + " has no SQL");
    }

    /** How to name this store on the command line, with a space before it; empty when that is not possible. */
    default String option() {
        return "";
    }

    /** What tells this store from every other, however its address is spelled; empty where the place itself does, as a file's. */
    default Optional<String> identity() {
        return Optional.empty();
    }

    /** In a few words, for messages: {@code SQLite file pawl.db}. */
    String describe();

    @Override
    void close();

    /** Held while a worker lives. */
    @FunctionalInterface
    interface Lifeline extends AutoCloseable {
        @Override
        void close();
    }
}
