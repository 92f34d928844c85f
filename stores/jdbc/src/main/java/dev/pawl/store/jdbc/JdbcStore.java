package dev.pawl.store.jdbc;

import dev.pawl.cost.Cost;
import dev.pawl.cost.KeptPrices;
import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.job.JobState;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.ledger.LedgerCollection;
import dev.pawl.ledger.LedgerPage;
import dev.pawl.ledger.LedgerPart;
import dev.pawl.ledger.LedgerQuery;
import dev.pawl.ledger.RowCount;
import dev.pawl.ledger.RowHistory;
import dev.pawl.ledger.SentPage;
import dev.pawl.list.Cursor;
import dev.pawl.list.ListPart;
import dev.pawl.look.Brief;
import dev.pawl.look.ClaimGroup;
import dev.pawl.look.EndedJobs;
import dev.pawl.look.JobPage;
import dev.pawl.look.JobQuery;
import dev.pawl.look.JobSummary;
import dev.pawl.look.JournalPage;
import dev.pawl.look.StoredJob;
import dev.pawl.look.TimeWindow;
import dev.pawl.look.UnfinishedJobs;
import dev.pawl.store.FollowUp;
import dev.pawl.store.JobPosition;
import dev.pawl.store.Store;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What all SQL stores can be asked. */
public abstract class JdbcStore implements Store {

    /** One look. */
    @FunctionalInterface
    public interface Looking<T> {
        T look(Looks looks) throws SQLException;
    }

    /** Takes a look on some connection. */
    protected abstract <T> T look(Looking<T> looking);

    /** Takes a look of several queries, all of which see the same. */
    protected abstract <T> T lookAtOneMoment(Looking<T> looking);

    @Override
    public final Optional<StoredJob> find(Identity identity) {
        return look(looks -> looks.byHash(identity.hash()));
    }

    @Override
    public final Optional<StoredJob> job(long id) {
        return look(looks -> looks.byId(id));
    }

    @Override
    public final JobPage jobs(JobQuery query) {
        JobPosition.before(query.part());
        return look(looks -> looks.lists().jobs(query));
    }

    @Override
    public final void eachJob(JobQuery query, Consumer<JobSummary> told) {
        var unfinished = look(looks -> looks.lists().open(query));
        for (var from = 0; from < unfinished.size(); from += ListPart.MOST) {
            var some = unfinished.subList(from, Math.min(from + ListPart.MOST, unfinished.size()));
            look(looks -> looks.lists().fitting(query, some)).forEach(told);
        }
        var seen = unfinished.stream().map(JobPosition::id).collect(Collectors.toSet());
        // Newest first: what ends from now on, once more perhaps, lies before the first page.
        var ended = query.ended().part(new ListPart(true, Cursor.START, ListPart.MOST));
        var page = ended.states().isEmpty() ? new JobPage(List.of(), null) : jobs(ended);
        while (true) {
            page.jobs().stream().filter(job -> !seen.contains(job.id())).forEach(told);
            if (page.next() == null) {
                return;
            }
            page = jobs(ended.after(page.next()));
        }
    }

    @Override
    public final List<StoredJob> wholeJobs(@Nullable String workflow, Set<JobState> states, long after, int most) {
        return look(looks -> looks.wholeJobs(workflow, states, after, most));
    }

    @Override
    public final List<UnfinishedJobs> unfinished(Instant since, Instant now) {
        return look(looks -> looks.lists().unfinished(since, now));
    }

    @Override
    public final List<EndedJobs> ended(TimeWindow window) {
        return look(looks -> looks.lists().ended(window));
    }

    @Override
    public final Map<String, Brief> briefs(Collection<String> hashes) {
        return look(looks -> looks.briefs(hashes));
    }

    @Override
    public final Optional<Instant> earliestDue() {
        return look(Looks::earliestDue);
    }

    @Override
    public final List<ClaimGroup> due(Instant before) {
        return look(looks -> looks.due(before));
    }

    @Override
    public final List<JournalLine> journal(long job) {
        return look(looks -> looks.journal(job));
    }

    @Override
    public final JournalPage journal(long job, ListPart part) {
        return look(looks -> looks.journal(job, part));
    }

    @Override
    public final Optional<Bytes> artifact(long job, Place place) {
        return look(looks -> looks.artifact(job, place));
    }

    @Override
    public final List<StoredJob> children(long job) {
        return look(looks -> looks.children(job));
    }

    @Override
    public final List<StoredJob> waitedFor(long job, int most) {
        return look(looks -> looks.waitedFor(job, most));
    }

    @Override
    public final List<JobSummary> duplicated(int most) {
        return look(looks -> looks.duplicated(most));
    }

    @Override
    public final List<Spent> spent(LocalDate day) {
        return look(looks -> looks.spent(day));
    }

    @Override
    public final List<Gate> gates() {
        return look(looks -> looks.gates(""));
    }

    @Override
    public final List<Gate> closedGates() {
        return look(looks -> looks.gates(" where why is not null"));
    }

    @Override
    public final Optional<KeptPrices> pricesAfter(long number) {
        return look(looks -> looks.pricesAfter(number));
    }

    @Override
    public final long waitingAt(String gate) {
        return look(looks -> looks.waitingAt(gate));
    }

    @Override
    public final Map<String, Cost> spentByWorkflow() {
        return look(Looks::spentByWorkflow);
    }

    @Override
    public final List<LedgerCollection> collections() {
        return look(looks -> looks.ledger().collections());
    }

    @Override
    public final List<RowCount> rowCounts(String collection) {
        return look(looks -> looks.ledger().counts(collection));
    }

    @Override
    public final LedgerPage rows(LedgerQuery rowQuery) {
        return lookAtOneMoment(looks -> looks.ledger().rows(rowQuery));
    }

    @Override
    public final Optional<RowHistory> row(String collection, String key) {
        return lookAtOneMoment(looks -> looks.ledger().row(collection, key));
    }

    @Override
    public final List<LedgerPart> parts(String collection, String behind, int most) {
        return look(looks -> looks.ledger().parts(collection, behind, most));
    }

    @Override
    public final SentPage sent(String collection, String part, Cursor behind, int most) {
        return look(looks -> looks.ledger().sent(collection, part, behind, most));
    }

    @Override
    public final List<FollowUp> followUps(long after, int most) {
        return look(looks -> looks.followUps(after, most));
    }

    @Override
    public final List<WorkerRecord> workers() {
        return look(Looks::workers);
    }
}
