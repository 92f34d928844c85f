package dev.pawl.store.jdbc;

import dev.pawl.journal.EntryText;
import java.sql.SQLException;

/** Effects that happened twice. Not thread-safe. */
final class JdbcDuplicates {
    /** What happened twice in the job of this number, and was recorded after a person last discarded it. */
    static final String NOT_DEALT_WITH = "select 1 from pawl.journal twice where twice.job = %s and twice.kind = "
            + EntryText.EntryCode.DUPLICATED.code() + " and not exists (select 1 from pawl.journal dealt"
            + " where dealt.job = twice.job and dealt.kind = " + EntryText.EntryCode.DISCARDED.code()
            + " and dealt.seq > twice.seq)";

    private final Statements sql;

    JdbcDuplicates(Statements sql) {
        this.sql = sql;
    }

    /** Whether an effect of the job happened twice and nobody has dealt with it. */
    boolean any(long job) throws SQLException {
        return sql.one("select 1 where exists (" + NOT_DEALT_WITH.formatted("?") + ")", row -> true, job) != null;
    }
}
