package dev.pawl.store.postgres;

import dev.pawl.look.ClaimGroup;
import dev.pawl.store.Change;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The numbers of claim groups, which are never taken back once they are committed. Thread-safe. */
final class PostgresClaimGroups {
    private static final int MOST_REMEMBERED = 10_000;

    private final int mostRemembered;
    private final Map<ClaimGroup, Long> known = new ConcurrentHashMap<>();

    PostgresClaimGroups() {
        this(MOST_REMEMBERED);
    }

    PostgresClaimGroups(int mostRemembered) {
        this.mostRemembered = mostRemembered;
    }

    /** The numbers of these jobs' groups; those that are not there are made. */
    long[] of(Session session, List<Change.SubmitJob> submissions) throws SQLException {
        var numbers = new long[submissions.size()];
        for (var i = 0; i < numbers.length; i++) {
            var submission = submissions.get(i);
            var group = ClaimGroup.of(submission.identity(), submission.given().handling());
            var id = known.get(group);
            if (id == null) {
                if (known.size() >= mostRemembered) {
                    known.clear();
                }
                id = find(session, group);
                known.put(group, id);
            }
            numbers[i] = id;
        }
        return numbers;
    }

    private static long find(Session session, ClaimGroup group) throws SQLException {
        session.begin();
        try {
            session.sql()
                    .run(
                            "insert into pawl.claim_group (workflow, queue, on_behalf_of, version) values (?, ?, ?, ?) on conflict do nothing",
                            group.workflow(),
                            group.queue(),
                            group.principal(),
                            group.version());
            var id = Objects.requireNonNull(session.sql()
                    .one(
                            "select id from pawl.claim_group where workflow = ? and queue = ? and on_behalf_of = ? and version = ?",
                            row -> row.getLong(1),
                            group.workflow(),
                            group.queue(),
                            group.principal(),
                            group.version()));
            session.commit();
            return id;
        } catch (SQLException e) {
            session.undo(e);
            throw e;
        }
    }
}
