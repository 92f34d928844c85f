package dev.pawl.store.postgres;

import dev.pawl.store.Change;
import dev.pawl.store.Claimed;
import dev.pawl.store.Exchanged;
import dev.pawl.store.Wanted;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes exchanges: in bulk what can be made so, and then the {@link RowByRow}. Tells whoever waits for it that there is something to claim. Thread-safe.
 */
final class Exchanges {
    private static final Duration SOON = Duration.ofMillis(30);
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final String server;
    private final Settings settings;
    private final ExchangeTexts texts;
    private final Bulk.Remembered remembered;
    private final Notices notices;
    private volatile long worker;
    private volatile long marked;
    private volatile long lastClaim;

    Exchanges(String server, Settings settings, Bulk.Remembered remembered, Notices notices) {
        this.server = server;
        this.settings = settings;
        this.texts = new ExchangeTexts(settings);
        this.remembered = remembered;
        this.notices = notices;
    }

    /** One commit of {@code changes} and of the claims that are wanted, or several, after which all of it is durable. */
    Exchanged make(Session session, List<Change> changes, Wanted wanted) throws SQLException {
        var bulk = new Bulk(settings, texts, remembered, worker, changes, wanted);
        // A claim that was sent before may still arrive: only another one under its number, or a higher, keeps it
        // from being met then.
        var asksAgain = wanted.any() && wanted.claim() <= lastClaim;
        var nothing = changes.isEmpty() && wanted.any() && !asksAgain ? nothingDue(session, bulk, wanted) : null;
        if (nothing != null) {
            return nothing;
        }
        if (wanted.any()) {
            lastClaim = wanted.claim();
        }
        var now = bulk.any() ? inBulk(session, bulk, changes) : null;
        var exchanged = theRest(session, bulk, changes, wanted, now);
        if (bulk.told().anybodyIdle() || (bulk.told().anyHandedBack() && RowByRow.isAnotherIdle(session, worker))) {
            notices.tell();
        }
        if (wanted.any() && !settings.ways().pooled()) {
            mark(session, wanted, bulk);
        }
        return exchanged;
    }

    /** Looks before it writes: a worker that has nothing to do leaves no trace, but for a mark that it wants to be told. Null when there is something to claim. */
    private @Nullable Exchanged nothingDue(Session session, Bulk bulk, Wanted wanted) throws SQLException {
        var nothing = bulk.look(session);
        if (nothing == null) {
            return null;
        }
        if (marked == wanted.worker() || settings.ways().pooled()) {
            return nothing;
        }
        mark(session, wanted, true);
        return bulk.look(session);
    }

    /** A worker that left something behind looks again by itself; one that took all that was there wants to be told from now on. */
    private void mark(Session session, Wanted wanted, Bulk bulk) throws SQLException {
        var toBeTold = !bulk.told().leavesBehind();
        if (toBeTold != (marked == wanted.worker())) {
            mark(session, wanted, toBeTold);
        }
    }

    /** Whoever submitted something just before the mark could be seen told nobody, and may take a moment to commit it: then it is looked for once more. */
    private void mark(Session session, Wanted wanted, boolean toBeTold) throws SQLException {
        session.sql().run("update pawl.worker set idle = ? where id = ?", toBeTold ? 1 : 0, wanted.worker());
        marked = toBeTold ? wanted.worker() : 0;
        if (toBeTold) {
            notices.hintIn(SOON);
        }
    }

    /** Makes what can be made in bulk; when the database refuses any of it, nothing, and it is done as the rest is. */
    private @Nullable Instant inBulk(Session session, Bulk bulk, List<Change> changes) throws SQLException {
        try {
            bulk.run(session);
            return bulk.told().nowOrNull();
        } catch (SQLException e) {
            if (!PostgresErrors.isAboutTheChanges(e)) {
                throw e;
            }
            bulk.told().nothing();
            if (PostgresErrors.isHeld(e)) {
                new RowByRow(session, server, worker, changes, bulk.told()).throwIfAnyIsHeld(e);
            }
            return null;
        }
    }

    private Exchanged theRest(Session session, Bulk bulk, List<Change> changes, Wanted wanted, @Nullable Instant at)
            throws SQLException {
        var rowByRow = new RowByRow(session, server, worker, changes, bulk.told());
        try {
            rowByRow.make();
        } finally {
            heard(rowByRow);
        }
        var now = rowByRow.now() == null ? at : rowByRow.now();
        if (now != null) {
            remembered.positions().told(now);
        }
        var next = bulk.told().next();
        var limited = false;
        if (wanted.any() && !bulk.told().claimAnswered()) {
            var slowly = claimSlowly(session, wanted);
            rowByRow.claimed().addAll(slowly.claimed());
            next = slowly.next();
            limited = slowly.limited();
            now = slowly.now();
        }
        if (now == null) {
            now = session.begin();
            session.commit();
        }
        return new Exchanged(rowByRow.applied(), rowByRow.claimed(), next, limited, now);
    }

    private void heard(RowByRow rowByRow) {
        if (rowByRow.enlisted() != 0) {
            worker = rowByRow.enlisted();
            notices.listen();
        }
        if (rowByRow.wakesAnother()) {
            notices.tell();
        }
    }

    /** Claims under locks, where limits count or a claim is asked again; says what it found and when the next comes due. */
    private static Exchanged claimSlowly(Session session, Wanted wanted) throws SQLException {
        try {
            return session.retrying(() -> {
                var now = session.begin();
                new Locks(session.sql()).lockLimits(wanted.worker());
                var taken = new ArrayList<Claimed>();
                var next = session.claims().claim(wanted, now, taken);
                session.commit();
                return new Exchanged(List.of(), taken, next, session.claims().limited(), now);
            });
        } catch (SQLException e) {
            if (!PostgresErrors.isHeld(e)) {
                throw e;
            }
            // Whoever holds the limits keeps everybody from claiming, and nobody from the jobs that it has.
            var now = session.begin();
            session.commit();
            return new Exchanged(List.of(), List.of(), now.plus(A_WHILE), true, now);
        }
    }
}
