package dev.pawl.store.jdbc;

import dev.pawl.cost.Spent;
import dev.pawl.gate.Gate;
import dev.pawl.journal.Bytes;
import dev.pawl.journal.JournalLine;
import dev.pawl.key.Identity;
import dev.pawl.key.Place;
import dev.pawl.lease.Taking;
import dev.pawl.lease.WorkerRecord;
import dev.pawl.store.Brief;
import dev.pawl.store.JobQuery;
import dev.pawl.store.KeptPrices;
import dev.pawl.store.Store;
import dev.pawl.store.StoredJob;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What all SQL stores can be asked. */
public abstract class JdbcStore implements Store {

    /** One look. */
    @FunctionalInterface
    public interface Looking<T> {
        T look(Looks looks) throws SQLException;
    }

    /** Takes a look on some connection. */
    protected abstract <T> T look(Looking<T> looking);

    @Override
    public final Optional<StoredJob> find(Identity identity) {
        return look(looks -> looks.byHash(identity.hash()));
    }

    @Override
    public final Optional<StoredJob> job(long id) {
        return look(looks -> looks.byId(id));
    }

    @Override
    public final List<StoredJob> jobs(JobQuery query) {
        return look(looks -> looks.jobs(query));
    }

    @Override
    public final Map<String, Brief> briefs(Collection<String> hashes) {
        return look(looks -> looks.briefs(hashes));
    }

    @Override
    public final List<Taking> due(Instant before) {
        return look(looks -> looks.due(before));
    }

    @Override
    public final List<JournalLine> journal(long job) {
        return look(looks -> looks.journal(job));
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
    public final List<StoredJob> duplicated(int most) {
        return look(looks -> looks.duplicated(most));
    }

    @Override
    public final long pruned(String workflow) {
        return look(looks -> looks.pruned(workflow));
    }

    @Override
    public final List<Spent> spent(LocalDate day) {
        return look(looks -> looks.spent(day));
    }

    @Override
    public final List<Gate> gates() {
        return look(Looks::gates);
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
    public final Set<Long> calledOff(long worker) {
        return look(looks -> looks.calledOff(worker));
    }

    @Override
    public final List<WorkerRecord> workers() {
        return look(Looks::workers);
    }
}
