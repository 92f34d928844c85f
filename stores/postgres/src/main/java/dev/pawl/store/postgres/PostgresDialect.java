package dev.pawl.store.postgres;

import dev.pawl.store.jdbc.Dialect;

/** How PostgreSQL says it. */
enum PostgresDialect implements Dialect {
    INSTANCE;

    @Override
    public String nextEnded() {
        return "nextval('pawl.ended')";
    }

    @Override
    public String amongTexts() {
        return " in (select jsonb_array_elements_text(cast(? as jsonb)))";
    }

    @Override
    public String skippingLocked() {
        return " for update skip locked";
    }
}
