package dev.pawl.store;

import dev.pawl.export.LineSums;
import dev.pawl.lease.WorkerRecord;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where jobs are kept. Thread-safe. */
public interface Store extends ReadSide, AutoCloseable {

    /**
     * Makes {@code changes}, at most one per job, and the claims that are wanted. Each change is made whole or not at all, and when this returns all of it is
     * durable. Many stores make one commit of it; that is how they do it, and not promised: others may see some of the changes before the rest. What one change does
     * to other jobs is bounded, too: what is more than {@link FollowUp#MOST_OTHERS} is left for {@link #followUps}.
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

    /**
     * Takes in everything that another store has told, as a whole or not at all, in a store in which nobody has done anything yet, and compares what has arrived with
     * what was told. A store that left another place is told again, with the same token, when that was interrupted; until then nobody opens this one but
     * {@link OpenMode#MOVING_IN}.
     *
     * @return how many lines of each kind arrived, with the sums of their hashes; empty when it had arrived before
     * @throws StoreFailure when there are jobs or workers, or another store is on its way here
     */
    Map<String, LineSums.Sum> receive(IncomingStore arriving);

    /**
     * Holds this place for a store that is about to leave another one: until it has {@linkplain #receive arrived}, nobody opens this one but
     * {@link OpenMode#MOVING_IN}.
     *
     * @param token of that move
     * @return false when that store has arrived here before
     * @throws StoreFailure when there are jobs or workers, or another store is on its way here
     */
    boolean hold(String token);

    /** The store that was to come under this token does not: the place is free again. */
    void letGo(String token);

    /** What it can do, and what it cannot. */
    Abilities abilities();

    /** What can be done in its own database, where it is one. */
    default Optional<SqlStore> sql() {
        return Optional.empty();
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
