package dev.pawl.store.postgres;

import dev.pawl.store.jdbc.Dialect;
import dev.pawl.store.jdbc.JobColumn;

/** How PostgreSQL says it. */
enum PostgresDialect implements Dialect {
    INSTANCE;

    @Override
    public String nextEnded() {
        return "nextval('pawl.ended')";
    }

    @Override
    public String insertJob() {
        return "with new as (insert into pawl.identified (identity, job) select cast(? as text), nextval('pawl.job_seq_seq')"
                + " where pg_current_xact_id() is not null on conflict do nothing returning job)"
                + " insert into pawl.job (seq, " + JobColumn.ofNew() + ") select new.job, " + JobColumn.marks()
                + " from new returning seq";
    }

    @Override
    public String jobsByIdentity() {
        return "pawl.identified join pawl.job on job.seq = identified.job";
    }

    @Override
    public String amongTexts() {
        return " in (select jsonb_array_elements_text(cast(? as jsonb)))";
    }

    @Override
    public String skippingLocked() {
        return " for update of job skip locked";
    }
}
