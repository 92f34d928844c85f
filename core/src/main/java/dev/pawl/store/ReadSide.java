package dev.pawl.store;

import dev.pawl.cost.Cost;
import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Spent;
import dev.pawl.export.StoreLine;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import dev.pawl.look.Brief;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobPage;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.JournalPage;
import dev.pawl.look.Occurrence;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.look.UnfinishedJobs;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What can be seen of a store. Looking changes nothing. Thread-safe. */
public interface ReadSide extends LedgerSide {

    /** The job with this identity, in whatever state. */
    Optional<StoredJob> find(Identity identity);

    /** The job with this number. */
    Optional<StoredJob> job(long id);

    /** Part of the list of jobs that {@code query} asks for. What a part costs does not grow with what is finished. */
    JobPage jobs(JobQuery query);

    /**
     * Tells all jobs that {@code query} asks for, each once and in no particular order, whatever part it names. What has not ended is what had not when it began;
     * one that comes into another state meanwhile is told as it is then, or left out.
     */
    void eachJob(JobQuery query, Consumer<JobSummary> told);

    /**
     * Jobs with all that belongs to them, in the order of their numbers: for whoever copies them. What it costs grows with the store.
     *
     * @param workflow of this workflow; null for any
     * @param after only jobs with a higher number
     */
    List<StoredJob> wholeJobs(@Nullable String workflow, Set<JobState> states, long after, int most);

    /**
     * How the jobs stand that have not ended, in as many lines as there are groups, states and owners.
     *
     * @param since what came into its state from then on came lately
     * @param now what is due by then could go on now
     */
    List<UnfinishedJobs> unfinished(Instant since, Instant now);

    /** How many jobs ended in {@code window} and have stayed so; those of which only the tombstone is left are counted only over {@link TimeWindow#EVER}. */
    List<EndedJobs> ended(TimeWindow window);

    /**
     * How jobs stand, by the hashes of their identities: those of {@code hashes} that are there. A look and never a write, for very many.
     */
    Map<String, Brief> briefs(Collection<String> hashes);

    /** What happened after {@code cursor}, at most {@code most}; what one job did comes in its order. */
    List<Occurrence> happened(Cursor cursor, int most);

    /** What workers would have to take so that jobs that are due since {@code before} can be claimed. */
    List<ClaimGroup> due(Instant before);

    /** When that job comes due, or came, which is due before all others that can be claimed now or by and by; empty when there is none. What it costs does not grow with how many there are. */
    Optional<Instant> earliestDue();

    /** A job's whole journal, all its resubmissions, in the order of commits. */
    List<JournalLine> journal(long job);

    /** Part of a job's journal, all its resubmissions, in the order of commits or the other way round. */
    JournalPage journal(long job, ListPart part);

    /** The bytes of an artifact of the job's current run; empty when the store has none. */
    Optional<Bytes> artifact(long job, Place place);

    /** The jobs that this one called, in all its runs. */
    List<StoredJob> children(long job);

    /** Jobs whose end the current run of this one waits for: so many at the most, those first that are nearest to going on by themselves. */
    List<StoredJob> waitedFor(long job, int most);

    /** Jobs of which an effect happened twice and nobody has dealt with it, in the order of their numbers, at most {@code most}. */
    List<JobSummary> duplicated(int most);

    /** What was spent from {@code day} on, by workflow, day and model. */
    List<Spent> spent(LocalDate day);

    /** What each workflow has spent in all: added up as it is recorded, so that it costs the same however long ago the first of it was. */
    Map<String, Cost> spentByWorkflow();

    /** The gates that were ever closed. */
    List<Gate> gates();

    /** The gates that somebody closed and nobody has opened since; the time of some may have passed. */
    List<Gate> closedGates();

    /** The prices that every worker goes by that has no table of its own, if they came after those with this number; 0 for whatever is there. */
    Optional<KeptPrices> pricesAfter(long number);

    /** How many jobs wait at a gate. */
    long waitingAt(String gate);

    /** Tells everything that is in the store, as it is at one moment, kind after kind; one line at a time is in memory. */
    void export(Consumer<StoreLine> told);

    /**
     * What changes have begun to do to other jobs and have not ended, what was begun first before the others; from behind number
     * {@code after} on, at most {@code most}.
     */
    List<FollowUp> followUps(long after, int most);

    /** The workers that are enlisted, and those that were declared dead and have jobs yet. */
    List<WorkerRecord> workers();
}
