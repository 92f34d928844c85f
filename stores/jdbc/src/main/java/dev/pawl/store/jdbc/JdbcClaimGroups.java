package dev.pawl.store.jdbc;

import dev.pawl.look.ClaimGroup;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The numbers of claim groups. Remembers those it has seen committed. Not thread-safe. */
final class JdbcClaimGroups {
    private static final int MOST_REMEMBERED = 1_000;

    private final Statements sql;
    private final Map<ClaimGroup, Long> known = new HashMap<>();

    JdbcClaimGroups(Statements sql) {
        this.sql = sql;
    }

    /** The group's number; a group that is not there is made. */
    long of(ClaimGroup group) throws SQLException {
        var id = known.get(group);
        if (id == null) {
            sql.run(
                    "insert into pawl.claim_group (workflow, queue, on_behalf_of, version) values (?, ?, ?, ?) on conflict do nothing",
                    group.workflow(),
                    group.queue(),
                    group.principal(),
                    group.version());
            id = Objects.requireNonNull(sql.one(
                    "select id from pawl.claim_group where workflow = ? and queue = ? and on_behalf_of = ? and version = ?",
                    row -> row.getLong(1),
                    group.workflow(),
                    group.queue(),
                    group.principal(),
                    group.version()));
            if (known.size() >= MOST_REMEMBERED) {
                known.clear();
            }
            known.put(group, id);
        }
        return id;
    }

    /** What was made is undone. */
    void forget() {
        known.clear();
    }
}
